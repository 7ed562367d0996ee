import { opening } from "../../doctor/answer.ts";
import type { DoctorFacts, ExpectedHook, PlannedChange, SettingsLevel } from "../../doctor/facts.ts";
import { FIND_NODE } from "../../install/find-node.ts";
import { optionWords } from "../../install/hook-entries.ts";
import { ourCommand, wantedHooks } from "../../install/our-hooks.ts";
import { USER_SCRIPT } from "../../install/user-script.ts";
import { run } from "../../platform/run.ts";
import type { World } from "../../platform/world.ts";
import { clientStatePath, isTrusted } from "../../stores/client-store.ts";
import { loadConfig } from "../../stores/config-store.ts";
import { shownPath } from "../../stores/paths.ts";
import { HOOKS_FOLDER, isUserFolder } from "../../stores/setup-file.ts";
import type { CommandContext } from "../command-context.ts";
import { findProgram, programOfUser } from "../init/find-program.ts";
import { makePlan, type Plan } from "../init/plan.ts";
import type { SettingsFile } from "../init/plan-settings.ts";
import { openLevels } from "./levels.ts";
import { lookAtNative } from "./look-at-native.ts";
import { lookAtRole } from "./look-at-role.ts";
import { lookAtSessions } from "./look-at-sessions.ts";
import { lookAtState } from "./look-at-state.ts";
import { lookAtStore } from "./look-at-store.ts";
import { probeHooks } from "./probe.ts";

export interface GatherInput {
  /** This program's own version. */
  readonly version: string;
  /** Names of this program's commands. */
  readonly verbs: readonly string[];
  /** The administrator's settings. */
  readonly managed: string;
}

export interface Gathered {
  readonly facts: DoctorFacts;
  /** What `init` would do; null where it cannot be worked out. */
  readonly plan: Plan | null;
  /** Files whose hooks of ours the plugin makes superfluous. */
  readonly redundant: readonly SettingsFile[];
  /** Settings that may be edited. */
  readonly editable: readonly SettingsFile[];
  readonly notes: readonly string[];
}

/** Everything that the checks judge, as it is now; nothing is changed. */
export async function gather(context: CommandContext, world: World, input: GatherInput): Promise<Gathered> {
  const { paths, env } = context;
  const config = await loadConfig(paths);
  const { parts } = config.value.delivery;
  const open = openLevels(context, input);
  const { levels, files, plugin } = open;
  const refused = isTrusted(env, paths.root) === false;
  const isTaken = ({ level }: Pick<SettingsLevel, "level">): boolean => !(refused && /project|local|main/.test(level));
  // What a folder's settings say decides which programs are run.
  const ofHooks = {
    ...context,
    env: Object.fromEntries([{ env }, ...levels.filter(isTaken)].flatMap(({ env }) => Object.entries(env))),
  };
  const registers = (level: string): boolean => levels.some((each) => each.level === level && each.hooks.length > 0);
  const user = isUserFolder(paths, env) || (registers("user") && !registers("project") && !registers("local"));
  const found = await findProgram({ world, root: user ? null : paths.root, version: input.version });
  const program = user ? await programOfUser(world, found) : found;
  const made = makePlan(context, program, { remove: false, user, gate: false, parts });
  const isOfNoUse = program.kind === "none";
  // A settings file that cannot be read, or that the client drops, is a finding of its own, with its place.
  const explained = levels.some(({ problem, dropped }) => problem !== null || dropped !== null);
  const blocked = isOfNoUse
    ? {
        message: `Hooks cannot go by ${program.path}: ${program.why}.`,
        hint: "Install the package in the project or globally.",
      }
    : made.ok || explained
      ? null
      : { message: made.error.message, hint: made.error.hint ?? "Mend it there." };
  // What the client finds in the main checkout is not to be registered here as well.
  const elsewhere = registers("main") && !["user", "project", "local"].some(registers);
  const plan = made.ok && !isOfNoUse && !elsewhere ? made.value : null;
  const sessions = lookAtSessions(context, levels, [...files.values()]);
  const entries = levels
    .flatMap(({ dropped, hooks }) => (dropped === null ? hooks : []))
    .filter(({ fault }) => fault === null);
  const probed = await probeHooks(ofHooks, {
    entries: entries.filter((entry) => entry.plain && isTaken(entry)),
    pluginFolder: plugin?.folder ?? null,
    transcript: sessions.newest?.path ?? null,
  });
  const custom = entries.filter(({ plain }) => !plain);
  const redundant = plugin?.folder == null ? [] : redundantFiles(open.pluginLevel, files);
  const facts: DoctorFacts = {
    root: paths.root,
    version: input.version,
    invokedAs: context.invokedAs,
    init: `${context.invokedAs} init${user ? " --user" : ""}`,
    levels,
    plugin: plugin === null ? null : { name: plugin.name, enabledBy: plugin.enabledBy, files: plugin.folder !== null },
    redundant: redundant.map(({ shown }) => shown),
    trust: entries.some((entry) => !isTaken(entry))
      ? { place: { file: shownPath(paths, clientStatePath(env)), line: null, column: null } }
      : null,
    disabledByEnv: ofHooks.env.CONTEXT_DISABLED === "1",
    role: await lookAtRole(ofHooks, levels.filter(isTaken)),
    expected: expectedHooks(parts),
    plan: plan === null ? null : plan.changes.map((change) => planned(change.action, change.shown)),
    blocked,
    node: await nodeOfHooks(ofHooks, world),
    native: await lookAtNative(context, world),
    probes: probed.probes,
    unrun: probed.unrun,
    sessions: sessions.facts,
    store: await lookAtStore(context),
    state: await lookAtState(context, config),
  };
  const idle = probed.probes.filter(({ entry, program }) => entry.level === "plugin" && program === null);
  const notes = [
    ...(idle.length > 0 && idle.every(({ exitCode, stderr }) => exitCode === 0 && stderr === "")
      ? ["The plugin's hooks end at once in this project: it holds nothing that they are for."]
      : []),
    ...custom.map(
      ({ place, event }) =>
        `${place.file}:${place.line} runs a hook of context at ${event} in a line of your own: it is not run here.`,
    ),
  ];
  // Neither the administrator's nor the main checkout's.
  const editable = [...files].flatMap(([level, file]) => (/^ma/.test(level) || file.text === null ? [] : [file]));
  return { facts, plan, redundant, editable, notes };
}

function expectedHooks(parts: number): readonly ExpectedHook[] {
  return wantedHooks(parts, (hook) => `context ${hook}`).flatMap(({ event, command, timeout }) => {
    const ours = ourCommand(command, new Set());
    return ours === null ? [] : [{ event, hook: ours.hook, words: optionWords(command, ours.hook), timeout }];
  });
}

function planned(action: PlannedChange["action"], shown: string): PlannedChange {
  const folder = action === "create-folder" || action === "delete-folder";
  const script = shown.startsWith(`${HOOKS_FOLDER}/`) || shown.endsWith(`/${USER_SCRIPT}`);
  return { action, shown, kind: folder ? "folder" : script ? "script" : "settings" };
}

/** Hooks that the plugin registers for everybody who reads the file: one that is shared needs a plugin that is shared. */
function redundantFiles(level: string | null, files: ReadonlyMap<string, SettingsFile>): readonly SettingsFile[] {
  const reach = level === "project" ? ["project", "local"] : level === "local" ? ["local"] : ["local", "user"];
  return reach.flatMap((name) => {
    const file = files.get(name);
    return file === undefined || file.facts.events.length === 0 ? [] : [file];
  });
}

/** Looked for as the hook scripts do; where no shell can be asked, and so none can be said to be missing, this program's own. */
async function nodeOfHooks({ env, paths }: CommandContext, world: World): Promise<DoctorFacts["node"]> {
  // What Bun puts on the PATH of scripts runs as Node does, but knows no --version.
  const asked = `${FIND_NODE}command -v node && { node --version || node -e 'console.log(process.version)'; }`;
  const { exitCode, stdout, stderr } = await run("/bin/sh", ["-c", asked], { cwd: paths.root, env });
  const [path = "", ...said] = stdout.split("\n");
  // Its system begins with "node v22.1.0".
  if (path === "")
    return exitCode === null ? { path: world.interpreter, version: world.system?.slice(5) ?? "", says: "" } : null;
  const version = said.find((line) => /^v?\d+\./.test(line)) ?? "";
  return { path, version, says: opening(stderr || said.join("\n")) };
}
