/** Versions whose insides were looked at: the tests run under each. */
const KNOWN = /^2[0-46]\./;

/**
 * A part of what Node's own modules are made of, for what those do dearly. None of it is documented: null under a version
 * that was not looked at, and where Node is asked to tell of such uses or to forbid them. What is in it has to be looked at
 * before it is used; a part that is not there throws.
 */
export function insides(name: string): unknown {
  return KNOWN.test(process.versions.node) && !isWatched() ? call(process, "binding", name) : null;
}

function isWatched(): boolean {
  const { NODE_OPTIONS, NODE_PENDING_DEPRECATION } = process.env;
  return process.execArgv.length > 0 || Boolean(NODE_OPTIONS) || NODE_PENDING_DEPRECATION === "1";
}

/** A property of what may be no object; undefined where it is none. */
export function part(of: unknown, name: string): unknown {
  return typeof of === "object" && of !== null ? Reflect.get(of, name) : undefined;
}

/** Calls a method by its name; throws where there is none. */
export function call(of: object, name: string, ...args: readonly unknown[]): unknown {
  const found: unknown = Reflect.get(of, name);
  if (typeof found !== "function") throw new Error(`No ${name} is there`);
  return Reflect.apply(found, of, args);
}
