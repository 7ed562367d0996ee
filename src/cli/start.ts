import { type CodeCache, openCodeCache } from "../platform/code-cache.ts";
import { EXIT_FAULT } from "./exit-code.ts";

/** A hash of the bundles, put in by the build. */
declare const BUILD_ID: string;

/** Names of bundles that lie together, put in by the build. */
declare const WARM_BUNDLES: readonly string[];

/** One run in so many sees whether the first one, of a hook that found nothing to do, say, left out what others need. */
const REVIEWED = 8;

/** What is run all day, and the bundle that holds all of it: it needs no other one to read a command line as it mostly is. */
export const QUICK: ReadonlyMap<string, string> = new Map([
  ["pre-compact", "cli-entries-pre-compact.cjs"],
  ["session-start", "cli-entries-session-start.cjs"],
  ["gate", "cli-entries-gate.cjs"],
  ["lifecycle.save", "cli-entries-lifecycle-step.cjs"],
  ["lifecycle.pre.compact", "cli-entries-lifecycle-step.cjs"],
  ["lifecycle.recover", "cli-entries-lifecycle-step.cjs"],
  ["recover", "cli-entries-lifecycle-step.cjs"],
  ["lifecycle.status", "cli-entries-lifecycle-status.cjs"],
]);

/** As `engines` in package.json says. */
const LEAST_NODE = 20;

/** The bundle that holds the whole command line. */
const WHOLE = "cli-bin.cjs";

/**
 * What `bin/context.js` runs: the command line's bundle, which is in `folder`, with the code that an earlier run compiled; `quick`
 * commands have one of their own.
 */
export async function start(folder: string, require: (id: string) => unknown, quick = QUICK): Promise<void> {
  const [first = "", , afterRoot = ""] = process.argv.slice(2);
  const word = first === "-C" || first === "--root" ? afterRoot : first;
  // A command's name; any other word in its place must not make files of its own.
  const task = /^[a-z.-]{1,30}$/.test(word) ? word : "other";
  const cache = openCodeCache({
    bundles: folder,
    warm: WARM_BUNDLES,
    folder: `${folder}/code-cache`,
    build: BUILD_ID,
    task,
    require,
    review: process.pid % REVIEWED === 0,
  });
  const whole = (name: string, given?: unknown): Promise<number | null> =>
    call(cache, WHOLE, name, given).catch((error: unknown) => sayBroken(task, error));
  // It lacks what every command uses, and each would end in a fault of its own.
  if (Number.parseInt(process.versions.node, 10) < LEAST_NODE)
    process.exit((await whole("oldNode", LEAST_NODE)) ?? EXIT_FAULT);
  // Node ends in silence and with 0 where nothing is left to do and what is awaited has not come: no success, but a fault of ours.
  let hasEnded = false;
  process.on("beforeExit", () => {
    if (hasEnded) return;
    hasEnded = true;
    void whole("fault", new Error(`${task} ended before it was done`)).then((code) => process.exit(code ?? EXIT_FAULT));
  });
  const own = quick.get(first);
  // Null where a bundle leaves it to the whole command line, which also knows what is said where it fails.
  const exit =
    own === undefined ? null : await call(cache, own, "run").catch((error: unknown) => whole("fault", error));
  const code = exit ?? (await whole("run"));
  cache.save();
  // All is written, and what is left open ends here. Left to itself, the engine would first tidy up: a millisecond.
  process.exit(code ?? undefined);
}

async function call(cache: CodeCache, bundle: string, name: string, given?: unknown): Promise<number | null> {
  const exported: unknown = cache.load(bundle);
  const found = typeof exported === "object" && exported !== null ? Reflect.get(exported, name) : undefined;
  if (typeof found !== "function") throw new Error("Invariant broken: the command line's bundle can be run");
  const exit: unknown = await found(BUILD_ID, given);
  return typeof exit === "number" ? exit : null;
}

const REPAIR = "Run it again; if it still fails, install this program again.";

const HOOKS: readonly string[] = ["pre-compact", "session-start", "gate"];

/** What is said where the part is missing or damaged that says such things, as in the middle of an update; the exit code. No hook hurts its client. */
function sayBroken(task: string, error: unknown): number {
  const why = error instanceof Error ? error.message : String(error);
  if (HOOKS.includes(task)) {
    if (process.env.CONTEXT_DISABLED === "1") return 0;
    if (task === "pre-compact" && !process.argv.includes("--guidance")) process.stdout.write("{}\n");
    process.stderr.write(`context: a fault of ours, please report it: ${why}\n`);
    return 0;
  }
  const message = `A part of this program cannot be loaded: ${why}`;
  const document = { schema_version: 1, ok: false, error: { code: "fault", message, hint: REPAIR } };
  if (process.argv.includes("--json")) process.stdout.write(`${JSON.stringify(document)}\n`);
  process.stderr.write(`context: ${message}\n  ${REPAIR}\n`);
  return EXIT_FAULT;
}
