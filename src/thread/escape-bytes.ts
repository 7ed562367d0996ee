/** Bytes to read from and to write to, each with a view that takes four at once. */
export type EscapeBuffers = {
  readonly plain: Uint8Array;
  readonly words: Int32Array;
  readonly escaped: Uint8Array;
  readonly view: DataView;
  readonly xmlPairs: Uint8Array;
  readonly jsonPairs: Uint8Array;
};

export function createEscapeBuffers(plainBytes: number, escapedBytes: number): EscapeBuffers {
  const plain = new Uint8Array(plainBytes);
  const escaped = new Uint8Array(escapedBytes);
  return {
    plain,
    words: new Int32Array(plain.buffer),
    escaped,
    view: new DataView(escaped.buffer),
    xmlPairs: pairsOf(needsXml),
    jsonPairs: pairsOf(needsQuoting),
  };
}

/**
 * Escapes `length` bytes of ASCII for an element's body, as `escapeXml` does: from `plain` into `escaped` from `start`
 * on, four at a time where none needs care. Returns where it ends.
 */
export function escapeAscii(
  { plain, words, escaped, view, xmlPairs }: EscapeBuffers,
  length: number,
  start: number,
): number {
  const whole = length >> 2;
  let end = start;
  for (let index = 0; index < whole; index++) {
    const word = words[index] ?? 0;
    if (xmlPairs[word & 0xffff] === 0 && xmlPairs[word >>> 16] === 0) {
      view.setInt32(end, word, true);
      end += 4;
      continue;
    }
    end = escapeByte(escaped, view, word & 255, end);
    end = escapeByte(escaped, view, (word >>> 8) & 255, end);
    end = escapeByte(escaped, view, (word >>> 16) & 255, end);
    end = escapeByte(escaped, view, word >>> 24, end);
  }
  for (let index = whole << 2; index < length; index++) end = escapeByte(escaped, view, plain[index] ?? 0, end);
  return end;
}

/** As `escapeAscii`, for the inside of a JSON string that stands in an element's body. */
export function quoteAscii(
  { plain, words, escaped, view, jsonPairs }: EscapeBuffers,
  length: number,
  start: number,
): number {
  const whole = length >> 2;
  let end = start;
  for (let index = 0; index < whole; index++) {
    const word = words[index] ?? 0;
    if (jsonPairs[word & 0xffff] === 0 && jsonPairs[word >>> 16] === 0) {
      view.setInt32(end, word, true);
      end += 4;
      continue;
    }
    end = quoteByte(escaped, view, word & 255, end);
    end = quoteByte(escaped, view, (word >>> 8) & 255, end);
    end = quoteByte(escaped, view, (word >>> 16) & 255, end);
    end = quoteByte(escaped, view, word >>> 24, end);
  }
  for (let index = whole << 2; index < length; index++) end = quoteByte(escaped, view, plain[index] ?? 0, end);
  return end;
}

/** Bytes that one byte may become: a quote in JSON is `\&quot;`. */
export const LONGEST_ESCAPE = 7;

/** For each pair of bytes, as one number, whether either needs care: half the look-ups; text touches few of its lines. */
function pairsOf(needsCare: (byte: number) => boolean): Uint8Array {
  const pairs = new Uint8Array(65_536);
  for (let pair = 0; pair < pairs.length; pair++) if (needsCare(pair & 255) || needsCare(pair >> 8)) pairs[pair] = 1;
  return pairs;
}

function needsXml(byte: number): boolean {
  if (byte < 32) return byte !== 9 && byte !== 10;
  return byte === 34 || byte === 38 || byte === 39 || byte === 60 || byte === 62;
}

function needsQuoting(byte: number): boolean {
  return byte < 32 || byte === 92 || needsXml(byte);
}

/** Entities are written four bytes and the rest: byte by byte takes twice as long for JSON, a third of which is quotes. */
function escapeByte(escaped: Uint8Array, view: DataView, byte: number, end: number): number {
  switch (byte) {
    case 34:
      view.setInt32(end, QUOT, true);
      view.setInt16(end + 4, T_SEMICOLON, true);
      return end + 6;
    case 39:
      view.setInt32(end, APOS, true);
      view.setInt16(end + 4, S_SEMICOLON, true);
      return end + 6;
    case 38:
      view.setInt32(end, AMP, true);
      escaped[end + 4] = SEMICOLON;
      return end + 5;
    case 13:
      view.setInt32(end, CARRIAGE_RETURN, true);
      escaped[end + 4] = SEMICOLON;
      return end + 5;
    case 60:
      view.setInt32(end, LT, true);
      return end + 4;
    case 62:
      view.setInt32(end, GT, true);
      return end + 4;
    default:
      if (byte > 31 || byte === 9 || byte === 10) {
        escaped[end] = byte;
        return end + 1;
      }
      escaped[end] = 0xef; // U+FFFD in UTF-8
      escaped[end + 1] = 0xbf;
      escaped[end + 2] = 0xbd;
      return end + 3;
  }
}

const QUOT = fourBytes("&quo");
const APOS = fourBytes("&apo");
const AMP = fourBytes("&amp");
const CARRIAGE_RETURN = fourBytes("&#13");
const LT = fourBytes("&lt;");
const GT = fourBytes("&gt;");
const T_SEMICOLON = 0x3b74;
const S_SEMICOLON = 0x3b73;
const SEMICOLON = 0x3b;

/** Little-endian, as they are written. */
function fourBytes(text: string): number {
  return [...text].reduceRight((number, character) => (number << 8) | character.charCodeAt(0), 0);
}

function quoteByte(escaped: Uint8Array, view: DataView, byte: number, end: number): number {
  if (byte > 31 && byte !== 34 && byte !== 92) return escapeByte(escaped, view, byte, end);
  escaped[end] = 92;
  switch (byte) {
    case 34: // \&quot;
      return escapeByte(escaped, view, byte, end + 1);
    case 92:
      escaped[end + 1] = 92;
      return end + 2;
    case 8:
      escaped[end + 1] = 98;
      return end + 2;
    case 9:
      escaped[end + 1] = 116;
      return end + 2;
    case 10:
      escaped[end + 1] = 110;
      return end + 2;
    case 12:
      escaped[end + 1] = 102;
      return end + 2;
    case 13:
      escaped[end + 1] = 114;
      return end + 2;
    default: // four digits, the first two 0
      escaped[end + 1] = 117;
      escaped[end + 2] = 48;
      escaped[end + 3] = 48;
      escaped[end + 4] = HEX.charCodeAt(byte >> 4);
      escaped[end + 5] = HEX.charCodeAt(byte & 15);
      return end + 6;
  }
}

const HEX = "0123456789abcdef";
