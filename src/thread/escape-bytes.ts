import { escapeXml } from "./escape-xml.ts";

/** What each byte of ASCII becomes, in three numbers: its first four bytes, the next four, how many of them count. */
export type EscapeTable = Int32Array;

/** For an element's body. */
export const XML_BYTES: EscapeTable = tableOf(escapeXml);

/** For the inside of a JSON string that stands in an element's body. */
export const JSON_BYTES: EscapeTable = tableOf((character) => escapeXml(JSON.stringify(character).slice(1, -1)));

/** Bytes written for one that needs care, however few of them count: the longest is a quote in JSON, `\&quot;`. */
export const LONGEST_ESCAPE = 8;

/**
 * Escapes the first `length` bytes of `plain`, all ASCII, into `target` from `start` on, and returns where they end.
 * Four at a time where none needs care. The byte after them is 0, which needs care and so ends the loop; three more
 * are read.
 */
export function escapeBytes(
  plain: DataView,
  length: number,
  table: EscapeTable,
  target: DataView,
  start: number,
): number {
  let end = start;
  for (let at = 0; ; at += 4) {
    const word = plain.getInt32(at, true);
    target.setInt32(end, word, true);
    // Each sum has the high bit of every byte that is none of these: "#&'  <>\^|~ and what is below a blank.
    const quotes = ((word | 0x05050505) ^ 0x27272727) + 0x7f7f7f7f;
    const brackets = ((word | 0x62626262) ^ 0x7e7e7e7e) + 0x7f7f7f7f;
    const controls = word + 0x60606060;
    const care = ~(quotes & brackets & controls) & 0x80808080;
    if (care === 0) {
      end += 4;
      continue;
    }
    const clean = (31 - Math.clz32(care & -care)) >> 3;
    at += clean;
    end += clean;
    if (at >= length) return end;
    const entry = 3 * ((word >>> (8 * clean)) & 127);
    target.setInt32(end, table[entry] ?? 0, true);
    target.setInt32(end + 4, table[entry + 1] ?? 0, true);
    end += table[entry + 2] ?? 0;
    at -= 3;
  }
}

function tableOf(escaped: (character: string) => string): EscapeTable {
  const table = new Int32Array(128 * 3);
  for (let byte = 0; byte < 128; byte++) {
    const bytes = utf8(escaped(String.fromCharCode(byte)));
    for (const [index, value] of bytes.entries()) {
      const entry = byte * 3 + (index >> 2);
      table[entry] = (table[entry] ?? 0) | (value << (8 * (index & 3)));
    }
    table[byte * 3 + 2] = bytes.length;
  }
  return table;
}

/** Escapes are ASCII but for U+FFFD. */
function utf8(text: string): number[] {
  return text === "\uFFFD" ? [0xef, 0xbf, 0xbd] : Array.from(text, (character) => character.charCodeAt(0));
}
