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
  const own = `${basename(path, ".jsonl")}/subagents`;
  let left: number = MOST_BYTES[reach];
  const workOf = (id: string, { sessionId }: Activity): readonly Activity[] => {
    // A fork's are where its parent's are; older clients keep them beside the session.
    for (const folder of [own, `${sessionId}/subagents`, ""]) {
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
  let called: ReturnType<typeof calledIn> | undefined;
  return withWork(activities, workOf, ({ id }) => {
    called ??= calledIn(join(dirname(path), own));
    return called.get(id);
  });
}

/** The sub-agents of a session by the calls that they are of: the client notes it beside the file of each. */
function calledIn(folder: string): ReadonlyMap<string | undefined, string> {
  const abouts = valueOr(listFolder(folder), []).filter((name) => name.endsWith(ABOUT));
  return new Map(
    abouts.slice(0, MOST_LOOKS).map((name) => {
      const file = readText(join(folder, name), OPENING);
      const call = /"toolUseId":"([^"]+)/.exec(file.ok ? file.value.text : "");
      return [call?.[1], name.slice("agent-".length, -ABOUT.length)];
    }),
  );
}

const ABOUT = ".meta.json";
const MOST_LOOKS = 256;

/** What may be part of a path. */
const NAME = /^[\w-]+$/;
