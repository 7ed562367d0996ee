import { openUserConfig, readable, type UserConfig } from "./open-user-config.ts";
import { scanNested } from "./scan-nested.ts";

const COMPLETED = "learning_tracker.completed.";

/** Reads the user's configuration without a YAML parser; "needs-yaml" for what the plain scan cannot take. */
export function parseUserConfigFast(text: string): UserConfig | "needs-yaml" {
  const block = openUserConfig(text);
  if ("pending" in block) return block;
  const values = scanNested(block.raw);
  if (values === null) return "needs-yaml";
  const completed = new Map<string, string>();
  for (const [path, value] of values) {
    if (path.startsWith(COMPLETED)) completed.set(path.slice(COMPLETED.length), value);
  }
  // A list with something in it needs a parser: what the scan takes dismisses nothing.
  return readable({ completed, dismissed: [] });
}
