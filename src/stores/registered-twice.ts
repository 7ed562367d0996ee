import { isObject, parseJson } from "../base/json-value.ts";
import { PLUGIN_PREFIX } from "../install/plugin-name.ts";
import type { ProjectPaths } from "./paths.ts";
import { readSetupFile, settingsFiles } from "./setup-file.ts";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Whether settings run a hook of ours at an event of the client while they switch the plugin on, which runs it too. A file
 * that cannot be read runs nothing.
 */
export function isRegisteredTwice(paths: ProjectPaths, env: Env, hook: string): boolean {
  let plugin = false;
  let registered = false;
  // Each file overrides the one before, and the hooks of all run.
  for (const file of settingsFiles(paths, env)) {
    const read = readSetupFile(file);
    const settings = read.ok && read.value !== null ? parseJson(read.value.text.replace(/^\uFEFF/, "")) : undefined;
    if (!isObject(settings)) continue;
    const { enabledPlugins, hooks } = settings;
    for (const [name, enabled] of Object.entries(isObject(enabledPlugins) ? enabledPlugins : {}))
      if (name.startsWith(PLUGIN_PREFIX)) plugin = enabled !== false;
    registered ||= isObject(hooks) && JSON.stringify(hooks).includes(hook);
  }
  return plugin && registered;
}
