import { estimateTokens } from "../../base/token-estimate.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import { goOnOptimising, optimising } from "../../platform/optimiser.ts";
import { sweepOlder } from "../../platform/sweep.ts";
import { marksOf } from "../../session-start/assemble.ts";
import { loopDocument } from "../../session-start/loop-document.ts";
import { only, startSets } from "../../session-start/parts.ts";
import { loadConfig } from "../../stores/config-store.ts";
import { type EarlierScan, rememberStart, type StartKey } from "../../stores/start-memo.ts";
import { isLastDocument, OWN, writeStartRecord } from "../../stores/start-store.ts";
import { loopText } from "../../transcript/loop-text.ts";
import type { CommandContext } from "../command-context.ts";
import type { StartInput } from "./decide.ts";
import { type Gathered, gatherStart } from "./gather.ts";

export interface SessionStartInput extends StartInput {
  readonly role: RoleName | null;
  /** A sentence where the role is another session's. */
  readonly mismatch: string | null;
  /** Which of how many hook commands this is; null for the only one. */
  readonly part: { readonly number: number; readonly of: number } | null;
  /** For a person: the whole document, or that part of it. */
  readonly whole: boolean;
  /** Whether this process does what happens once for a start. */
  readonly first: boolean;
  /** Whether the same was asked a moment ago, by the same session at the same place. */
  readonly again: boolean;
  /** Under which the documents are kept for the next start; null where they cannot be used again. */
  readonly key: StartKey | null;
  /** What an earlier start found; null where all has to be looked at. */
  readonly earlier: EarlierScan | null;
}

export interface SessionStartResult {
  /** The document, or its part; empty where there is none to give. */
  readonly document: string;
  readonly warnings: readonly string[];
}

/** SessionStart: the document that a fresh, or a just compacted, agent reads first, made from what stands on the disk. */
export async function sessionStart(context: CommandContext, input: SessionStartInput): Promise<SessionStartResult> {
  try {
    return await makeStart(context, input);
  } finally {
    goOnOptimising();
  }
}

async function makeStart(context: CommandContext, input: SessionStartInput): Promise<SessionStartResult> {
  const began = context.now().getTime();
  const { first, part } = input;
  const config = await loadConfig(context.paths);
  const warnings = [...config.notes];
  if (input.live && first && input.role !== null && input.source === "compact") {
    const { markCompacted } = await import("../lifecycle/compacted.ts");
    warnings.push(...(await markCompacted(context, input.role, input.sessionId)));
  }
  const delivery = { ...config.value.delivery, ...(part === null ? {} : { parts: part.of }) };
  const gathered = await gatherStart(context, { ...config.value, delivery }, input, input.earlier);
  const { facts } = gathered;
  // The short document of a loop points to the whole one.
  const { whole, delivered } = startSets(facts, estimateTokens, part === null ? "single" : "parts");
  // Asked before this start is kept in its place.
  const unchanged = input.again && input.source === "resume" && isLastDocument(context.paths, only(whole));
  const told = facts.loop === null ? delivered.documents : [loopDocument(facts, facts.loop)];
  if (input.live && first) {
    const record = decisionRecord(input, gathered);
    const kept = writeStartRecord(context.paths, input.sessionId, [only(whole), ...told], record);
    // Nor is anything removed from where a link leads.
    if (kept.ok) sweepOlder(context.paths.cache, context.now(), UNREAD_MS, OWN);
    else warnings.push(`${kept.error.path} ${kept.error.message}.`);
    // What could not be read may be readable at the next start without having changed.
    if (input.key !== null && gathered.looks !== null && gathered.notes.length + warnings.length === 0) {
      const memo = { session: input.sessionId, whole: only(whole), record, documents: told, faults: gathered.faults };
      rememberStart(context.paths, input.key, began, gathered.looks, memo, gathered.scan);
      sweepOlder(context.paths.cache, context.now(), UNUSED_MS, /\.memo$/);
    }
  }
  // Said once, not by each of the parallel commands.
  if (first) {
    warnings.push(...gathered.notes, ...gathered.faults);
    if (facts.loop !== null) warnings.push(`${loopText(facts.loop)}: only a short document is given.`);
  }
  if (input.whole && part === null) {
    const document = facts.loop === null ? only(whole) : loopDocument(facts, facts.loop);
    return { document, warnings: first ? warnings : [] };
  }
  if (input.live && first && input.source === "compact" && input.sessionId !== null) {
    const { beginRecovery } = await optimising(() => import("../recovery-begin.ts"));
    const { sessionId, transcriptPath, role } = input;
    const marks = facts.loop === null ? marksOf(delivered.placements) : null;
    warnings.push(...beginRecovery(context, config.value, { sessionId, transcriptPath, role, facts, marks }));
  }
  if (unchanged || gathered.holds(told)) return { document: "", warnings: first ? warnings : [] };
  return { document: told[(part?.number ?? 1) - 1] ?? "", warnings: first ? warnings : [] };
}

/** A role's memo is tens of kilobytes, and a role may be a task's, over in an hour. */
const UNUSED_MS = 30 * 24 * 60 * 60 * 1000;
/** A session that waits for its first prompt over a weekend still finds what it was pointed to. */
const UNREAD_MS = 3 * 24 * 60 * 60 * 1000;

/** The last ones decide. */
const SHOWN_EVIDENCE = 20;

/** The decision with its evidence, for whoever asks afterwards why a start went as it did. */
function decisionRecord(input: SessionStartInput, { start, clean }: Gathered): Record<string, unknown> {
  const { decision, project, confidence, state } = start;
  const { detection, transcript } = start.fork ?? start;
  return {
    schema_version: 1,
    session_id: input.sessionId,
    source: input.source,
    mode: decision.mode,
    action: decision.action,
    skill: decision.skill,
    case: decision.caseNumber,
    // A skill is called what the transcript calls it.
    why: clean(decision.why),
    project,
    confidence,
    fork_of: start.fork?.session ?? null,
    switched_by: detection?.switchedBy == null ? null : clean(detection.switchedBy.name),
    runner_up: detection?.runnerUp?.project ?? null,
    scores: detection?.scores ?? [],
    state: state === null ? null : state.kind,
    // Lines are counted from the file's start where the window holds it; further on counting would take a second pass.
    evidence: (detection?.evidence ?? [])
      .filter(({ counted }) => counted)
      .slice(-SHOWN_EVIDENCE)
      .map(({ row, kind, project: named, text, why }) => ({
        line: transcript?.whole ? transcript.lineOfRow(row) : null,
        kind,
        project: clean(named),
        text: clean(text),
        why,
      })),
  };
}
