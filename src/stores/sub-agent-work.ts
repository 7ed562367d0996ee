import { basename, dirname, join } from "node:path";
import { valueOr } from "../base/result.ts";
import { readText } from "../platform/read-text.ts";
import { rowBytes, tailLines } from "../platform/tail.ts";
import { openWorkSieve, withWork } from "../trail/sub-agents.ts";
import { type Activity, activitiesOf } from "../transcript/activity.ts";
import { readRows } from "../transcript/row.ts";
import { listFolder } from "./list-folder.ts";
import type { Transcript } from "./transcript-store.ts";

/** Bytes of sub-agents' files that are gone through, a quarter of what is left of them in one file. */
const MOST_BYTES = { window: 2 * 1024 * 1024, whole: 256 * 1024 * 1024 } as const;
/** To open a file, and to read a row, costs as much as to go through so much of one. */
const [OPENING, READING] = [32 * 1024, 8 * 1024];

/** What was done in a session, by its sub-agents too: the client keeps a file of each. */
export function withSubAgents({ path, activities, reach }: Transcript): readonly Activity[] {
  let left: number = MOST_BYTES[reach];
  const workOf = (id: string, { sessionId }: Activity): readonly Activity[] => {
    // A fork's are where its parent's are; older clients keep them beside the session.
    for (const folder of [`${basename(path, ".jsonl")}/subagents`, `${sessionId}/subagents`, ""]) {
      const share = left >> 2;
      left -= OPENING;
      if (left < 0 || !NAME.test(id) || !NAME.test(`${sessionId}`)) break;
      const file = join(dirname(path), folder, `agent-${id}.jsonl`);
      const tail = tailLines(file, { maxLines: share, maxBytes: share, maxScanBytes: share });
      if (!tail.ok) continue;
      const { lines, size, start } = tail.value;
      const wants = openWorkSieve();
      const rows = lines.filter(({ text }) => wants(text)).slice(-Math.ceil(share / READING));
      left -= size - start + rows.length * READING;
      return activitiesOf(readRows(rows.map((row) => ({ ...row, bytes: rowBytes(row.text) }))).entries);
    }
    return [];
  };
  return withWork(activities, workOf, ({ id }) => {
    const folder = join(dirname(path), basename(path, ".jsonl"), "subagents");
    const abouts = valueOr(listFolder(folder), []).filter((name) => name.endsWith(ABOUT));
    const about = abouts.slice(0, MOST_LOOKS).find((name) => {
      const file = readText(join(folder, name), OPENING);
      return file.ok && file.value.text.includes(`"toolUseId":"${id}"`);
    });
    return about?.slice("agent-".length, -ABOUT.length) ?? null;
  });
}

/** Beside a sub-agent's file, what call it is of. */
const ABOUT = ".meta.json";
const MOST_LOOKS = 256;

/** What may be part of a path. */
const NAME = /^[\w-]+$/;
