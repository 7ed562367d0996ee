import { processWorld } from "../platform/process-world.ts";
import { main } from "./main.ts";

/** What `bin/context.js` runs where no hook's own bundle does; the exit code. */
export async function run(build: string): Promise<number> {
  return main({ ...processWorld(), build });
}
