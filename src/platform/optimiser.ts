/** Engines that are known to know the flag: another one may say on stderr that it does not. */
const KNOWN = /^2[0-4]\./;

/** There `--no-opt` takes another flag with it, which `--opt` does not bring back; elsewhere that one may not be known. */
const TAKES_OSR_WITH_IT = /^2[12]\./;

/** There the compiler between the two is on, and `--no-opt` leaves it on. */
const HAS_ANOTHER = /^24\./;

/** As V8 has it; and as work that makes some megabytes is done with half as many collections. */
const GROWTH = { usual: 2, fast: 4 };

/** Lets V8 make often used code faster and its heap grow step by step, or neither; false where nothing was set. */
export function setOptimising(on: boolean): boolean {
  if (!KNOWN.test(process.versions.node)) return false;
  // Asked for here only: loading it takes as long as looking at 400 files. Node before 20.16 goes without.
  const v8 = process.getBuiltinModule?.("node:v8");
  if (v8 === undefined) return false;
  v8.setFlagsFromString(on ? "--opt" : "--no-opt");
  v8.setFlagsFromString(`--semi-space-growth-factor=${on ? GROWTH.usual : GROWTH.fast}`);
  if (HAS_ANOTHER.test(process.versions.node)) v8.setFlagsFromString(on ? "--maglev" : "--no-maglev");
  if (on && TAKES_OSR_WITH_IT.test(process.versions.node)) v8.setFlagsFromString("--osr-from-maglev");
  return true;
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
