import { dirname } from "node:path";
import { QUICK } from "../../src/cli/start.ts";
import { LAUNCHER } from "./program-under-test.ts";
import { type Servant, startServant } from "./servant.ts";

/** A start of the launcher: words, whole environment, and what standard input holds. */
export interface Line {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** These wait for signals or look for the process that they are; the last is standard input, which is read by a stream of Node's. */
const OWN_PROCESS: ReadonlySet<string> = new Set(["lifecycle.wait", "lifecycle.compact", "--watch", "-"]);

/** What the launcher, the loader or Node itself reads: only a start of theirs shows what comes of it. */
const OF_A_START = /^(?:NODE_.*|LD_.*|PWD|CONTEXT_(?:NODE|DISABLED|PROBE))$/;

/** What a pipe holds: more would wait for a reader. */
const PIPE_BYTES = 65_536;

/** Launchers of the program under test: its own, and those of copies that a test names. */
const serves = new Set([LAUNCHER]);

export function serveAlso(launcher: string): void {
  serves.add(launcher);
}

/**
 * Whether a process that stays can show what this start does (resident.mjs): an empty start of Node takes two thirds of what
 * most commands take. `CONTEXT_TEST_PROCESSES=1` has each start be a process of its own.
 */
export function isForResident({ file, args, env, input }: Line): boolean {
  return (
    process.env.CONTEXT_TEST_PROCESSES !== "1" &&
    serves.has(file) &&
    env.CONTEXT_NATIVE === "0" &&
    env.PATH === process.env.PATH &&
    input.length <= PIPE_BYTES &&
    !Object.keys(env).some((name) => OF_A_START.test(name)) &&
    !args.some((word) => OWN_PROCESS.has(word))
  );
}

/** By the folder of the program that it holds. */
const residents = new Map<string, Servant<Answer>>();

export function askResident({ file, args, cwd, env, input }: Line): Answer {
  const root = dirname(file);
  const resident = residents.get(root) ?? startServant<Answer>("resident.mjs", [root]);
  residents.set(root, resident);
  try {
    return resident.ask({ args, cwd, env, input: input.toString("base64"), quick: QUICK.get(args[0] ?? "") ?? null });
  } catch (error) {
    residents.delete(root);
    throw error;
  }
}
