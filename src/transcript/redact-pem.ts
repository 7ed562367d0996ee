const BEGIN = "-----BEGIN ";
const END = "-----END ";
const RULE = "-----";
// What may stand in a block that is cut off: base64, header lines, newlines plain or escaped.
const BLOCK_TEXT = /[A-Za-z0-9+/=:,.\s\\"'-]*/y;

/** PEM blocks, over lines or with escaped newlines; of one without an end, all that may belong to it. */
export function redactPem(text: string): string {
  let begin = text.indexOf(BEGIN);
  if (begin === -1) return text;
  let clean = "";
  let from = 0;
  let end = 0;
  while (begin !== -1) {
    // Once there is no end any more, looking for it again would read the rest of the text for each beginning.
    if (end !== -1 && end <= begin) end = text.indexOf(END, begin);
    clean += `${text.slice(from, begin)}[REDACTED:pem]`;
    from = end === -1 ? endOfCutBlock(text, begin) : endOfRule(text, end + END.length);
    begin = text.indexOf(BEGIN, from);
  }
  return clean + text.slice(from);
}

function endOfRule(text: string, from: number): number {
  const rule = text.indexOf(RULE, from);
  return rule === -1 ? text.length : rule + RULE.length;
}

function endOfCutBlock(text: string, begin: number): number {
  BLOCK_TEXT.lastIndex = begin;
  BLOCK_TEXT.test(text);
  return BLOCK_TEXT.lastIndex;
}
