import { resolve } from "node:path";
import { printableLine } from "../base/printable.ts";
import { table } from "../base/table.ts";
import { estimateTokens } from "../base/token-estimate.ts";
import { parseRole } from "../lifecycle/role.ts";
import { explain as explainDocument, explanationLines, explanationRows } from "../session-start/explain.ts";
import { loadConfig } from "../stores/config-store.ts";
import { findTranscript } from "../stores/transcript-store.ts";
import { type CommandContext, sessionOf } from "./command-context.ts";
import { done, type Report } from "./report.ts";
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
  const { facts, start, notes } = await gatherStart(context, config.value, role?.ok ? role.value : null, {
    source: input.source ?? "startup",
    sessionId: session,
    transcriptPath,
    cwd: null,
    live: false,
  });
  const explanation = explainDocument(facts, estimateTokens);
  const { head, foot } = explanationLines(explanation);
  const evidence = (start.detection?.evidence ?? []).map(({ row, ...item }) => ({
    line: start.transcript?.lineOfRow(row) ?? null,
    ...item,
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
    evidence,
    ...explanation,
  };
  return done(text, data, [...config.notes, ...notes]);
}

const SHOWN_EVIDENCE = 10;
