/** Letters, digits, `.`, `_` and `-`, a letter or digit first: safe as a file name, and never a path out of the folder. */
const THREAD_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
/** Names that Windows gives to devices, whatever stands behind the first dot. */
const RESERVED = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i;

export const THREAD_ID_RULE = "letters, digits, dots, underscores and hyphens, a letter or digit first, at most 100";

export function isThreadId(id: string): boolean {
  return THREAD_ID.test(id) && !RESERVED.test(id);
}
