/**
 * What stands for a session's id while documents are made: as long as the id, and the same for all ids of that length, so
 * that what fits does not depend on it. Of the letters and digits, no two cost more tokens side by side.
 */
export function standIn(id: string): string {
  // Written as it is, shortened or escaped: only such an id can be put in place afterwards.
  if (!PLAIN.test(id)) return id;
  return "0A".repeat(Math.ceil(id.length / 2)).slice(0, id.length);
}

const PLAIN = /^[A-Za-z0-9._-]{1,100}$/;

/**
 * The document, or the path where it is kept whole, with session `to` in place of `from`: where its own element names it, which
 * no text can forge, and wherever the file is named that is named after it. A text may name that before we do.
 */
export function withSession(document: string, from: string | null, to: string | null): string {
  if (from === null || to === null || from === to) return document;
  return document
    .replace(`<session id="${from}`, `<session id="${to}`)
    .replaceAll(`/session-start.xml.${from}`, `/session-start.xml.${to}`);
}
