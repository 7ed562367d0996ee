import { resolve } from "node:path";
import { printableLine } from "../base/printable.ts";
import { table } from "../base/table.ts";
import { estimateTokens } from "../base/token-estimate.ts";
import { parseRole } from "../lifecycle/role.ts";
import { goOnOptimising } from "../platform/optimiser.ts";
import {
  type Explanation,
  explain as explainDocument,
  explanationLines,
  explanationRows,
} from "../session-start/explain.ts";
import { loadConfig } from "../stores/config-store.ts";
import { findTranscript } from "../stores/transcript-store.ts";
import { redact } from "../transcript/redact.ts";
import { type CommandContext, sessionOf } from "./command-context.ts";
import { ownPatterns } from "./redact-patterns.ts";
import { done, type Report } from "./report.ts";
import type { StartDecision } from "./session-start/decide.ts";
import { gatherStart } from "./session-start/gather.ts";

export interface ExplainInput {
  readonly source: string | undefined;
  readonly transcript: string | undefined;
}

/** `explain`: what `session-start` would inject now, and what becomes of each section. */
export async function explain(context: CommandContext, input: ExplainInput): Promise<Report> {
  const config = await loadConfig(context.paths);
  const session = sessionOf(context);
  const found = session === null ? null : findTranscript(context.env, session);
  const transcriptPath = input.transcript === undefined ? found : resolve(context.cwd, input.transcript);
  const role = context.env.HIVEMIND_ROLE ? parseRole(context.env.HIVEMIND_ROLE) : null;
  const { facts, start, notes, faults } = await gatherStart(context, config.value, {
    role: role?.ok ? role.value : null,
    mismatch: null,
    source: input.source ?? "startup",
    sessionId: session,
    transcriptPath,
    cwd: null,
    live: false,
    evidence: true,
    alone: false,
  });
  const { patterns, notes: refused } = ownPatterns(config.value);
  const clean = (text: string): string => redact(text, patterns);
  const explanation = explainDocument(facts, estimateTokens);
  goOnOptimising();
  const { head, foot } = explanationLines({ ...explanation, why: clean(explanation.why) });
  // What a transcript says may hold what is nobody's business, down to the names.
  const { detection, transcript } = start.fork ?? start;
  const evidence = (detection?.evidence ?? []).map(({ row, ...item }) => ({
    line: transcript?.lineOfRow(row) ?? null,
    ...item,
    project: clean(item.project),
    text: clean(item.text),
  }));
  const counted = evidence.filter((item) => item.counted).slice(-SHOWN_EVIDENCE);
  const lines = counted.map((item) => [`line ${item.line}`, item.project, item.kind, printableLine(item.text)]);
  const text = [
    ...head.map((line) => `${printableLine(line)}\n`),
    `Root: ${printableLine(context.paths.root)}\n`,
    lines.length === 0 ? "" : `\nEvidence:\n${table(lines)}`,
    `\n${table(explanationRows(explanation).map((row) => row.map(printableLine)))}`,
    ...foot.map((line) => `\n${printableLine(line)}\n`),
  ].join("");
  const data = {
    root: context.paths.root,
    source: facts.session.source,
    project: start.project,
    confidence: start.confidence,
    fork_of: start.fork?.session ?? null,
    evidence,
    ...explanationData({ ...explanation, why: clean(explanation.why) }),
  };
  const misnamed = role === null || role.ok ? [] : [`HIVEMIND_ROLE: ${role.error.message} ${role.error.hint}`];
  const asked = input.transcript === undefined || transcriptPath === null ? [] : transcriptNotes(transcriptPath, start);
  return done(text, data, [...config.notes, ...refused, ...misnamed, ...asked, ...notes, ...faults]);
}

function explanationData({ caseNumber, delivered, sections, ...rest }: Explanation): Record<string, unknown> {
  const { hookEntries, ...figures } = delivered;
  return {
    ...rest,
    case: caseNumber,
    delivered: { ...figures, hook_entries: hookEntries },
    sections: sections.map(({ inWholeDocument, ...section }) => ({ ...section, in_whole_document: inWholeDocument })),
  };
}

/** A transcript that was asked for and has no part in the answer. */
function transcriptNotes(path: string, { transcript, transcriptProblem, state }: StartDecision): readonly string[] {
  if (state === null) return ["This start looks at no transcript: only those with source compact, resume or fork do."];
  return transcript === null && transcriptProblem === null ? [`${path} does not exist.`] : [];
}

const SHOWN_EVIDENCE = 10;
