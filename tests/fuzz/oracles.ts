import { XmlDocument } from "libxml2-wasm";

export function must(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}

/** Throws what libxml2 says of a text that is no XML. */
export function mustBeXml(text: string): void {
  XmlDocument.fromString(text, { option: 1 << 19 }).dispose(); // XML_PARSE_HUGE
}

export function mustBeEqual(found: unknown, expected: unknown, what: string): void {
  const [a, b] = [shown(found), shown(expected)];
  if (a !== b) throw new Error(`${what}:\n${a.slice(0, 600)}\n${b.slice(0, 600)}`);
}

function shown(value: unknown): string {
  if (value instanceof Map) return JSON.stringify([...value]);
  return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
}

/** No half of a character may reach another program. */
export function mustBeWellFormed(text: string): void {
  must(!/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text), "holds a lone surrogate");
}
