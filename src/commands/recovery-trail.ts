import { ok, type Result } from "../base/result.ts";
import type { Config } from "../config/config.ts";
import { findTranscript, readTranscript } from "../stores/transcript-store.ts";
import { renderTrail } from "../trail/render.ts";
import type { CommandContext } from "./command-context.ts";
import { openTranscript } from "./detect.ts";
import { ownPatterns } from "./redact-patterns.ts";
import type { Report } from "./report.ts";
import { trailOf } from "./trail.ts";

/** Tokens: a recovery's text is read at once, beside a context file that says more. */
const BUDGET = 1500;

export interface RecoveryTrail {
  readonly transcript: string;
  /** Markdown. */
  readonly text: string;
  /** What is wrong with the patterns of `context.yaml`, a sentence each. */
  readonly notes: readonly string[];
}

/** The trail of the transcript that is named, else of the session's; null where the client has none of it any more. */
export function recoveryTrail(
  context: CommandContext,
  config: Config,
  session: string | null,
  named: string | undefined,
): Result<RecoveryTrail | null, Report> {
  const { patterns, notes } = ownPatterns(config);
  if (named !== undefined) {
    const opened = openTranscript(context, named);
    if (!opened.ok) return opened;
    // The compaction that made this recovery necessary is the last thing in it: what was done lies before.
    const { text } = renderTrail(trailOf(context, opened.value, "start", patterns), { format: "md", budget: BUDGET });
    return ok({ transcript: opened.value.path, text, notes });
  }
  const path = session === null ? null : findTranscript(context.env, session);
  const read = path === null ? null : readTranscript(path, "window");
  if (path === null || read === null || !read.ok) return ok(null);
  const { text } = renderTrail(trailOf(context, read.value, "start", patterns), { format: "md", budget: BUDGET });
  return ok({ transcript: path, text, notes });
}
