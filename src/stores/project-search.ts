import { ok, type Result } from "../base/result.ts";
import { type TailError, walkRows } from "../platform/tail.ts";
import type { DetectPlaces } from "../transcript/clue-weight.ts";
import { openProjectSearch, type ProjectInHand } from "../transcript/project-search.ts";
import { isWorthParsing, TRANSCRIPT_WINDOW } from "../transcript/row.ts";

export interface SearchedTranscript {
  readonly found: ProjectInHand | null;
  /** Whether nothing of the file lies before what was looked at. */
  readonly whole: boolean;
}

/** Where the end is clear, a quarter of the usual block holds it: what is not touched need not be mapped. */
const BLOCK_BYTES = 64 * 1024;

/** The project in hand at the end of a session's file: what `readTranscript`'s window and `detectProject` say, in a fraction of the time. */
export function searchProject(path: string, places: DetectPlaces): Result<SearchedTranscript, TailError> {
  const search = openProjectSearch(places);
  const limits = { ...TRANSCRIPT_WINDOW, blockBytes: BLOCK_BYTES, keep: isWorthParsing };
  const walked = walkRows(path, limits, ({ text }) => search.look(text));
  return walked.ok ? ok({ found: search.answer(), whole: walked.value.start === 0 }) : walked;
}
