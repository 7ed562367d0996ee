import { estimateTokens } from "../../base/token-estimate.ts";
import type { Config } from "../../config/config.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import { marksOf } from "../../session-start/assemble.ts";
import type { SessionStartFacts } from "../../session-start/facts.ts";
import { loopDocument } from "../../session-start/loop-document.ts";
import type { Marks } from "../../session-start/marks.ts";
import { partSet, singleSet, wholeDocument } from "../../session-start/parts.ts";
import { loadConfig } from "../../stores/config-store.ts";
import { writeStartRecord } from "../../stores/start-store.ts";
import { redact } from "../../transcript/redact.ts";
import { compileRedactPatterns } from "../../transcript/redact-pattern.ts";
import type { CommandContext } from "../command-context.ts";
import type { StartInput } from "./decide.ts";
import { type Gathered, gatherStart } from "./gather.ts";

export interface SessionStartInput extends StartInput {
  readonly role: RoleName | null;
  /** Which of how many hook commands this is; null for the only one. */
  readonly part: { readonly number: number; readonly of: number } | null;
  /** The whole document, for a person. */
  readonly whole: boolean;
}

export interface SessionStartResult {
  /** The document, or its part; empty where there is none to give. */
  readonly document: string;
  readonly warnings: readonly string[];
}

/** SessionStart: the document that a fresh, or a just compacted, agent reads first. */
export async function sessionStart(context: CommandContext, input: SessionStartInput): Promise<SessionStartResult> {
  const config = await loadConfig(context.paths);
  const warnings = [...config.notes];
  // Each hook command is a process of its own: what happens once for a start is the first one's to do.
  const first = input.part === null || input.part.number === 1;
  if (input.live && first && input.role !== null && input.source === "compact") {
    const { markCompacted } = await import("../lifecycle/compacted.ts");
    warnings.push(...markCompacted(context, input.role, input.sessionId));
  }
  const delivery = { ...config.value.delivery, ...(input.part === null ? {} : { parts: input.part.of }) };
  const gathered = await gatherStart(context, { ...config.value, delivery }, input.role, input);
  const { facts } = gathered;
  if (input.live && first) {
    // The short document of a loop points to the whole one.
    const whole = wholeDocument({ ...facts, loop: null }, estimateTokens);
    const kept = writeStartRecord(context.paths, whole, decisionRecord(config.value, input, gathered));
    if (!kept.ok) warnings.push(`${kept.error.path} ${kept.error.message}.`);
  }
  // Said once, not by each of the parallel commands.
  if (first) warnings.push(...gathered.notes, ...(facts.loop === null ? [] : [loopWarning(facts.loop)]));
  if (input.whole) return { document: wholeDocument(facts, estimateTokens), warnings: first ? warnings : [] };
  const { document, marks } = delivered(facts, input.part?.number ?? null);
  if (input.live && first && input.source === "compact" && input.sessionId !== null) {
    const { beginRecovery } = await import("../recovery-begin.ts");
    const { sessionId, transcriptPath, role } = input;
    warnings.push(...beginRecovery(context, config.value, { sessionId, transcriptPath, role, facts, marks }));
  }
  return { document, warnings: first ? warnings : [] };
}

/** What this process prints, and what all of the parts hold of each file; null where they hold none. */
function delivered(
  facts: SessionStartFacts,
  part: number | null,
): { readonly document: string; readonly marks: Marks | null } {
  if (facts.loop !== null)
    return { document: part === null || part === 1 ? loopDocument(facts, facts.loop) : "", marks: null };
  const set = part === null ? singleSet(facts, estimateTokens) : partSet(facts, estimateTokens);
  return { document: set.documents[(part ?? 1) - 1] ?? "", marks: marksOf(set.placements) };
}

function loopWarning({ compactions, minutes }: NonNullable<Gathered["facts"]["loop"]>): string {
  return `${compactions} compactions within ${minutes} minutes, with no prompt by a person between them: only a short document is given.`;
}

/** The decision with its evidence, for whoever asks afterwards why a start went as it did. */
function decisionRecord(config: Config, input: SessionStartInput, { start }: Gathered): Record<string, unknown> {
  const { decision, detection, project, confidence, state } = start;
  // A skill is called what the transcript calls it. Without one there is nothing to hide, and compiling the patterns of
  // secrets would take half as long as an empty Node's start.
  const clean = (text: string): string =>
    detection === null ? text : redact(text, compileRedactPatterns(config.redact).patterns);
  return {
    schema_version: 1,
    session_id: input.sessionId,
    source: input.source,
    mode: decision.mode,
    action: decision.action,
    skill: decision.skill,
    case: decision.caseNumber,
    why: clean(decision.why),
    project,
    confidence,
    switched_by: detection?.switchedBy == null ? null : clean(detection.switchedBy.name),
    runner_up: detection?.runnerUp?.project ?? null,
    scores: detection?.scores ?? [],
    state: state === null ? null : state.kind,
  };
}
