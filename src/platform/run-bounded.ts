import { type ChildProcess, spawn } from "node:child_process";
import { monotonicMs } from "./clock.ts";
import { orNull } from "./fs-error.ts";

export interface BoundedOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: string;
  readonly limitMs: number;
}

export interface BoundedRun {
  /** Null where it could not be started, or was ended by a signal. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly ms: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** More than any answer that is of use. */
const OUTPUT_MAX_BYTES = 1024 * 1024;
/** A child that lives on may hold the pipes for ever; what the program itself wrote is read by then. */
const DRAIN_MS = 250;

/** Runs a program with its whole process group, which is ended where it takes longer than the limit. */
export function runBounded(file: string, args: readonly string[], options: BoundedOptions): Promise<BoundedRun> {
  const { cwd, env, input, limitMs } = options;
  return new Promise((resolve) => {
    const started = monotonicMs();
    // A group of its own: ending a shell leaves what it started. Without numbers for its streams' files it has none.
    const child: ChildProcess = spawn(file, args, { cwd, env: { ...env }, stdio: "pipe", detached: true });
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);
    let timedOut = false;
    let exitCode: number | null = null;
    let ended = false;
    const finish = (failure?: unknown): void => {
      if (ended) return;
      ended = true;
      clearTimeout(guard);
      const ms = Math.round(monotonicMs() - started);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
      resolve({
        exitCode,
        timedOut,
        ms,
        stdout: stdout(),
        stderr: failure instanceof Error ? failure.message : stderr(),
      });
    };
    const guard = setTimeout(() => {
      timedOut = true;
      endGroup(child);
      setTimeout(finish, DRAIN_MS).unref();
    }, limitMs);
    child.once("error", finish);
    child.once("exit", (code) => {
      exitCode = timedOut ? null : code;
      setTimeout(finish, DRAIN_MS).unref();
    });
    child.once("close", finish);
    // The program may be gone before it has read all of it.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = [];
  let length = 0;
  stream?.on("data", (chunk: Buffer) => {
    if (length < OUTPUT_MAX_BYTES) chunks.push(chunk);
    length += chunk.length;
  });
  return () => Buffer.concat(chunks).toString("utf8");
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  // All of it may have ended meanwhile.
  orNull(() => process.kill(-pid, "SIGKILL"));
}
