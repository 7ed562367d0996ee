import { isObject, parseJson } from "../base/json-value.ts";
import { PLUGIN_PREFIX } from "../install/plugin-name.ts";
import type { ProjectPaths } from "./paths.ts";
import { isUserFolder, readSetupFile, settingsFiles } from "./setup-file.ts";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Whether settings run a hook of ours at an event of the client while they switch the plugin on, which runs it too, or one file
 * runs it beside another by other commands: equal ones are run once. A file that cannot be read runs nothing.
 */
export function isRegisteredTwice(paths: ProjectPaths, env: Env, hook: string): boolean {
  let plugin = false;
  const first = new Set<string>();
  const commands: string[] = [];
  const isOurs = commandOf(hook);
  const files = settingsFiles(paths, env);
  // Each file overrides the one before, and the hooks of all run.
  for (const file of files.slice(isUserFolder(paths, env) ? 1 : 0)) {
    const read = readSetupFile(file);
    const settings = read.ok && read.value !== null ? parseJson(read.value.text.replace(/^\uFEFF/, "")) : undefined;
    if (!isObject(settings)) continue;
    const { enabledPlugins, hooks } = settings;
    for (const [name, enabled] of Object.entries(isObject(enabledPlugins) ? enabledPlugins : {}))
      if (name.startsWith(PLUGIN_PREFIX)) plugin = enabled !== false;
    const found = Array.from(JSON.stringify(hooks ?? {}).matchAll(COMMAND), ([command]) => command);
    const ours = found.filter((command) => isOurs.test(command));
    if (first.size === 0) for (const command of ours) first.add(command);
    commands.push(...ours);
  }
  return plugin ? commands.length > 0 : commands.some((command) => !first.has(command));
}

/** A script of a person's own may be called as ours is, but does not lie in that folder of a project, nor take these options. */
function commandOf(hook: string): RegExp {
  const program = `context(?:\\.\\w+)?['"\\\\]* (?:\\S+ )*${hook}\\b`;
  const script = `(?:context|CLAUDE_PROJECT_DIR).*/\\.claude/hooks/(?:context-)?${hook}\\.sh`;
  return new RegExp(`${program}|${script}|${hook}\\b.* --(?:part|guidance)`);
}

const COMMAND = /"command":"(?:[^"\\]|\\.)*"/g;
