import { processWorld } from "../platform/process-world.ts";
import { answerFault, main } from "./main.ts";

/** What `bin/context.js` runs where no command's own bundle does; the exit code. */
export async function run(build: string): Promise<number> {
  return main({ ...processWorld(), build });
}

/** Says what has to be said of a fault in a command's own bundle; the exit code. */
export async function fault(build: string, error: unknown): Promise<number> {
  return answerFault({ ...processWorld(), build }, error);
}

/** For a Node older than version `least`, which none of the commands runs under; the exit code. */
export async function oldNode(_build: string, least: unknown): Promise<number> {
  return (await import("./old-node.ts")).answerOldNode(processWorld(), Number(least));
}
