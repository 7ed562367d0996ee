import { reasonOf } from "./json-shape.ts";
import { writeJson } from "./write-json.ts";

/**
 * Stable text for any value: a string as it is, everything else as JSON text that `JSON.parse` reads. What JSON has no
 * word for is written as the nearest thing: `undefined` is `null`, NaN and the infinities their names in quotes, a BigInt
 * its digits in quotes, a Map a list of pairs, a Set and a typed array a list, an Error its name, message and fields;
 * the rest is `"[unserialisable: …]"` with the reason. Never throws.
 */
export function serializeValue(value: unknown): string {
  return typeof value === "string" ? value : jsonText(value);
}

/** As `serializeValue`, a string in quotes. */
export function jsonText(value: unknown): string {
  try {
    return allowedInXml(isJson(value) ? JSON.stringify(value) : writeJson(value));
  } catch (error) {
    return JSON.stringify(`[unserialisable: ${reasonOf(error)}]`);
  }
}

/** U+FFFE and U+FFFF, which XML forbids, as JSON escapes: in JSON text they stand inside strings only. */
function allowedInXml(json: string): string {
  return json.replaceAll("\uFFFE", "\\ufffe").replaceAll("\uFFFF", "\\uffff");
}

/** Whether `JSON.stringify`, which is several times faster than `writeJson`, would lose nothing of the value. */
export function isJson(value: unknown): boolean {
  return isPlain(value, { depth: 0, values: 0 });
}

/** Deep enough for what tools return; a cycle reaches it at once, and the native writer recurses safely to it. */
const PLAIN_DEPTH = 100;
/** A value of more parts goes to `writeJson`, which knows where to stop. */
const PLAIN_VALUES = 100_000;

type Walk = { depth: number; values: number };

function isPlain(value: unknown, walk: Walk): boolean {
  if (++walk.values > PLAIN_VALUES) return false;
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0);
    case "undefined":
      return walk.depth > 0;
    case "object":
      return value === null || isPlainObject(value, walk);
    default:
      return false;
  }
}

function isPlainObject(value: object, walk: Walk): boolean {
  if (++walk.depth > PLAIN_DEPTH) return false;
  try {
    const list = Array.isArray(value);
    if (!list && !hasPlainPrototype(value)) return false;
    if ("toJSON" in value) return false;
    if (list) for (const item of value) if (!isPlain(item, walk)) return false;
    if (!list) for (const key in value) if (!isPlain(Reflect.get(value, key), walk)) return false;
  } catch {
    return false;
  }
  walk.depth--;
  return true;
}

function hasPlainPrototype(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
