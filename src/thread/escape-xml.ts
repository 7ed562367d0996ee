/**
 * Text for the body of an element: the five entities, `&#13;` for a carriage return (a parser would turn it into a
 * newline), and U+FFFD for each character that XML 1.0 forbids (section 2.2: controls, lone surrogates, U+FFFE, U+FFFF).
 */
export function escapeXml(text: string): string {
  if (!SPECIAL.test(text)) return text;
  // One after the other with a constant text: V8 searches each with memchr and copies what lies between.
  return replaceForbidden(text)
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/'/g, "&apos;")
    .replace(/\r/g, "&#13;");
}

/** As `escapeXml`, for an attribute's value: a parser turns a raw tab or newline there into a blank. */
export function escapeXmlAttribute(text: string): string {
  if (PLAIN_ATTRIBUTE.test(text)) return text;
  return escapeXml(text).replace(/\t/g, "&#9;").replace(/\n/g, "&#10;");
}

/** The text with U+FFFD for each half of a pair: providers refuse a request in which one stands. */
export function wellFormed(text: string): string {
  return isWellFormed(text) ? text : text.replace(LONE_SURROGATE, "\uFFFD");
}

/** How many characters of `text` XML cannot hold: as many as `escapeXml` replaces by U+FFFD. */
export function countForbidden(text: string): number {
  return text.match(FORBIDDEN_ALL)?.length ?? 0;
}

const SPECIAL = /[^\t\n !#-%(-;=?-~\u0080-\uD7FF\uE000-\uFFFD]/;
const PLAIN_ATTRIBUTE = /^[\w.,:/ -]*$/;
const FORBIDDEN_UNIT = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;
/** Read by code points, so that only lone surrogates are surrogates. */
const FORBIDDEN_ALL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/gu;
const LONE_SURROGATE = /[\uD800-\uDFFF]/gu;

function replaceForbidden(text: string): string {
  return FORBIDDEN_UNIT.test(text) || !isWellFormed(text) ? text.replace(FORBIDDEN_ALL, "\uFFFD") : text;
}

/** The native check (ES2024) takes a sixth of the time of the pattern's, which counts for text with many emoji. */
const native: unknown = Reflect.get(String.prototype, "isWellFormed");

function isWellFormed(text: string): boolean {
  return typeof native === "function" ? Reflect.apply(native, text, []) === true : text.search(LONE_SURROGATE) === -1;
}
