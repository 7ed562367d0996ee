import { isRecord } from "./outcome.ts";

/** Reads fields of one object; the first that is not as expected becomes `problem`, and a stand-in is returned for it. */
export type FieldReader = ReturnType<typeof fieldReader>;

export function fieldReader(fields: Readonly<Record<string, unknown>>) {
  let found: string | null = null;

  function complain(name: string, expected: string): void {
    found ??= `${name}: expected ${expected}, found ${described(fields[name])}`;
  }

  function optional<T>(name: string, read: (name: string) => T): T | undefined {
    return fields[name] === undefined || fields[name] === null ? undefined : read(name);
  }

  function text(name: string): string {
    const value = fields[name];
    if (typeof value === "string") return value;
    complain(name, "a string");
    return "";
  }

  function number(name: string): number {
    const value = fields[name];
    if (typeof value === "number" && Number.isFinite(value)) return value;
    complain(name, "a finite number");
    return 0;
  }

  function flag(name: string): boolean {
    const value = fields[name];
    if (typeof value === "boolean") return value;
    complain(name, "true or false");
    return false;
  }

  function oneOf<T extends string>(name: string, words: readonly [T, ...T[]]): T {
    const word = words.find((candidate) => candidate === fields[name]);
    if (word === undefined) complain(name, `one of ${words.join(", ")}`);
    return word ?? words[0];
  }

  function list<T>(name: string, expected: string, isItem: (item: unknown) => item is T): readonly T[] {
    const value = fields[name];
    if (Array.isArray(value) && value.every(isItem)) return value;
    complain(name, expected);
    return [];
  }

  function record(name: string): Readonly<Record<string, unknown>> {
    const value = fields[name];
    if (isRecord(value)) return value;
    complain(name, "an object");
    return {};
  }

  /** Any value, as long as the field is there. */
  function any(name: string): unknown {
    if (!(name in fields)) complain(name, "a value");
    return fields[name];
  }

  return {
    text,
    number,
    flag,
    oneOf,
    record,
    any,
    numbers: (name: string) => list(name, "a list of finite numbers", isFiniteNumber),
    optionalText: (name: string) => optional(name, text),
    optionalNumber: (name: string) => optional(name, number),
    optionalTexts: (name: string) => optional(name, () => list(name, "a list of strings", isString)),
    problem: () => found,
  };
}

/** What was found, short enough for a message: the kind, and of a short string or a number the value. */
export function described(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string")
    return value.length <= 40 ? JSON.stringify(value) : `a string of ${value.length} characters`;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}
