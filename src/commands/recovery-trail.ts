import { ok, type Result } from "../base/result.ts";
import type { Config } from "../config/config.ts";
import { findTranscript, readTranscript, type Transcript } from "../stores/transcript-store.ts";
import { renderTrail } from "../trail/render.ts";
import type { CommandContext } from "./command-context.ts";
import { openRows } from "./open-transcript.ts";
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
  // The compaction that made this recovery necessary is the last thing in it: what was done lies before.
  const told = (transcript: Transcript): RecoveryTrail => {
    const trail = trailOf(context, transcript, "start", patterns);
    return { transcript: transcript.path, text: renderTrail(trail, { format: "md", budget: BUDGET }).text, notes };
  };
  if (named !== undefined) {
    const opened = openRows(context, named);
    return opened.ok ? ok(told(opened.value)) : opened;
  }
  const path = session === null ? null : findTranscript(context.env, session);
  const read = path === null ? null : readTranscript(path, "window");
  return ok(read?.ok ? told(read.value) : null);
}
