import { existsSync } from "node:fs";
import { join } from "node:path";
import { ok, type Result, valueOr } from "../base/result.ts";
import { isSessionId } from "../base/session-id.ts";
import { countLines, rowBytes, type TailError, tailLines } from "../platform/tail.ts";
import { type Activity, activitiesOf } from "../transcript/activity.ts";
import { isWorthParsing, readRows, TRANSCRIPT_WHOLE, TRANSCRIPT_WINDOW } from "../transcript/row.ts";
import { clientFolder } from "./client-folder.ts";
import { listFolder } from "./list-folder.ts";

export interface Transcript {
  readonly path: string;
  /** Oldest first, from the window at the file's end. */
  readonly activities: readonly Activity[];
  /** How much of it was wanted. */
  readonly reach: TranscriptReach;
  /** Whether the window holds the whole file. */
  readonly whole: boolean;
  /** Rows that were no JSON, were too large, or were still being written. */
  readonly broken: number;
  readonly oversize: number;
  readonly partial: number;
  /** Rows that were looked at, those among them. */
  readonly rows: number;
  /** The file's line, from 1, of a row of the window; counts from the file's start, which takes a second pass where the window begins later. */
  readonly lineOfRow: (row: number) => number;
}

/** How much of a transcript a reader wants. */
export type TranscriptReach = "window" | "whole";

/** The activities at the end of a session's file, or before byte `upTo` of it. */
export function readTranscript(
  path: string,
  reach: TranscriptReach,
  upTo: number = Number.POSITIVE_INFINITY,
): Result<Transcript, TailError> {
  const limits = reach === "window" ? TRANSCRIPT_WINDOW : TRANSCRIPT_WHOLE;
  const tail = tailLines(path, { ...limits, upTo, keep: isWorthParsing });
  if (!tail.ok) return tail;
  const { lines, start, oversize } = tail.value;
  const { entries, broken, partial } = readRows(
    lines.map(({ text, row, terminated }) => ({ bytes: rowBytes(text), row, terminated })),
  );
  let before: number | null = start === 0 ? 0 : null;
  return ok({
    path,
    activities: activitiesOf(entries),
    reach,
    whole: start === 0,
    broken,
    oversize,
    partial,
    rows: lines.length,
    lineOfRow: (row) => {
      if (before === null) {
        const counted = countLines(path, start);
        before = counted.ok ? counted.value : 0;
      }
      return before + row + 1;
    },
  });
}

/**
 * The file of a session among the client's own, or null. The client names its folders after projects in a way that cannot
 * be reversed, so every folder is asked for the session's id, never decoded.
 */
export function findTranscript(env: Readonly<Record<string, string | undefined>>, sessionId: string): string | null {
  if (!isSessionId(sessionId)) return null;
  const folder = join(clientFolder(env), "projects");
  for (const name of valueOr(listFolder(folder), [])) {
    const path = join(folder, name, `${sessionId}.jsonl`);
    if (existsSync(path)) return path;
  }
  return null;
}
