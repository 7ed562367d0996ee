/** A JSON object, as far as a guard can tell. */
export type JsonObject = { readonly [key: string]: unknown };

/** The value of a JSON text; `undefined`, the one value that JSON cannot give, where the text is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Neither null nor a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** As `Array.isArray`, with elements of which nothing is known yet. */
export function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

export function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

/** A UTF-16 unit as the strings of JSON, and YAML's in double quotes, escape it: `\u2028`. */
export function jsonEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** The string under `key`, or null where there is none. */
export function stringAt(object: JsonObject, key: string): string | null {
  const value = object[key];
  return typeof value === "string" ? value : null;
}
