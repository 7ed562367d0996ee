import { basename, dirname, join } from "node:path";
import { isObject, parseJson, stringAt } from "../base/json-value.ts";
import { isSessionId } from "../base/session-id.ts";
import { headLines } from "../platform/read-head.ts";
import { walkRows } from "../platform/tail.ts";
import { isWorthParsing, TRANSCRIPT_WINDOW } from "../transcript/row.ts";

/** Where the work of a fork lies whose transcript begins behind a compaction. */
export interface ForkOrigin {
  /** The session that was compacted, and its transcript, which may have gone on, or be gone. */
  readonly session: string;
  readonly path: string;
  /** When it was compacted, ISO 8601: what it did later is not the fork's. */
  readonly until: string;
}

/** Forks of forks that did nothing themselves. */
const MOST_FORKS = 8;

const HEAD_BYTES = 256 * 1024;

const TOLD_BY_US = /<session id=\\"([^"\\]+)\\" source=/g;

const SAID = /"type":"(?:user|assistant)"/;
const COMPACTED = '"subtype":"compact_boundary"';
const TIME = /"timestamp":"(\d{4}-\d\d-\d\dT[\d:.]{8,16}Z)"/;

/**
 * The compacted session that a transcript was copied from: of such a one the client copies what came after the compaction.
 * Null where a transcript begins otherwise. A transcript bears its session's name.
 */
export function forkOrigin(transcript: string, own: string = basename(transcript, ".jsonl")): ForkOrigin | null {
  let until: string | undefined;
  for (const line of headLines(transcript, HEAD_BYTES)) {
    if (until === undefined) {
      if (line.includes(COMPACTED)) until = TIME.exec(line)?.[1];
      if (until === undefined && SAID.test(line)) return null;
      if (until === undefined) continue;
    }
    // Of forks of forks the first one named was compacted.
    const session = madeFor(line).find((named) => named !== own && isSessionId(named));
    if (session !== undefined) return { session, until, path: join(dirname(transcript), `${session}.jsonl`) };
  }
  return null;
}

/**
 * Who a record says it was made for, as measured with the clients: 2.1.332 keeps the session that an answer was given to, 2.0.76
 * the one of each record that it copies. Those between name none but in what a hook of ours told the parent. What a tool is
 * called with may go by the same names.
 */
function madeFor(line: string): readonly string[] {
  if (line.includes('"type":"hook_additional_context"'))
    return Array.from(line.matchAll(TOLD_BY_US), ([, session = ""]) => session);
  const record = parseJson(line);
  if (!isObject(record)) return [];
  return ["requestSessionId", "sessionId"].flatMap((key) => stringAt(record, key) ?? []);
}

/**
 * What `look` finds where a fork comes from, in a transcript up to the byte that it had come to when it was compacted: a value, null
 * where nothing is to be found, or `earlier` where that is a fork that did nothing itself.
 */
export function lookBack<Found>(
  origin: ForkOrigin | null,
  look: (origin: ForkOrigin, upTo: number) => Found | null | "earlier",
): Found | null {
  let at = origin;
  for (let fork = 0; at !== null && fork < MOST_FORKS; fork++) {
    const upTo = sizeAt(at.path, at.until);
    const found = upTo === null ? null : look(at, upTo);
    if (found !== "earlier") return found;
    at = forkOrigin(at.path);
  }
  return null;
}

/** What is passed over is not kept: no limit but that of the bytes that are read. */
const ALL_ROWS = { ...TRANSCRIPT_WINDOW, maxLines: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };

/** How many bytes a transcript had at that time; null where it cannot be read so far. A row that bears no time stands among those around it. */
function sizeAt(path: string, until: string): number | null {
  let size = Number.POSITIVE_INFINITY;
  let isReached = false;
  const walked = walkRows(path, { ...ALL_ROWS, keep: isWorthParsing }, ({ text, offset }) => {
    const times = [...text.matchAll(/"timestamp":"([^"\\]+)"/g)].map(([, time = ""]) => time);
    isReached = times.length > 0 && times.every((time) => time <= until);
    if (!isReached) size = offset;
    return !isReached;
  });
  return walked.ok && isReached ? size : null;
}
