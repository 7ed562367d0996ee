import { countForbidden, openTag, writeXml, type XmlElement } from "../base/xml.ts";
import type { Estimate } from "./facts.ts";
import type { Wrapper } from "./sections.ts";
import type { AttributeName, Element } from "./vocabulary.ts";

/** Markup that is written as one, with its newline, and what it costs. */
export interface Piece {
  readonly text: string;
  /** 0 where they were not counted. */
  readonly tokens: number;
  readonly counted: boolean;
  /** Characters that XML cannot hold, replaced. */
  readonly replaced: number;
}

/** Where tokens cannot run out they are not counted: that takes longer than all the rest. */
export const UNCOUNTED: Estimate = () => 0;

/** An element as it stands `depth` elements below the root. */
export function pieceOf(element: Element, depth: number, estimate: Estimate): Piece {
  const text = `${writeXml(element, indentOf(depth))}\n`;
  return { text, ...costOf(text, estimate), replaced: replacedIn(text, element) };
}

/** What a text costs; not `counted` where the estimate counts nothing. */
export function costOf(text: string, estimate: Estimate): Pick<Piece, "tokens" | "counted"> {
  return { tokens: estimate(text), counted: estimate !== UNCOUNTED };
}

/** The blanks before an element that stands `depth` elements below the root. */
export function indentOf(depth: number): string {
  return "  ".repeat(depth + 1);
}

/** The replacement character is rare: a text without it is not searched again. */
function replacedIn(text: string, element: XmlElement): number {
  return text.includes("\uFFFD") ? forbiddenIn(element) : 0;
}

function forbiddenIn(element: XmlElement): number {
  let count = 0;
  for (const [, value] of element.attributes) count += countForbidden(value);
  for (const child of element.children) count += typeof child === "string" ? countForbidden(child) : forbiddenIn(child);
  return count;
}

/** What a wrapper costs wherever it is opened. */
export interface Frame {
  readonly wrapper: Wrapper;
  readonly units: number;
  readonly tokens: number;
}

/** `counts`: with room for how many items it has, how many are left out, and how to list them. */
export function frameOf(wrapper: Wrapper, depth: number, estimate: Estimate, counts: CountsOf | null): Frame {
  const most = counts === null ? [] : countAttributes({ ...counts, omitted: counts.count });
  const text = `${indentOf(depth)}${openTag({ name: wrapper.name, attributes: [...wrapper.attributes, ...most] })}>\n${indentOf(depth)}</${wrapper.name}>\n`;
  return { wrapper, units: text.length, tokens: estimate(text) };
}

export interface CountsOf {
  readonly count: number;
  readonly omitted: number;
  readonly howToList: string;
}

/** The attributes of a list of which something is left out. */
export function countAttributes({
  count,
  omitted,
  howToList,
}: CountsOf): readonly (readonly [AttributeName, string])[] {
  return [
    ["count", String(count)],
    ["omitted", String(omitted)],
    ["list", howToList],
  ];
}
