import { clipped } from "../base/clipped.ts";
import type { Config } from "../config/config.ts";
import { DEFAULT_CONFIG } from "../config/default-config.ts";
import { readText } from "../platform/read-text.ts";
import { configPath, type ProjectPaths } from "./paths.ts";

/** The YAML reader compares each key with each other: 64 kB of keys take it a third of a second. */
const CONFIG_MAX_BYTES = 64 * 1024;
const MOST_NOTES = 10;

export interface LoadedConfig {
  readonly value: Config;
  /** What is wrong with the file, one sentence each. */
  readonly notes: readonly string[];
}

/** The project's `context.yaml`, or the defaults where it has none; a bad file is reported and what is good in it holds. */
export async function loadConfig(paths: ProjectPaths): Promise<LoadedConfig> {
  const file = readText(configPath(paths), CONFIG_MAX_BYTES);
  if (!file.ok) {
    const notes =
      file.error.problem === "missing" ? [] : [`context.yaml ${file.error.message}; the defaults are used.`];
    return { value: DEFAULT_CONFIG, notes };
  }
  // Two libraries, loaded only where there is a file to read.
  const { parseConfig } = await import("../config/parse-config.ts");
  const { value, problems } = parseConfig(file.value.text);
  const notes = problems
    .slice(0, MOST_NOTES)
    .map((problem) => `context.yaml: ${clipped(problem, 300)}${problem.endsWith("?") ? "" : "."}`);
  if (problems.length > MOST_NOTES) notes.push(`context.yaml: ${problems.length - MOST_NOTES} more findings.`);
  return { value, notes };
}
