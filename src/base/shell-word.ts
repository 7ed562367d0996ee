/** A text as one word of a POSIX shell; in quotes only where it needs them. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_./-]+$/.test(text) ? text : shellQuote(text);
}

/** The same, always in quotes. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
