import { homedir } from "node:os";
import { join } from "node:path";

/** The client's own folder: `CLAUDE_CONFIG_DIR`, else `.claude` in the home folder. */
export function clientFolder(env: Readonly<Record<string, string | undefined>>): string {
  return env.CLAUDE_CONFIG_DIR || join(homeFolder(env), ".claude");
}

/** `HOME`, else what the system says. */
export function homeFolder(env: Readonly<Record<string, string | undefined>>): string {
  return env.HOME || homedir();
}
