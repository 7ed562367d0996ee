import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar } from "yaml";
import { invariant } from "../base/invariant.ts";
import type { Span } from "../base/source-text.ts";
import type { TextEdit } from "../base/text-edit.ts";

export type ScalarStyle = "plain" | "double" | "single" | "block";

/** A value as it stands in the file. Spans are offsets into the whole text, without a comment behind the value. */
export type EntryValue =
  | {
      readonly kind: "scalar";
      readonly value: unknown;
      /** As it is written, without quotes. */
      readonly source: string;
      readonly style: ScalarStyle;
      readonly span: Span;
    }
  | { readonly kind: "list"; readonly items: readonly EntryValue[]; readonly span: Span }
  | { readonly kind: "map"; readonly span: Span }
  /** Nothing stands behind the key; the span is empty. */
  | { readonly kind: "empty"; readonly span: Span };

export interface Entry {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: EntryValue;
  /** Other places refer to the value: what is changed here changes there. */
  readonly anchored: boolean;
  /** Right behind the key's colon; null where it has none. */
  readonly afterColon: number | null;
}

/** A key and its value; null where the key is no word. `base` is the offset of the YAML in the text. */
export function entryOf(
  pair: Pair<unknown, unknown>,
  base: number,
  anchors: ReadonlyMap<string, Node>,
  aliased: ReadonlySet<string>,
): Entry | null {
  const { key, value } = pair;
  if (!isScalar(key)) return null;
  const keySpan = spanOf(key, base);
  const colon = pair.srcToken?.sep?.find((token) => token.type === "map-value-ind");
  const afterColon = colon === undefined ? null : base + colon.offset + 1;
  const at = afterColon ?? keySpan.end;
  const read = isNode(value) ? readValue(value, base, anchors, true) : null;
  return {
    key: sourceOf(key),
    keySpan,
    value: read ?? { kind: "empty", span: { start: at, end: at } },
    anchored: isNode(value) && !isAlias(value) && value.anchor !== undefined && aliased.has(value.anchor),
    afterColon,
  };
}

/** A node's value; an alias has the place of the alias and the value of what it names. Lists are read one level deep. */
function readValue(node: Node, base: number, anchors: ReadonlyMap<string, Node>, top: boolean): EntryValue | null {
  const span = spanOf(node, base);
  if (isAlias(node)) {
    const target = anchors.get(node.source);
    const read = target === undefined || isAlias(target) ? null : readValue(target, base, anchors, top);
    return read === null ? { kind: "map", span } : { ...read, span };
  }
  if (isScalar(node)) {
    if (span.start === span.end && node.value === null) return null;
    return { kind: "scalar", value: node.value, source: sourceOf(node), style: styleOf(node), span };
  }
  if (isSeq(node) && top) {
    const items = node.items.filter(isNode).map((item): EntryValue => {
      const { start } = spanOf(item, base);
      return readValue(item, base, anchors, false) ?? { kind: "empty", span: { start, end: start } };
    });
    return { kind: "list", items, span };
  }
  return { kind: "map", span };
}

/** The edit that puts a written scalar in a value's place. A block's head may have a comment, which stays, as does its line's end. */
export function replaceValue(text: string, span: Span, written: string): TextEdit {
  const value = text.slice(span.start, span.end);
  const comment = /^[|>][-+0-9]{0,4}([ \t]+#[^\r\n]*)/.exec(value)?.[1] ?? "";
  const ending = /\r?\n$/.exec(value)?.[0] ?? "";
  return { span, text: written + comment + ending };
}

/** Where a node stands in the text; `base` is the offset of the YAML in it. */
export function spanOf({ range }: Node, base: number): Span {
  invariant(range, "a parsed node has a place");
  return { start: base + range[0], end: base + range[1] };
}

/** A text as it is meant, and another value as it is written. */
function sourceOf({ source }: Scalar): string {
  invariant(source !== undefined, "a parsed scalar has its text");
  return source;
}

function styleOf(node: Scalar): ScalarStyle {
  if (node.type === "QUOTE_DOUBLE") return "double";
  if (node.type === "QUOTE_SINGLE") return "single";
  return node.type === "BLOCK_FOLDED" || node.type === "BLOCK_LITERAL" ? "block" : "plain";
}

export function isNode(value: unknown): value is Node {
  return isScalar(value) || isMap(value) || isSeq(value) || isAlias(value);
}
