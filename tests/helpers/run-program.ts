import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { askResident, isForResident } from "./resident.ts";
import { type Servant, startServant } from "./servant.ts";

export interface Ran {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  /** As this user and group; only root may. */
  readonly as?: number | undefined;
}

export interface StartOptions extends Omit<RunOptions, "input"> {
  readonly stdio?: StdioOptions;
  /**
   * Seconds of processor time, after which the system ends the program by a signal: a bound on its work that holds on a
   * machine that others use too.
   */
  readonly cpuSeconds?: number;
}

/** What a person's shell has, and nothing of the session that runs the tests. */
export const BARE_ENV: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? "/usr/bin:/bin",
  HOME: tmpdir(),
  TMPDIR: tmpdir(),
  LANG: "C.UTF-8",
  // Node, whatever was built here; `npm run test:native` has the native program run what it holds.
  ...(process.env.CONTEXT_TEST_NATIVE === "1" ? {} : { CONTEXT_NATIVE: "0" }),
};

/** Longer than any command takes on a machine of thirty times the load; a program that hangs is ended and has no exit code. */
const MOST_MS = 90_000;

/** What `spawnSync` gives; the error is its message. */
interface Outcome {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly error?: string;
}

/**
 * Node forks, and the system copies the page tables of whoever does so: of a worker that has run a hundred files of tests,
 * that takes a third of what the program itself takes.
 */
let starter: Servant<Outcome> | null = null;

export function runProgram(file: string, args: readonly string[], options: RunOptions): Ran {
  const { cwd, as, env = {}, input = "" } = options;
  const line = { file, args, cwd, env: { ...BARE_ENV, ...env }, input: Buffer.from(input) };
  if (as === undefined && isForResident(line)) {
    const { status: code, stdout, stderr } = askResident(line);
    return { code, signal: null, stdout, stderr };
  }
  starter ??= startServant<Outcome>("starter.mjs");
  const result = starter.ask({
    file,
    args,
    input: line.input.toString("base64"),
    options: {
      cwd,
      env: line.env,
      timeout: MOST_MS,
      maxBuffer: 64 * 1024 * 1024,
      ...(as === undefined ? {} : { uid: as, gid: as }),
    },
  });
  const { status: code, signal, stdout, stderr, error } = result;
  if (error !== undefined && code === null && signal === null) throw new Error(error);
  return { code, signal, stdout, stderr };
}

export interface Started {
  readonly child: ChildProcess;
  /** When the process has exited, whoever still holds its pipes. */
  readonly ended: Promise<Ran & { readonly ms: number }>;
}

/** Starts a program whose standard streams the test holds itself. */
export function startProgram(file: string, args: readonly string[], options: StartOptions): Started {
  const started = performance.now();
  const { cpuSeconds } = options;
  const limited = ["-c", 'ulimit -t "$0" && exec "$@"', `${cpuSeconds}`, file, ...args];
  const [program, words] = cpuSeconds === undefined ? [file, args] : ["sh", limited];
  const child = spawn(program, words, {
    cwd: options.cwd,
    env: { ...BARE_ENV, ...options.env },
    stdio: options.stdio ?? "pipe",
  });
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  // The program may be gone before it has read what the test writes.
  child.stdin?.on("error", () => undefined);
  const guard = setTimeout(() => child.kill("SIGKILL"), MOST_MS);
  const ended = new Promise<Ran & { ms: number }>((resolve, reject) => {
    child.once("error", reject);
    let exit: { code: number | null; signal: string | null; ms: number } | null = null;
    child.once("exit", (code, signal) => {
      exit = { code, signal, ms: performance.now() - started };
      // An open standard input would keep "close" from coming.
      child.stdin?.destroy();
    });
    child.once("close", () => {
      clearTimeout(guard);
      if (exit === null) reject(new Error(`${file} closed its streams and did not exit`));
      else resolve({ ...exit, stdout, stderr });
    });
  });
  return { child, ended };
}
