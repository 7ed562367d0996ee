import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

/** A folder of its own under the system's temporary one, that every user may enter. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "context-test-"));
  chmodSync(folder, 0o755);
  return folder;
}

export function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** A script and all that it imports as one file that plain Node runs; gives that file's path. */
export function bundleScript(script: URL, folder: string): string {
  const outfile = join(folder, `${basename(script.pathname, ".ts")}.cjs`);
  buildSync({ entryPoints: [fileURLToPath(script)], outfile, bundle: true, platform: "node", target: "node20" });
  return outfile;
}

/** Root may read and write everything: what is refused must be tried as somebody else. */
export const NOBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** A Node process that a test talks to: what it has said, line by line, and how it ended. */
export interface Running {
  readonly child: ChildProcess;
  readonly lines: readonly string[];
  /** Settles when the process has said this many lines, or has ended before. */
  readonly said: (count: number) => Promise<void>;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null; readonly stderr: string }>;
}

export function run(command: string, args: readonly string[], options: { cwd?: string } & typeof NOBODY = {}): Running {
  // A warning of Node's about a setting of whoever runs the tests is none of the script's words.
  const env = { PATH: process.env.PATH ?? "", HOME: "/nonexistent" };
  const child = spawn(command, args, { ...options, env, stdio: ["pipe", "pipe", "pipe"] });
  const lines: string[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  let rest = "";
  let stderr = "";
  const settle = (all: boolean) => {
    for (const waiter of waiting.splice(0)) {
      if (all || lines.length >= waiter.count) waiter.resolve();
      else waiting.push(waiter);
    }
  };
  child.stdout.on("data", (chunk: Buffer) => {
    const parts = (rest + chunk.toString("utf8")).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
    settle(false);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString("utf8");
  });
  child.stdin.on("error", () => undefined);
  const ended = new Promise<{ code: number | null; signal: string | null; stderr: string }>((resolve) => {
    child.on("close", (code, signal) => {
      resolve({ code, signal, stderr });
      settle(true);
    });
  });
  const said = (count: number) =>
    new Promise<void>((resolve) => {
      waiting.push({ count, resolve });
      settle(child.exitCode !== null || child.signalCode !== null);
    });
  return { child, lines, said, ended };
}

export function runNode(script: string, args: readonly string[], options: typeof NOBODY = {}): Running {
  return run(process.execPath, [script, ...args], options);
}

const NO_LINKS = fileURLToPath(new URL("./fixtures/no-links.cjs", import.meta.url));

/** As `runNode`, as on a file system where no file can have two names. */
export function runWithoutLinks(script: string, args: readonly string[]): Running {
  return run(process.execPath, ["--require", NO_LINKS, script, ...args]);
}
