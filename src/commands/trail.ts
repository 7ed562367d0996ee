import { estimateTokens } from "../base/token-estimate.ts";
import { homeFolder } from "../platform/home-folder.ts";
import { loadConfig } from "../stores/config-store.ts";
import { withSubAgents } from "../stores/sub-agent-work.ts";
import type { Transcript } from "../stores/transcript-store.ts";
import type { Trail } from "../trail/model.ts";
import { renderTrail, type TrailFormat } from "../trail/render.ts";
import { buildTrail } from "../trail/trail.ts";
import type { CommandContext } from "./command-context.ts";
import { foreignNotes, sessionTranscript, transcriptNotes } from "./open-transcript.ts";
import { ownPatterns } from "./redact-patterns.ts";
import { done, type Report, usage } from "./report.ts";
import { BARE } from "./report-json.ts";

export interface TrailInput {
  readonly transcript: string | undefined;
  readonly format: TrailFormat;
  /** Tokens. */
  readonly budget: string | undefined;
  readonly sinceCompaction: boolean;
}

/** Enough for what an agent needs to go on, and a fraction of what a compaction leaves free. */
const DEFAULT_BUDGET = 1500;
const BUDGET_MIN = 10;
const BUDGET_MAX = 1_000_000;

/** `trail [transcript]`: what was done in a session, from what the client recorded. */
export async function trail(context: CommandContext, input: TrailInput): Promise<Report> {
  const budget = input.budget === undefined ? DEFAULT_BUDGET : Number(input.budget);
  if (!Number.isInteger(budget) || budget < BUDGET_MIN || budget > BUDGET_MAX) {
    return usage(`--budget takes a whole number of tokens from ${BUDGET_MIN} to ${BUDGET_MAX}.`);
  }
  const opened = sessionTranscript(context, input.transcript, "trail <transcript>");
  if (!opened.ok) return opened.error;
  const config = await loadConfig(context.paths);
  const redact = ownPatterns(config.value);
  const found = trailOf(context, opened.value, input.sinceCompaction ? "compaction" : "start", redact.patterns);
  const text = printedTrail(found, input.format, budget);
  const document = input.format === "json" ? text : printedTrail(found, "json", budget);
  const notes = [
    ...config.notes,
    ...redact.notes,
    ...foreignNotes(context, opened.value),
    ...transcriptNotes(opened.value),
  ];
  return { ...done(withNewline(text), {}, notes), document: withNewline(document) };
}

/** How each format refers to a character that it would leave bare. */
const REFERENCES: Readonly<Record<TrailFormat, (code: string) => string>> = {
  md: (code) => `\\u{${code}}`,
  json: (code) => `\\u${code.padStart(4, "0")}`,
  xml: (code) => `&#x${code};`,
};

/** A trail within the budget as it is printed: such characters stand as the format's own references, the value stays the same. */
function printedTrail(trail: Trail, format: TrailFormat, budget: number): string {
  const reference = REFERENCES[format];
  for (let room = budget; ; ) {
    const { text } = renderTrail(trail, { format, budget: room });
    const safe = text.replace(BARE, (character) => reference(character.charCodeAt(0).toString(16)));
    const over = safe === text ? 0 : estimateTokens(safe) - budget;
    if (over <= 0) return safe;
    // References are longer than what they stand for; only a hostile text has so many that it takes a second round.
    room = Math.min(room - over, Math.floor(room * 0.9));
  }
}

function withNewline(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}

/** A transcript's trail for this project. */
export function trailOf(
  context: CommandContext,
  transcript: Transcript,
  since: "compaction" | "start",
  redactPatterns: readonly RegExp[],
): Trail {
  const { root } = context.paths;
  const { whole } = transcript;
  return buildTrail(withSubAgents(transcript), {
    root,
    home: homeFolder(context.env),
    cwd: root,
    since,
    whole,
    redactPatterns,
  });
}
