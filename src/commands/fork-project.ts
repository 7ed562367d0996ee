import { forkOrigin, lookBack } from "../stores/fork-origin.ts";
import { readTranscript, type Transcript } from "../stores/transcript-store.ts";
import type { Activity } from "../transcript/activity.ts";
import type { Detection } from "../transcript/detect-project.ts";
import { isAnyAtWork } from "../transcript/project-score.ts";

/** What was in hand when a session was compacted that another one is a fork of. */
export interface ForkProject {
  readonly session: string;
  /** Its transcript as it was then, which the detection goes by: be it that it worked on so many that none was in hand. */
  readonly transcript: Transcript;
  readonly detection: Detection;
}

/**
 * What was in hand where a fork comes from, of whose work no record was copied; null where the transcript is no such fork's, or
 * says itself what is in hand.
 */
export function forkProject(
  { path, activities, whole }: Transcript,
  detection: Detection,
  look: (activities: readonly Activity[]) => Detection,
  session?: string,
): ForkProject | null {
  if (!whole || isAnyAtWork(detection.scores) || activities[0]?.kind !== "compact-boundary") return null;
  return lookBack(forkOrigin(path, session), (origin, upTo) => {
    const read = readTranscript(origin.path, "window", upTo);
    if (!read.ok) return null;
    const then = look(read.value.activities);
    if (!isAnyAtWork(then.scores)) return read.value.whole ? "earlier" : null;
    return { session: origin.session, transcript: read.value, detection: then };
  });
}

/** By what such a project is in hand, as the end of a sentence. */
export function forkText({ session }: ForkProject): string {
  return `by the transcript of session ${session}, of which this one is a fork`;
}
