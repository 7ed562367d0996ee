import { rowBytes, tailLines } from "../platform/tail.ts";
import { INTERRUPTION } from "../transcript/entry.ts";
import { isWorthParsing, readRows } from "../transcript/row.ts";
import { END_BYTES, mayWaitForSubAgent } from "./sub-agent-call.ts";

/** The last few of one answer's calls with their results. */
const LAST_ANSWER = {
  maxLines: 8,
  maxScanBytes: END_BYTES,
  keep: (head: string) => isWorthParsing(head) || head.includes('"attachment":{"type":"hook_'),
} as const;

/** A row that the client writes when it starts a session, or takes one up again. */
const START = '"hookEvent":"SessionStart"';

/** The client that wrote a row, which says so near its end or before its message. */
const VERSION = /"version":"(\d+)\.(\d+)\.(\d+)/;

/** The first client that is known to say whose a compaction is; 2.1.300 does not. */
const SAYS_WHOSE = [2, 1, 332] as const;

/**
 * Whether a transcript ends with a call of a sub-agent that has no result yet, in a client that does not say whose a compaction is. One
 * that no person asked for is then that sub-agent's, under its main line's session: the main line compacts before it asks the model
 * again, when all results are there.
 */
export function waitsForSubAgent(transcript: string): boolean {
  if (!mayWaitForSubAgent(transcript)) return false;
  const tail = tailLines(transcript, LAST_ANSWER);
  if (!tail.ok) return false;
  const rows = tail.value.lines.map(({ text }) => text);
  const last = rows.slice(rows.findLastIndex((row) => row.includes(START)) + 1);
  const { entries } = readRows(last.map((row, at) => ({ bytes: rowBytes(row), row: at, terminated: true })));
  const answered = new Set<string>();
  for (const entry of entries.toReversed()) {
    if (entry.kind === "tool-result") answered.add(entry.toolUseId);
    else if (entry.kind === "tool-use") {
      if ((entry.name === "Agent" || entry.name === "Task") && !answered.has(entry.id))
        return isOfOlderClient(last[entry.row] ?? "");
    }
    // The client's remarks stand among results; whoever speaks, or stops the agent, waits no more.
    else if (entry.kind !== "unknown" || entry.subtype === INTERRUPTION) return false;
  }
  return false;
}

/** A row that names no version is no client's of those that keep whose a compaction is to themselves. */
function isOfOlderClient(row: string): boolean {
  const version = VERSION.exec(row)?.slice(1).map(Number) ?? SAYS_WHOSE;
  const differs = SAYS_WHOSE.findIndex((part, at) => part !== version[at]);
  return differs !== -1 && (version[differs] ?? 0) < (SAYS_WHOSE[differs] ?? 0);
}
