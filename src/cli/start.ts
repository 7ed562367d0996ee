import { join } from "node:path";
import { type CodeCache, openCodeCache } from "../platform/code-cache.ts";

/** A hash of the bundles, put in by the build. */
declare const BUILD_ID: string;

/** A start whose document is not known yet reads hundreds of files, each once. */
const ONCE: ReadonlySet<string> = new Set(["commands-session-start-session-start.cjs"]);

/** One run in so many sees whether the first one, of a hook that found nothing to do, say, left out what others need. */
const REVIEWED = 8;

/** The hooks, whose bundles need no other one to read a command line as it is installed. */
const HOOKS: ReadonlySet<string> = new Set(["pre-compact", "session-start", "gate"]);

/** What `bin/context.js` runs: the command line's bundle, with the code that an earlier run compiled. `hooks` have one of their own. */
export async function start(folder: string, require: (id: string) => unknown, hooks = HOOKS): Promise<void> {
  const [first = "", , afterRoot = ""] = process.argv.slice(2);
  const word = first === "-C" || first === "--root" ? afterRoot : first;
  // A command's name; any other word in its place must not make files of its own.
  const task = /^[a-z.-]{1,30}$/.test(word) ? word : "other";
  const cache = openCodeCache({
    folder: join(folder, "code-cache"),
    build: BUILD_ID,
    task,
    require,
    onceOnly: ONCE,
    review: process.pid % REVIEWED === 0,
  });
  const hookExit = hooks.has(first) ? await runHook(cache, join(folder, `cli-entries-${first}.cjs`)) : null;
  process.exitCode = hookExit ?? (await runBundle(cache, join(folder, "cli-bin.cjs"))) ?? undefined;
  cache.save();
}

/** Null where the hook's bundle leaves it to the whole command line, and where it fails: that one knows what a client gets then. */
async function runHook(cache: CodeCache, path: string): Promise<number | null> {
  try {
    return await runBundle(cache, path);
  } catch {
    return null;
  }
}

async function runBundle(cache: CodeCache, path: string): Promise<number | null> {
  const bundle: unknown = cache.load(path);
  if (typeof bundle !== "object" || bundle === null || !("run" in bundle) || typeof bundle.run !== "function") {
    throw new Error("Invariant broken: the command line's bundle can be run");
  }
  const exit: unknown = await bundle.run(BUILD_ID);
  return typeof exit === "number" ? exit : null;
}
