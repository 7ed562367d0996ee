import { BARE_ENV, runProgram } from "./run-program.ts";

/** Whether this machine has util-linux's `script`, which runs a command on a terminal of its own. */
export const HAS_TERMINAL: boolean =
  runProgram("sh", ["-c", "script --version 2>&1 | grep -q util-linux"], {
    cwd: "/",
  }).code === 0;

/** What a shell command writes to its terminal. */
export function onTerminal(line: string, options: { cwd: string; env?: Readonly<Record<string, string>> }): string {
  const { cwd, env = {} } = options;
  return runProgram("script", ["--quiet", "--command", line, "/dev/null"], {
    cwd,
    env: { ...env, SHELL: "/bin/sh", PATH: env.PATH ?? BARE_ENV.PATH ?? "" },
  }).stdout;
}
