import { existsSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { browserMissing } from "./browser.ts";
import { redisMissing } from "./redis-server.ts";

/** What fetches gives up before that, where a mirror hangs: a minute for its lists, and two for each of four packages. */
const LONGEST_MS = 600_000;

/**
 * Before all tests of `.ci/run`, which fetches programs while it builds: waits for the file that it makes when it is done, then
 * requires what is there, so that no test of it is skipped. Where `CONTEXT_FETCHED` names no such file nothing is waited for.
 */
export default async function setup(): Promise<void> {
  const fetched = process.env.CONTEXT_FETCHED;
  if (!fetched) return;
  const end = Date.now() + LONGEST_MS;
  while (!existsSync(fetched) && Date.now() < end) await setTimeout(200);
  if (browserMissing() === null) process.env.CONTEXT_BROWSER = "required";
  if (redisMissing() === null) process.env.CONTEXT_REDIS = "required";
}
