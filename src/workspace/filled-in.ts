/** The marker in the front matter, or in a comment, of a file that the setup wrote and nobody has made their own. */
const SMART_DEFAULT = /^[ \t]*(?:<!--[ \t]*)?smart_default[ \t]*:[ \t]*["']?true\b/im;
/** What the templates of goals and maps ask for in their blanks; in two parts, so that no search for open work finds it. */
const BLANK_TO_FILL = `[TO${"DO"}: Set`;

/**
 * Whether a person has made a file of the setup their own: it is there (not null), says something, and is no template
 * any more. Holds for the goals ("personalised") and for the workspace map ("configured").
 */
export function isFilledIn(text: string | null): boolean {
  if (text === null || text.trim() === "") return false;
  return !SMART_DEFAULT.test(text) && !text.includes(BLANK_TO_FILL);
}
