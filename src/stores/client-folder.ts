import { join } from "node:path";
import { homeFolder } from "../platform/home-folder.ts";

/** The client's own folder: `CLAUDE_CONFIG_DIR`, else `.claude` in the home folder. */
export function clientFolder(env: Readonly<Record<string, string | undefined>>): string {
  return env.CLAUDE_CONFIG_DIR || join(homeFolder(env), ".claude");
}
