import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type Pair } from "yaml";
import { invariant } from "../base/invariant.ts";
import type { Field, FieldValue } from "./field.ts";
import { SPECIFIED_KEYS } from "./known-keys.ts";
import type { FrontBlock } from "./open-skill.ts";

/** The pairs of the front matter as fields. Nothing is expanded, so that aliases cannot multiply what was written. */
export function yamlFields(block: FrontBlock, document: Document, pairs: readonly Pair[]): readonly Field[] {
  const { raw, span } = block;
  const resolved = new Set<string>();
  return pairs.map((pair) => {
    const [start, end] = rangeOf(pair.key);
    const key = isScalar(pair.key) && typeof pair.key.value === "string" ? pair.key.value : raw.slice(start, end);
    const keySpan = { start: span.start + start, end: span.start + end };
    let node: unknown = pair.value;
    // An alias is looked up in the whole document: only for the few keys that are read, each once.
    if (isAlias(node) && SPECIFIED_KEYS.has(key) && !resolved.has(key)) {
      resolved.add(key);
      node = node.resolve(document) ?? node;
    }
    return { key, keySpan, value: fieldValue(node), valueSpan: valueSpan(block, pair.value, start) ?? keySpan };
  });
}

function rangeOf(node: unknown): readonly [start: number, end: number] {
  if (!isNode(node)) return [0, 0];
  invariant(node.range, "a parsed node has a place");
  return [node.range[0], node.range[1]];
}

/** From the value's start to the end of that line; null where it does not start on its key's line. */
function valueSpan({ raw, span }: FrontBlock, node: unknown, keyStart: number): Field["valueSpan"] | null {
  const [start, end] = rangeOf(node);
  if (start === end || start < keyStart || raw.slice(keyStart, start).includes("\n")) return null;
  const feed = raw.indexOf("\n", start);
  const line = raw.slice(start, feed === -1 ? raw.length : feed).trimEnd();
  return { start: span.start + start, end: span.start + start + line.length };
}

function fieldValue(node: unknown): FieldValue {
  if (isMap(node)) return { kind: "map", entries: node.items.map((pair) => entryOf(pair.value)) };
  if (isSeq(node)) return { kind: "list", items: node.items.map(entryOf) };
  return entryOf(node);
}

/** A value without what lies in it. An alias below the top is taken for text: what it stands for is not looked at. */
function entryOf(node: unknown): FieldValue {
  if (isAlias(node)) return { kind: "text", text: `*${node.source}` };
  if (!isScalar(node)) return node === null ? { kind: "none" } : { kind: "other" };
  if (node.value === null) return { kind: "none" };
  invariant(node.source !== undefined, "a parsed scalar has its text");
  return { kind: "text", text: node.source };
}
