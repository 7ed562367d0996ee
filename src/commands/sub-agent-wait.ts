import { isObject, type JsonObject, parseJson, stringAt } from "../base/json-value.ts";
import { sleepSync } from "../platform/sleep.ts";
import { rowText, walkRows } from "../platform/tail.ts";
import { lastDelivery } from "../stores/delivery-store.ts";
import type { ProjectPaths } from "../stores/paths.ts";
import { type Entry, entriesOf, INTERRUPTION, messageId, SUB_AGENT_TOOLS } from "../transcript/entry.ts";
import { isWorthParsing } from "../transcript/row.ts";
import { mayWaitForSubAgent } from "./sub-agent-call.ts";

/** All calls of the model's last answer, and what became of them. */
const LAST_ANSWER = {
  maxScanBytes: 2 * 1024 * 1024,
  keep: (head: string) => isWorthParsing(head) || head.includes('"attachment":{"type":"hook_'),
} as const;

/** A row that the client writes when it starts a session, or takes one up again. */
const START = '"hookEvent":"SessionStart"';

/** Before each look. The client writes down what happened within a tenth of a second, a busy one a little later, and a hook may be quicker. */
const UNTIL_WRITTEN_MS = [0, 50, 100, 150, 300];

/**
 * Whether a compaction that no person asked for comes while a sub-agent is waited for. It is then that sub-agent's, under its main
 * line's session: the main line compacts before it asks the model again, when all results are there.
 */
export function compactsSubAgent(transcript: string, pausesMs: readonly number[] = UNTIL_WRITTEN_MS): boolean {
  return pausesMs.every((pause) => {
    sleepSync(pause);
    return heardOfSubAgent(transcript) !== null;
  });
}

/**
 * Whether the start after a compaction is a sub-agent's: one is waited for, and since anything was heard of it PreCompact has
 * answered for no compaction of the main line. A person may ask for that one where a call never had its result.
 */
export function startsSubAgent(paths: ProjectPaths, sessionId: string | null, transcript: string): boolean {
  const heard = heardOfSubAgent(transcript);
  if (heard === null) return false;
  const answered = sessionId === null ? null : lastDelivery(paths, `${sessionId}.pre-compact.`);
  return answered === null || !(Date.parse(answered.at) >= Date.parse(heard));
}

/** When a sub-agent was last heard of whose call has no result at a transcript's end; null where none is waited for. */
function heardOfSubAgent(transcript: string): string | null {
  if (!mayWaitForSubAgent(transcript)) return null;
  const answered = new Set<string>();
  let answer: string | null | undefined;
  let heard: string | null = null;
  const walked = walkRows(transcript, LAST_ANSWER, ({ text }) => {
    if (text.includes(START)) return false;
    const record = parseJson(rowText(text));
    if (!isObject(record)) return true;
    if (saysWhose(record)) return false;
    // Clients from before 2.0.76 write here what the sub-agent does, as rows of its own.
    if (record.isSidechain === true) return true;
    if (record.type === "assistant") {
      const id = messageId(record);
      // What was called before had its results when the model was asked for this answer.
      if (answer !== undefined && answer !== id) return false;
      answer = id;
    }
    const entries = entriesOf(record, 0);
    if (subAgentCalls(record, entries).some((call) => !answered.has(call))) {
      // A row that names no version is no client's of those that keep to themselves whose a compaction is.
      if (stringAt(record, "version") !== null) heard = stringAt(record, "timestamp") ?? "";
      return false;
    }
    for (const entry of entries) {
      if (entry.kind === "tool-result") answered.add(entry.toolUseId);
      // The client's remarks stand among results; whoever speaks, or stops the agent, waits no more.
      else if (entry.kind !== "tool-use" && (entry.kind !== "unknown" || entry.subtype === INTERRUPTION)) return false;
    }
    return true;
  });
  // A row of more bytes than are read may be the result.
  return walked.ok && walked.value.oversize === 0 ? heard : null;
}

/** The calls of sub-agents that a record makes, or says something of: what one does, 2.1.50 writes into its main line's transcript. */
function subAgentCalls(record: JsonObject, entries: readonly Entry[]): readonly string[] {
  if (record.type === "progress" && isObject(record.data) && /^(?:agent|skill)_/.test(String(record.data.type)))
    return [stringAt(record, "parentToolUseID") ?? ""];
  return entries.flatMap((entry) => (entry.kind === "tool-use" && SUB_AGENT_TOOLS.has(entry.name) ? [entry.id] : []));
}

/** A client that names the sub-agent in the payload, which 2.1.300 does not: where it names none, there is none. */
function saysWhose(record: JsonObject): boolean {
  const [major = 0, minor = 0, patch = 0] = (stringAt(record, "version") ?? "").split(".").map(Number.parseFloat);
  return major > 2 || (major === 2 && (minor > 1 || (minor === 1 && patch >= 332)));
}
