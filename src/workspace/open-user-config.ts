import { type Diagnostic, diagnosticAt } from "../base/diagnostic.ts";
import { splitFrontMatter, yamlHazard } from "../base/frontmatter.ts";
import { type Span, sourceText } from "../base/source-text.ts";
import { type LearningTracker, type OnboardingItem, pendingOnboarding } from "./onboarding.ts";

/** What `01-memory/user-config.yaml` says about the onboarding. */
export interface UserConfig {
  /** In the order in which it is offered; empty when all is done. */
  readonly pending: readonly OnboardingItem[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The YAML of the file, between its two lines of dashes where it has them, and where that starts in the text. */
export interface ConfigBlock {
  readonly raw: string;
  readonly start: number;
}

/** The part to read, or the outcome where it is not fit to be read. Both readers start here, so that they agree on it. */
export function openUserConfig(text: string): ConfigBlock | UserConfig {
  const block = blockOf(text);
  const hazard = yamlHazard(block.raw);
  if (hazard === null) return block;
  const span = { start: block.start, end: block.start };
  return unreadable(text, block.raw, span, `Expected a configuration of a few short lines, but ${hazard}`);
}

function blockOf(text: string): ConfigBlock {
  const front = splitFrontMatter(text);
  if (front.kind === "found") return { raw: front.raw, start: front.span.start };
  if (front.kind === "absent") return { raw: front.body, start: front.bodyStart };
  return { raw: text.slice(front.opening.end), start: front.opening.end };
}

/** The outcome where the file cannot be read: the fault, and what its lines say at a glance. */
export function unreadable(text: string, raw: string, span: Span, message: string): UserConfig {
  const hint = "Mend the line, or start again from the template.";
  const finding = { code: "user-config", severity: "error", span, message, hint } as const;
  return {
    pending: pendingOnboarding({ completed: glance(raw), dismissed: [] }),
    diagnostics: [diagnosticAt(sourceText(text), finding)],
  };
}

/** What a configuration that can be read says. */
export function readable(tracker: LearningTracker): UserConfig {
  return { pending: pendingOnboarding(tracker), diagnostics: [] };
}

/** Lines looked at in a file that is no configuration. */
const MOST_LINES = 1000;
const DONE_LINE = /^[ \t]+((?:setup|learn)_[a-z]{1,20}):[ \t]*true\b/i;

/** A broken line elsewhere in the file must not offer again what was done: the items' names stand nowhere else. */
function glance(raw: string): ReadonlyMap<string, string> {
  const completed = new Map<string, string>();
  for (const line of raw.split(/\r\n|\r|\n/, MOST_LINES)) {
    const key = DONE_LINE.exec(line)?.[1];
    if (key !== undefined) completed.set(key, "true");
  }
  return completed;
}
