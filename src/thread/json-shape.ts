/**
 * What a value is to a writer of JSON: text at once, a list, or named fields. `source` is the object itself, by which
 * the writer knows a cycle; `null` is a value that JSON leaves out of an object (`undefined`).
 */
export type Shape =
  | { readonly kind: "leaf"; readonly json: string }
  | { readonly kind: "list"; readonly source: object; readonly items: ArrayLike<unknown> }
  | { readonly kind: "record"; readonly source: object; readonly fields: object; readonly keys: readonly string[] };

/** The shape of `value`, found at `key`; whatever its traps, getters and `toJSON` throw becomes text. */
export function shapeOf(value: unknown, key: string): Shape | null {
  switch (typeof value) {
    case "undefined":
      return null;
    case "string":
    case "boolean":
      return leaf(value);
    case "number":
      return numberShape(value);
    case "bigint":
      return leaf(String(value));
    case "symbol":
      return unserialisable(`symbol ${value.description ?? ""}`);
    case "object":
      try {
        return value === null ? leaf(null) : objectShape(value, key);
      } catch (error) {
        return unserialisable(`reading it threw ${reasonOf(error)}`);
      }
    default:
      // A function: `typeof` has no other word.
      return unserialisable(typeof value);
  }
}

export function unserialisable(reason: string): Shape {
  return leaf(`[unserialisable: ${reason.trim()}]`);
}

/** The message of whatever was thrown; asking for it may throw in turn. */
export function reasonOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : `a value of type ${typeof thrown}`;
  } catch {
    return "an error that cannot be read";
  }
}

function leaf(value: string | boolean | number | null): Shape {
  return { kind: "leaf", json: JSON.stringify(value) };
}

/** `-0` is a number of JSON and comes back as such; `JSON.stringify` drops the sign. */
function numberShape(value: number): Shape {
  if (Object.is(value, -0)) return { kind: "leaf", json: "-0" };
  return Number.isFinite(value) ? leaf(value) : leaf(String(value));
}

function objectShape(value: object, key: string): Shape | null {
  if (Array.isArray(value)) return { kind: "list", source: value, items: value };
  const bytes = elementsOf(value);
  if (bytes !== null) return { kind: "list", source: value, items: bytes };
  if (value instanceof Date && Number.isNaN(value.getTime())) return leaf("Invalid Date");
  const toJson: unknown = Reflect.get(value, "toJSON");
  if (typeof toJson === "function") return convertedShape(value, toJson, key);
  return plainShape(value);
}

/** Numbers of a typed array or a buffer, before its `toJSON`, which some hosts add. */
function elementsOf(value: object): ArrayLike<unknown> | null {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (!ArrayBuffer.isView(value)) return null;
  return isIndexed(value) ? value : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}

/** Every view but `DataView` has its elements by index. */
function isIndexed(view: ArrayBufferView): view is ArrayBufferView & ArrayLike<unknown> {
  return "length" in view;
}

function convertedShape(value: object, toJson: CallableFunction, key: string): Shape | null {
  let converted: unknown;
  try {
    converted = Reflect.apply(toJson, value, [key]);
  } catch (error) {
    return unserialisable(`toJSON threw ${reasonOf(error)}`);
  }
  if (typeof converted !== "object" || converted === null) return shapeOf(converted, key);
  const shape = Array.isArray(converted)
    ? ({ kind: "list", source: value, items: converted } as const)
    : plainShape(converted);
  return shape.kind === "leaf" ? shape : { ...shape, source: value };
}

function plainShape(value: object): Shape {
  if (value instanceof Map) return { kind: "list", source: value, items: [...value] };
  if (value instanceof Set) return { kind: "list", source: value, items: [...value] };
  if (value instanceof Error) return errorShape(value);
  if (value instanceof RegExp) return leaf(String(value));
  if (value instanceof Number || value instanceof String || value instanceof Boolean || value instanceof BigInt)
    return shapeOf(value.valueOf(), "") ?? leaf(null);
  const keys = Object.keys(value);
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  if (keys.length === 0 && tag !== "Object") return unserialisable(tag);
  return { kind: "record", source: value, fields: value, keys };
}

/** Name, message, cause, errors and own fields; no stack, which names places of one machine and differs from run to run. */
function errorShape(error: Error): Shape {
  const keys = ["name", "message", ...["cause", "errors"].filter((key) => key in error)];
  const own = Object.keys(error).filter((key) => key !== "stack" && !keys.includes(key));
  return { kind: "record", source: error, fields: error, keys: [...keys, ...own] };
}
