import type { World } from "../platform/world.ts";
import { EXIT } from "./exit-code.ts";

/**
 * The exit code of a command that has written its results. A result that a full disk swallowed is none: whoever reads the file
 * later would take what is left of it for the whole. Hooks do not ask, since a code of theirs would stop the client.
 */
export function codeOfWritten({ stdout, stderr }: Pick<World, "stdout" | "stderr">, code: number): number {
  const failure = stdout.failure();
  if (failure === null) return code;
  stderr.write(`context: Standard output cannot be written: ${failure}.\n  What stands there is not whole.\n`);
  return code === EXIT.done ? EXIT.failed : code;
}
