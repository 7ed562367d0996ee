import { basename, dirname, join } from "node:path";
import { isObject, type JsonObject, parseJson, stringAt } from "../base/json-value.ts";
import { readEnd } from "../platform/read-head.ts";
import { sleepSync } from "../platform/sleep.ts";
import { statOf } from "../platform/stat-of.ts";
import { rowText, walkRows } from "../platform/tail.ts";
import { lastDelivery } from "../stores/delivery-store.ts";
import type { ProjectPaths } from "../stores/paths.ts";
import { type Entry, entriesOf, INTERRUPTION, messageId, SUB_AGENT_TOOLS } from "../transcript/entry.ts";
import { isWorthParsing } from "../transcript/row.ts";
import { END_BYTES, mayWaitForSubAgent } from "./sub-agent-call.ts";

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
 * line's session: the main line compacts before it asks the model again, when all results are there. So is one while a
 * sub-agent in the background is the fuller of the two.
 */
export function compactsSubAgent(transcript: string, pausesMs: readonly number[] = UNTIL_WRITTEN_MS): boolean {
  if (!mayWaitForSubAgent(transcript)) return false;
  return pausesMs.every((pause) => {
    sleepSync(pause);
    return heardOfSubAgent(transcript) !== null || heardOfFuller(transcript, JUST_MS) !== null;
  });
}

/**
 * Whether the start after a compaction is a sub-agent's: one is waited for, or fuller, and since anything was heard of it
 * PreCompact has answered for no compaction of the main line. A person may ask for that one where a call never had its result.
 */
export function startsSubAgent(paths: ProjectPaths, sessionId: string | null, transcript: string): boolean {
  if (!mayWaitForSubAgent(transcript)) return false;
  const heard = heardOfSubAgent(transcript) ?? heardOfFuller(transcript, Number.POSITIVE_INFINITY);
  if (heard === null) return false;
  const answered = sessionId === null ? null : lastDelivery(paths, `${sessionId}.pre-compact.`);
  return answered === null || !(Date.parse(answered.at) >= Date.parse(heard));
}

/** What compacts has just been answered. */
const JUST_MS = 60_000;

const LAUNCHED = /"status":"async_launched","agentId":"([\w-]+)"/g;
const TIME = /"timestamp":"([^"\\]+)"/;
const COMPACTED = '"subtype":"compact_boundary"';

/**
 * When the main line was compacted last, or its transcript's end begins, where a sub-agent in the background that wrote something so
 * lately has a fuller context than the main line; null where none has.
 */
function heardOfFuller(transcript: string, withinMs: number): string | null {
  const end = readEnd(transcript, END_BYTES) ?? "";
  // Who takes a session up again has none of its sub-agents.
  const rows = end.slice(Math.max(0, end.lastIndexOf(START))).split("\n");
  const own = lastFilling(rows, false);
  if (own === null || stringAt(own.record, "version") === null || saysWhose(own.record)) return null;
  const folders = [join(dirname(transcript), basename(transcript, ".jsonl"), "subagents"), dirname(transcript)];
  const isFuller = rows.some((row) =>
    [...row.matchAll(LAUNCHED)].some(([, id]) =>
      folders.some((folder) => {
        const file = join(folder, `agent-${id}.jsonl`);
        if (Date.now() - (statOf(file)?.mtimeMs ?? 0) > withinMs) return false;
        const its = lastFilling((readEnd(file, END_BYTES) ?? "").split("\n"), true);
        return its !== null && its.tokens > own.tokens;
      }),
    ),
  );
  if (!isFuller) return null;
  const since = rows.findLast((row) => row.includes(COMPACTED)) ?? rows.find((row) => TIME.test(row));
  return TIME.exec(since ?? "")?.[1] ?? null;
}

/**
 * What tells last how full a context is: an answer of the model, but none that the client gives in its place, or a compaction,
 * which empties it.
 */
function lastFilling(
  rows: readonly string[],
  sidechain: boolean,
): { readonly record: JsonObject; readonly tokens: number } | null {
  for (const row of rows.toReversed()) {
    const record = row.includes('"type":"assistant"') || row.includes(COMPACTED) ? parseJson(row) : null;
    if (!isObject(record) || (record.isSidechain === true) !== sidechain) continue;
    if (record.subtype === "compact_boundary") return { record, tokens: 0 };
    if (record.type !== "assistant") continue;
    const usage = isObject(record.message) && isObject(record.message.usage) ? record.message.usage : {};
    const tokens = USED.reduce((sum, key) => sum + (Number(usage[key]) || 0), 0);
    if (tokens > 0) return { record, tokens };
  }
  return null;
}

const USED = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"];

/** When a sub-agent was last heard of whose call has no result at a transcript's end; null where none is waited for. */
function heardOfSubAgent(transcript: string): string | null {
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
