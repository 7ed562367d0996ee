import { existsSync } from "node:fs";
import { platform } from "node:os";
import { dirname, join } from "node:path";
import { isArray, isObject, type JsonObject, parseJson, stringAt } from "../base/json-value.ts";
import { valueOr } from "../base/result.ts";
import { homeFolder } from "../platform/home-folder.ts";
import { readText } from "../platform/read-text.ts";
import { clientFolder } from "./client-folder.ts";
import { listFolder } from "./list-folder.ts";
import { realPathOf, type SetupFile } from "./setup-file.ts";
import { repositoryRoot } from "./worktree.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Where Claude Code looks for an administrator's settings, by system. */
export function managedSettingsPath(): string {
  switch (platform()) {
    case "darwin":
      return "/Library/Application Support/ClaudeCode/managed-settings.json";
    case "win32":
      return "C:\\Program Files\\ClaudeCode\\managed-settings.json";
    default:
      return "/etc/claude-code/managed-settings.json";
  }
}

/** The administrator's settings, and those in the folder beside them, of which the client reads every one. */
export function managedFiles(path: string): readonly string[] {
  const folder = join(dirname(path), "managed-settings.d");
  const names = valueOr(listFolder(folder), []).filter((name) => /^[^.].*\.json$/.test(name));
  return [path, ...names.map((name) => join(folder, name))];
}

/** A file that is only read. */
export function lookedAt(path: string): SetupFile {
  return { path, root: dirname(realPathOf(path) ?? path) };
}

/** The client's own state can hold the history of every project. */
const STATE_MAX_BYTES = 64 * 1024 * 1024;

/** Where the client keeps what it was told of each folder. It looks for the older place first, which a container that keeps its folder alone goes by. */
export function clientStatePath(env: Env): string {
  const own = join(clientFolder(env), ".config.json");
  if (existsSync(own)) return own;
  return join(env.CLAUDE_CONFIG_DIR || homeFolder(env), ".claude.json");
}

/**
 * Whether the client was told to trust a folder, or one above it in the same repository, or that a worktree is of: so takes it
 * 2.1.332, while 2.0.76 went on above the repository. Null where the client has kept nothing yet, as before its first session.
 */
export function isTrusted(env: Env, root: string): boolean | null {
  const path = clientStatePath(env);
  if (!existsSync(path)) return null;
  const projects = readObject(path)?.projects;
  if (!isObject(projects)) return false;
  for (const start of [root, realPathOf(root) ?? root, repositoryRoot(root)]) {
    for (let at = start; ; at = dirname(at)) {
      const entry = projects[at];
      if (isObject(entry) && entry.hasTrustDialogAccepted === true) return true;
      if (dirname(at) === at || existsSync(join(at, ".git"))) break;
    }
  }
  return false;
}

/** The folder of an installed plugin, by its whole name (`name@marketplace`); null where the client has none. */
export function pluginFolder(env: Env, plugin: string): string | null {
  const folder = join(clientFolder(env), "plugins");
  const installed = readObject(join(folder, "installed_plugins.json"));
  const entry = isObject(installed?.plugins) ? installed.plugins[plugin] : undefined;
  // One record, or one for each scope it is installed in.
  const records = (isArray(entry) ? entry : [entry]).filter(isObject);
  const paths = records.flatMap((record) => stringAt(record, "installPath") ?? []);
  return paths.findLast((path) => realPathOf(path) !== null) ?? null;
}

function readObject(path: string): JsonObject | null {
  const file = readText(path, STATE_MAX_BYTES);
  // What is no JSON was half written by the client; it is its own to mend.
  const value = file.ok ? parseJson(file.value.text) : null;
  return isObject(value) ? value : null;
}
