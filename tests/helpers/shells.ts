import { runProgram } from "./run-program.ts";

const KNOWN: readonly (readonly string[])[] = [
  ["dash"],
  ["bash"],
  ["bash", "--posix"],
  ["busybox", "sh"],
  ["zsh", "--emulate", "sh"],
  ["mksh"],
  ["ksh"],
];

/** The shells of this machine that may be someone's `sh`, each as the words that start it. */
export const SHELLS: readonly (readonly string[])[] = KNOWN.filter(
  ([file = ""]) => runProgram("sh", ["-c", `command -v ${file}`], { cwd: "/" }).code === 0,
);
