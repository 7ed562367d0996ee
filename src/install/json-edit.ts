import { invariant } from "../base/invariant.ts";
import type { Span } from "../base/source-text.ts";
import { applyEdits, type TextEdit } from "../base/text-edit.ts";
import type { JsonContainer, JsonDocument, JsonElement, JsonNode } from "./json-tree.ts";

export interface JsonStyle {
  /** One level of indentation. */
  readonly unit: string;
  readonly newline: string;
}

/** Its look back keeps it from being tried at each place of a long line. */
const LAST_LINE = /(?<![^\r\n])[^\r\n]*$/;

/** How the file is written: the indentation of its first element on a line of its own; two blanks where it has none. */
export function styleOf(document: JsonDocument, newline: string): JsonStyle {
  const { root } = document;
  const first = root?.kind === "scalar" ? undefined : root?.elements[0];
  const blanks = first === undefined ? null : blanksBefore(document, first.start);
  const unit = blanks === null || !/[\r\n]/.test(blanks) ? "" : blanks.slice(blanks.search(LAST_LINE));
  return { unit: unit === "" ? "  " : unit, newline };
}

/** An element as text: its name, where it goes into an object, and its value over several lines. */
export interface NewElement {
  readonly key: string | null;
  readonly value: unknown;
}

/**
 * The text with an element put behind the last one of a container. No other byte changes, but for the comma that now has to
 * follow the element before. What stands before the closing bracket tells `removeElement` how to give the old bytes back:
 * nothing where the container was empty, one blank where it held blanks or comments.
 */
export function insertElement(
  document: JsonDocument,
  container: JsonContainer,
  element: NewElement,
  style: JsonStyle,
): string {
  const { text, comments } = document;
  const outer = indentOfLine(text, container.start);
  const last = container.elements.at(-1);
  if (last === undefined) {
    const inner: Span = { start: container.start + 1, end: container.end - 1 };
    if (inner.start === inner.end) {
      const content = `${style.newline}${outer}${style.unit}${print(element, outer + style.unit, style)}`;
      return applyEdits(text, [{ span: inner, text: content }]);
    }
    return applyEdits(text, [{ span: { start: inner.end, end: inner.end }, text: `${print(element, outer, style)} ` }]);
  }
  const at = endOfLineComments(text, comments, last.comma === null ? last.end : last.comma + 1);
  // A line comment would swallow what is put on its line; the line that it ends has this begin one of its own.
  const before = separator(document, container, style, outer);
  const indent = /[\r\n]/.test(before) ? before.slice(before.search(LAST_LINE)) : outer;
  const edits: TextEdit[] = [
    {
      span: { start: at, end: at },
      text: `${before}${print(element, indent, style)}${last.comma === null ? "" : ","}`,
    },
  ];
  if (last.comma === null) edits.unshift({ span: { start: last.end, end: last.end }, text: "," });
  return applyEdits(text, edits);
}

/** What stands between two elements: as before the last one, where that begins a line of its own. */
function separator(document: JsonDocument, container: JsonContainer, style: JsonStyle, outer: string): string {
  const { text } = document;
  const last = container.elements.at(-1);
  invariant(last !== undefined, "there is an element to stand behind");
  const blanks = blanksBefore(document, last.start);
  if (/[\r\n]/.test(blanks)) return style.newline + blanks.slice(blanks.search(LAST_LINE));
  const after = text.slice(last.comma === null ? last.end : last.comma + 1, container.end - 1);
  return /[\r\n]/.test(after) ? style.newline + outer + style.unit : blanks;
}

/** Behind the comments that follow on the same line: they are about the element before them. */
function endOfLineComments(text: string, comments: readonly Span[], from: number): number {
  let at = from;
  for (;;) {
    const next = skipBlanksOfLine(text, at);
    const comment = comments.find(({ start }) => start === next);
    if (comment === undefined) return at;
    at = comment.end;
  }
}

function skipBlanksOfLine(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\t") at += 1;
  return at;
}

/**
 * The text without the element at this index; comments stay. A container that is left without elements is `"emptied"` where
 * it was made for them, so that its own place can be removed as well; with "keep" its brackets stay in any case.
 */
export function removeElement(
  document: JsonDocument,
  container: JsonContainer,
  index: number,
  whenEmpty: "keep" | "tell" = "tell",
): string | "emptied" {
  const { text, comments } = document;
  const { elements } = container;
  const element = elements[index];
  invariant(element !== undefined, "the element is in its container");
  if (elements.length === 1) return removeOnly(document, container, element, whenEmpty);
  const blanks = blanksBefore(document, element.start);
  const edits: TextEdit[] = [{ span: { start: element.start - blanks.length, end: element.end }, text: "" }];
  // Where a line comment stands before, its line has to end.
  const before = element.start - blanks.length;
  if (comments.some(({ start, end }) => end === before && text.startsWith("//", start))) {
    const ending = /^(?:\r\n|\r|\n)/.exec(blanks)?.[0] ?? "";
    if (!/^[ \t]*[\r\n]/.test(text.slice(element.comma === null ? element.end : element.comma + 1))) {
      edits[0] = { span: { start: before + ending.length, end: element.end }, text: "" };
    }
  }
  if (element.comma !== null) edits.push({ span: { start: element.comma, end: element.comma + 1 }, text: "" });
  else {
    const previous = elements[index - 1]?.comma;
    if (previous !== undefined && previous !== null) {
      edits.push({ span: { start: previous, end: previous + 1 }, text: "" });
    }
  }
  return applyEdits(text, edits);
}

function removeOnly(
  document: JsonDocument,
  container: JsonContainer,
  element: JsonElement,
  whenEmpty: "keep" | "tell",
): string | "emptied" {
  const { text, comments } = document;
  const end = element.comma === null ? element.end : element.comma + 1;
  const closing = text.slice(end, container.end - 1);
  const before = blanksBefore(document, element.start);
  const opened = container.start + 1 === element.start - before.length;
  const inside = (span: Span): boolean => span.start > container.start && span.end < container.end;
  const own = (span: Span): boolean => span.start >= element.start && span.end <= end;
  const commented = comments.some((comment) => inside(comment) && !own(comment));
  // The forms that insertElement gives to a container that was there before and held no element.
  if (closing === "" && opened && /[\r\n]/.test(before)) return cut(text, container.start + 1, container.end - 1);
  if (closing === " " && (before !== "" || commented)) return cut(text, element.start, container.end - 1);
  if (!commented && whenEmpty === "tell") return "emptied";
  return cut(text, element.start - (opened ? before.length : 0), end);
}

function cut(text: string, start: number, end: number): string {
  return text.slice(0, start) + text.slice(end);
}

/** The blanks and line breaks right before a place; those that end a line comment are the comment's. */
function blanksBefore({ text, comments }: JsonDocument, end: number): string {
  let start = end;
  while (start > 0 && " \t\r\n".includes(text[start - 1] ?? "")) start -= 1;
  const comment = comments.findLast((one) => one.end <= end);
  return text.slice(Math.max(start, comment?.end ?? 0), end);
}

/** The blanks with which the line of a place begins. */
function indentOfLine(text: string, offset: number): string {
  let start = offset;
  while (start > 0 && text[start - 1] !== "\n" && text[start - 1] !== "\r") start -= 1;
  return text.slice(start, skipBlanksOfLine(text, start));
}

/** JSON over several lines, the first without its indentation. */
export function print({ key, value }: NewElement, indent: string, style: JsonStyle): string {
  const json = JSON.stringify(value, null, style.unit).split("\n").join(`${style.newline}${indent}`);
  return key === null ? json : `${JSON.stringify(key)}: ${json}`;
}

/** The value that a node stands for, without blanks and comments: equal texts are equal values with their names in the same order. */
export function canonical(node: JsonNode | null): string {
  if (node === null) return "";
  switch (node.kind) {
    case "scalar":
      return JSON.stringify(node.value);
    case "array":
      return `[${node.elements.map(({ value }) => canonical(value)).join(",")}]`;
    case "object":
      return `{${node.elements.map(({ key, value }) => `${JSON.stringify(key)}:${canonical(value)}`).join(",")}}`;
    default:
      return node satisfies never;
  }
}
