import type { Span } from "../base/source-text.ts";

/**
 * What a key of the front matter holds. A number, a date or a truth value is the text that stands there: the names and
 * sentences of a skill are text, whatever YAML would make of them.
 */
export type FieldValue =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly text: string }
  /** `items`: the value of each; a list or a map in it is `other`. */
  | { readonly kind: "list"; readonly items: readonly FieldValue[] }
  | { readonly kind: "map"; readonly entries: readonly FieldValue[] }
  | { readonly kind: "other" };

/** A key at the top of the front matter, as either reader hands it over. */
export interface Field {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: FieldValue;
  /** From the value's first character to the end of that line; the key where nothing stands. */
  readonly valueSpan: Span;
}

/** The value as a message names it. */
export function describeValue(value: FieldValue): string {
  return KINDS[value.kind];
}

const KINDS = {
  none: "nothing",
  text: "text",
  list: "a list",
  map: "keys and values",
  other: "a nested value",
} as const satisfies Record<FieldValue["kind"], string>;
