import { insides, part } from "./insides.ts";

/** Engines that are known to know the flag: another one may say on stderr that it does not. */
const KNOWN = /^2[0-46]\./;

/** There `--no-opt` takes another flag with it, which `--opt` does not bring back; elsewhere that one may not be known. */
const TAKES_OSR_WITH_IT = /^2[12]\./;

/** There the compiler between the two is on, and `--no-opt` leaves it on. */
const HAS_ANOTHER = /^2[46]\./;

/** As V8 has it; and as work that makes some megabytes is done with half as many collections. */
const GROWTH = { usual: 2, fast: 4 };

/** Lets V8 make often used code faster and its heap grow step by step, or neither; false where nothing was set. */
export function setOptimising(on: boolean): boolean {
  if (!KNOWN.test(process.versions.node)) return false;
  setFlag ??= findSetFlag();
  if (setFlag === undefined) return false;
  setFlag(on ? "--opt" : "--no-opt");
  setFlag(`--semi-space-growth-factor=${on ? GROWTH.usual : GROWTH.fast}`);
  if (HAS_ANOTHER.test(process.versions.node)) setFlag(on ? "--maglev" : "--no-maglev");
  if (on && TAKES_OSR_WITH_IT.test(process.versions.node)) setFlag("--osr-from-maglev");
  return true;
}

type SetFlag = (flag: string) => void;

let setFlag: SetFlag | undefined;

/** `setFlagsFromString` of `node:v8`; loading that takes 1.4 ms, what it is made of 0.2. Node before 20.16 may go without. */
function findSetFlag(): SetFlag | undefined {
  const v8 = quietly(() => insides("v8"));
  const inside = part(v8, "setFlagsFromString");
  if (typeof inside === "function") return (flag) => void Reflect.apply(inside, undefined, [flag]);
  return process.getBuiltinModule?.("node:v8").setFlagsFromString;
}

/** What `find` gives, or null; Node says nothing of it on stderr meanwhile. */
function quietly(find: () => unknown): unknown {
  const before = process.noDeprecation;
  Reflect.set(process, "noDeprecation", true);
  try {
    return find();
  } catch {
    return null;
  } finally {
    Reflect.set(process, "noDeprecation", before);
  }
}

/**
 * Does work that is over before faster code is worth its making: a look at 2 500 files takes two thirds of the time so
 * (Node 20). Flags are afterwards as they were, since compiled code that is kept is held to them.
 */
export function withoutOptimising<Value>(work: () => Value): Value {
  if (!setOptimising(false)) return work();
  try {
    return work();
  } finally {
    setOptimising(true);
  }
}

let stopped = false;

/** From here on V8 makes no code faster, until `goOnOptimising`: for work that is over before faster code is worth its making. */
export function stopOptimising(): void {
  stopped ||= setOptimising(false);
}

/** Whoever stopped it calls this: compiled code that is kept is held to the flags under which it was made. */
export function goOnOptimising(): void {
  if (stopped) setOptimising(true);
  stopped = false;
}

/** Loads a module under the usual flags, since compiled code that was kept is taken under no others. */
export async function optimising<Value>(load: () => Promise<Value>): Promise<Value> {
  if (!stopped) return load();
  goOnOptimising();
  try {
    return await load();
  } finally {
    stopOptimising();
  }
}
