import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Floor 0, and the pure rooms of floor 1. */
export const ROOMS = [
  "base",
  "config",
  "context-file",
  "doctor",
  "gate",
  "install",
  "lifecycle",
  "projects",
  "report",
  "resume",
  "session-start",
  "skills",
  "thread",
  "trail",
  "transcript",
  "workspace",
];

/** Tests that start processes, build, or take large inputs by the hundred: a mutant may take no seconds. */
const LEFT_OUT =
  /speed\.test|env-text-shell|token-estimate\.test|hook-scripts|shell-words-shell|plugin\.test|launchers|mermaid\.test|real-transcripts|trail\/recall|thread\/bundle|session-start\/hostile/;

/** The test files of a room, which stand where its source stands. */
export function testsOf(folder, room) {
  return readdirSync(join(folder, "tests", room), { recursive: true })
    .map((name) => `tests/${room}/${String(name).replaceAll("\\", "/")}`)
    .filter((name) => name.endsWith(".test.ts") && !LEFT_OUT.test(name))
    .sort();
}
