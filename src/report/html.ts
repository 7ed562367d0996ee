import { jsonEscape } from "../base/json-value.ts";
import { printableLine } from "../base/printable.ts";
import { firstCharacters } from "../base/quote.ts";
import { escapeXml, escapeXmlAttribute } from "../base/xml.ts";

/** A piece of a page that is markup already; only this file makes one from a text. */
export interface Markup {
  readonly markup: string;
}

/** What may stand in an element: a text stands for itself, whatever it holds. */
export type Child = Markup | string | number | null | readonly Child[];

/** Null and false leave an attribute out; true writes its name alone. */
export type Attributes = Readonly<Record<string, string | number | boolean | null>>;

const VOID = new Set(["br", "input", "link", "meta"]);

/** An element. Names are ours; attributes' values and texts are anybody's, and are escaped. */
export function h(name: string, attributes: Attributes, ...children: readonly Child[]): Markup {
  let tag = `<${name}`;
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === false) continue;
    tag += value === true ? ` ${key}` : ` ${key}="${escapeXmlAttribute(String(value))}"`;
  }
  if (VOID.has(name)) return { markup: `${tag}>` };
  return { markup: `${tag}>${write(children)}</${name}>` };
}

function write(child: Child): string {
  if (child === null) return "";
  if (typeof child === "number") return String(child);
  if (typeof child === "string") return escapeXml(child);
  return "markup" in child ? child.markup : child.map(write).join("");
}

/** The text of a stylesheet or a script of ours; it must not hold what would end its element. */
export function verbatim(text: string): Markup {
  return { markup: text };
}

/** JSON for a data block: without a character that HTML, or a line of a script, would act on. */
export function embeddedJson(value: unknown): Markup {
  return { markup: JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, jsonEscape) };
}

/** A stranger's text on one line: controls and reordering marks as escapes, cut to `most` characters. */
export function foreign(text: string, most = 120): string {
  return firstCharacters(printableLine(firstCharacters(text, most)), most);
}
