import { ok, type Result } from "../base/result.ts";
import { type TailError, walkRows } from "../platform/tail.ts";
import type { DetectPlaces } from "../transcript/clue-weight.ts";
import { openProjectSearch, type ProjectInHand } from "../transcript/project-search.ts";
import { TRANSCRIPT_WINDOW } from "../transcript/row.ts";

export interface SearchedTranscript {
  readonly found: ProjectInHand | null;
  /** Whether nothing of the file lies before what was looked at. */
  readonly whole: boolean;
  /** A file without a row, which says nothing of a project, not that there is none. */
  readonly empty: boolean;
}

/** Where the end is clear, a quarter of the usual block holds it: what is not touched need not be mapped. */
const BLOCK_BYTES = 64 * 1024;

/**
 * The project in hand at the end of a session's file: what `readTranscript`'s window and `detectProject` say, in a fraction of
 * the time. With `until`, a time in ISO 8601, what was in hand then.
 */
export function searchProject(
  path: string,
  places: DetectPlaces,
  until: string | null = null,
): Result<SearchedTranscript, TailError> {
  const search = openProjectSearch(places);
  const limits = { ...TRANSCRIPT_WINDOW, blockBytes: BLOCK_BYTES, keep: search.wants };
  let later = until !== null;
  const walked = walkRows(path, limits, ({ text }) => {
    later &&= until !== null && isLater(text, until);
    return later || search.look(text);
  });
  if (!walked.ok) return walked;
  const { start, size } = walked.value;
  return ok({ found: search.answer(), whole: start === 0, empty: size < 2 });
}

/** A row that bears no time stands among those around it. */
function isLater(row: string, until: string): boolean {
  const times = [...row.matchAll(/"timestamp":"([^"\\]+)"/g)].map(([, time = ""]) => time);
  return times.length === 0 || times.some((time) => time > until);
}
