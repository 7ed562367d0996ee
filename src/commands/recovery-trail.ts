import { ok, type Result } from "../base/result.ts";
import { findTranscript, readTranscript } from "../stores/transcript-store.ts";
import { renderTrail } from "../trail/render.ts";
import type { CommandContext } from "./command-context.ts";
import { openTranscript } from "./detect.ts";
import type { Report } from "./report.ts";
import { trailOf } from "./trail.ts";

/** Tokens: a recovery's text is read at once, beside a context file that says more. */
const BUDGET = 1500;

/** The trail of the transcript that is named, else of the session's; null where the client has none of it any more. */
export function recoveryTrail(
  context: CommandContext,
  session: string | null,
  named: string | undefined,
): Result<{ readonly transcript: string; readonly text: string } | null, Report> {
  if (named !== undefined) {
    const opened = openTranscript(context, named);
    if (!opened.ok) return opened;
    // The compaction that made this recovery necessary is the last thing in it: what was done lies before.
    const { text } = renderTrail(trailOf(context, opened.value, "start"), { format: "md", budget: BUDGET });
    return ok({ transcript: opened.value.path, text });
  }
  const path = session === null ? null : findTranscript(context.env, session);
  const read = path === null ? null : readTranscript(path, "window");
  if (path === null || read === null || !read.ok) return ok(null);
  const { text } = renderTrail(trailOf(context, read.value, "start"), { format: "md", budget: BUDGET });
  return ok({ transcript: path, text });
}
