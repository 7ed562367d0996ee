import { ok, type Result } from "../base/result.ts";
import { type TailError, walkRows } from "../platform/tail.ts";
import type { DetectPlaces } from "../transcript/clue-weight.ts";
import { openProjectSearch, type ProjectInHand } from "../transcript/project-search.ts";
import { TRANSCRIPT_WINDOW } from "../transcript/row.ts";

export interface SearchedTranscript {
  readonly found: ProjectInHand | null;
  /** Whether there was work on a project at all, be it on so many that none is in hand. */
  readonly worked: boolean;
  /** Whether nothing of the file lies before what was looked at. */
  readonly whole: boolean;
  /** A file without a row, which says nothing of a project, not that there is none. */
  readonly empty: boolean;
}

/** Where the end is clear, a quarter of the usual block holds it: what is not touched need not be mapped. */
const BLOCK_BYTES = 64 * 1024;

/**
 * The project in hand at the end of a session's file, or at byte `upTo` of it: what `readTranscript`'s window and `detectProject`
 * say, in a fraction of the time.
 */
export function searchProject(
  path: string,
  places: DetectPlaces,
  upTo: number = Number.POSITIVE_INFINITY,
): Result<SearchedTranscript, TailError> {
  const search = openProjectSearch(places);
  const limits = { ...TRANSCRIPT_WINDOW, blockBytes: BLOCK_BYTES, upTo, keep: search.wants };
  const walked = walkRows(path, limits, ({ text }) => search.look(text));
  if (!walked.ok) return walked;
  const { start, size } = walked.value;
  return ok({ found: search.answer(), worked: search.worked(), whole: start === 0, empty: size < 2 });
}
