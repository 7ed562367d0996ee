import { join } from "node:path";
import { openCodeCache } from "../platform/code-cache.ts";

/** A hash of the bundles, put in by the build. */
declare const BUILD_ID: string;

/** A start whose document is not known yet reads hundreds of files, each once. */
const ONCE: ReadonlySet<string> = new Set(["commands-session-start-session-start.cjs"]);

/** One run in so many sees whether the first one, in an empty project say, left out what others need. */
const REVIEWED = 16;

/** What `bin/context.js` runs: the command line's bundle, with the code that an earlier run compiled. */
export async function start(folder: string, require: (id: string) => unknown): Promise<void> {
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
  const bundle: unknown = cache.load(join(folder, "cli-bin.cjs"));
  if (typeof bundle !== "object" || bundle === null || !("run" in bundle) || typeof bundle.run !== "function") {
    throw new Error("Invariant broken: the command line's bundle can be run");
  }
  await bundle.run(BUILD_ID);
  cache.save();
}
