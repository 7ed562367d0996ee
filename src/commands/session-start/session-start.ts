import { estimateTokens } from "../../base/token-estimate.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import { partDocuments, singleDocument, wholeDocument } from "../../session-start/parts.ts";
import { loadConfig } from "../../stores/config-store.ts";
import { writeStartRecord } from "../../stores/start-store.ts";
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
    const kept = writeStartRecord(context.paths, wholeDocument(facts, estimateTokens), decisionRecord(input, gathered));
    if (!kept.ok) warnings.push(`${kept.error.path} ${kept.error.message}.`);
  }
  // Said once, not by each of the parallel commands.
  if (first) warnings.push(...gathered.notes);
  const document = input.whole
    ? wholeDocument(facts, estimateTokens)
    : input.part === null
      ? singleDocument(facts, estimateTokens)
      : (partDocuments(facts, estimateTokens)[input.part.number - 1] ?? "");
  return { document, warnings: first ? warnings : [] };
}

/** The decision with its evidence, for whoever asks afterwards why a start went as it did. */
function decisionRecord(input: SessionStartInput, { start }: Gathered): Record<string, unknown> {
  const { decision, detection, project, confidence, state } = start;
  return {
    schema_version: 1,
    session_id: input.sessionId,
    source: input.source,
    mode: decision.mode,
    action: decision.action,
    skill: decision.skill,
    case: decision.caseNumber,
    why: decision.why,
    project,
    confidence,
    switched_by: detection?.switchedBy?.name ?? null,
    runner_up: detection?.runnerUp?.project ?? null,
    scores: detection?.scores ?? [],
    state: state === null ? null : state.kind,
  };
}
