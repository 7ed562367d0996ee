import { rowBytes, walkRows } from "../platform/tail.ts";
import { INTERRUPTION } from "../transcript/entry.ts";
import { isWorthParsing, readRows } from "../transcript/row.ts";

/** One answer's calls with their results; a result is looked at whatever its size, since one that is not seen seems to be missing. */
const LAST_ANSWER = {
  maxLines: 32,
  maxBytes: 256 * 1024,
  maxLineBytes: 1024 * 1024,
  maxScanBytes: 1024 * 1024,
} as const;

/** A row that the client writes when it starts a session, or takes one up again. */
const START = '"hookEvent":"SessionStart"';

/** The tool, by its name today and before 2.1. */
const AGENT: ReadonlySet<string> = new Set(["Agent", "Task"]);

/**
 * Whether a transcript ends with a call of a sub-agent that has no result yet. A compaction that no person asked for is then that
 * sub-agent's, under its main line's session: the main line compacts before it asks the model again, when all results are there. The
 * client says whose a compaction is since a version between 2.1.300 and 2.1.332.
 */
export function waitsForSubAgent(transcript: string): boolean {
  const answered = new Set<string>();
  let waits = false;
  const walked = walkRows(
    transcript,
    { ...LAST_ANSWER, keep: (head) => isWorthParsing(head) || head.includes('"attachment":{"type":"hook_') },
    ({ text }) => {
      if (text.includes(START)) return false;
      for (const entry of readRows([{ bytes: rowBytes(text), row: 0, terminated: true }]).entries) {
        if (entry.kind === "tool-result") answered.add(entry.toolUseId);
        else if (entry.kind === "tool-use") waits ||= AGENT.has(entry.name) && !answered.has(entry.id);
        // The client's remarks stand among results; whoever speaks, or stops the agent, waits no more.
        else if (entry.kind !== "unknown" || entry.subtype === INTERRUPTION) return false;
      }
      return !waits;
    },
  );
  return walked.ok && walked.value.oversize === 0 && waits;
}
