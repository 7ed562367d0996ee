// The schema's mark; one commit or several. The hash lengths are Git's: 4 is its shortest abbreviation, 64 a SHA-256.
const MARK = /\(DONE(?: — commits? [0-9a-f]{4,64}(?:, ?[0-9a-f]{4,64})*)?\)/;
// The blanks are bounded: adjacent unbounded ones would be tried in every split. `onClose(done)` is code.
const NEAR_MARK =
  /(?<!\S)\([ \t]{0,3}done[ \t]{0,3}(?:(?:—|–|--?|,|:)?[ \t]{0,3}commit:?[ \t]{1,3}([0-9a-f]{4,64})[ \t]{0,3})?\)/i;

/** Whether a task's heading carries `(DONE)` or `(DONE — commit <hash>)`. */
export function hasDoneMark(heading: string): boolean {
  return heading.includes("(DONE") && MARK.test(heading);
}

/** A mark in another dress, such as `(done - commit abc1234)`: its place in the heading, and the mark as it should be. */
export function mendDoneMark(
  heading: string,
): { readonly start: number; readonly end: number; readonly mark: string } | null {
  const match = NEAR_MARK.exec(heading);
  if (match === null) return null;
  const hash = match[1]?.toLowerCase();
  const mark = hash === undefined ? "(DONE)" : `(DONE — commit ${hash})`;
  return { start: match.index, end: match.index + match[0].length, mark };
}
