import { processWorld } from "../platform/process-world.ts";
import { main } from "./main.ts";

/** What `bin/context.js` runs. */
export async function run(build: string): Promise<void> {
  process.exitCode = await main({ ...processWorld(), build });
}
