import { isAbsolute, join } from "node:path";
import { valueOr } from "../../base/result.ts";
import type { StateFacts } from "../../doctor/facts.ts";
import { machineName } from "../../lifecycle/role.ts";
import { stuckReason } from "../../lifecycle/stuck.ts";
import { gitEnv } from "../../platform/git-env.ts";
import { homeFolder } from "../../platform/home-folder.ts";
import { run } from "../../platform/run.ts";
import { isFolder } from "../../platform/stat-of.ts";
import type { LoadedConfig } from "../../stores/config-store.ts";
import { listContextFiles, roleOfContextFile } from "../../stores/context-file-store.ts";
import { filesNaming } from "../../stores/git-exposure.ts";
import { findLeftovers, writtenFolders } from "../../stores/leftovers-store.ts";
import { listMachines, readMachine } from "../../stores/machine-store.ts";
import { historyPath, lockPath, machinePath, shownPath } from "../../stores/paths.ts";
import { precompactStatePath, readPrecompactState } from "../../stores/precompact-state-store.ts";
import { projectSettings } from "../../stores/setup-file.ts";
import { type Unwritable, whyNoFile, whyUnwritable, whyUnwritableFile } from "../../stores/unwritable-folder.ts";
import { checkContext, isGood } from "../check-context.ts";
import type { CommandContext } from "../command-context.ts";
import { machineReport } from "../lifecycle/machine-report.ts";
import { ownerLife } from "../lifecycle/owner-life.ts";
import { ownPatterns } from "../redact-patterns.ts";
import type { FailedReport } from "../report.ts";

/** What lies in the project's folders, and whether it can be used. */
export async function lookAtState(context: CommandContext, config: LoadedConfig): Promise<StateFacts> {
  const { paths } = context;
  const shown = (path: string): string => shownPath(paths, path);
  const folders = writtenFolders(paths, config.value);
  const found = findLeftovers(folders, context.now());
  // What `sudo` once made in them may be root's.
  const caches = folders.filter((folder) => folder.slice(paths.root.length).includes(".cache"));
  const contexts = contextFiles(context);
  const roles = machines(context);
  return {
    setAside: found.setAside.map(shown),
    staleLocks: found.locks.map(({ path, owner }) => ({ shown: shown(path), owner })),
    leftovers: found.temporaries.map(shown),
    unwritable: [
      ...[...new Set([paths.agents, paths.machines, paths.cache, ...caches])].flatMap((folder) =>
        told(
          `${shown(folder)}/`,
          whyUnwritable(folder, folder === paths.machines ? paths.machinesRoot : paths.root, shown),
        ),
      ),
      ...roles.flatMap(({ role }) => {
        const history = historyPath(paths, machineName(role));
        // Whoever may write to the folder may take over a lock.
        const lock = lockPath(machinePath(paths, role));
        return [
          ...told(shown(history), whyUnwritableFile(history, paths.machinesRoot)),
          ...told(shown(lock), whyNoFile(lock, paths.machinesRoot)),
        ];
      }),
    ],
    machines: roles,
    precompact: precompactProblem(context, config),
    config: [...config.notes, ...ownPatterns(config.value).notes].map((note) => note.replace(/^context\.yaml:? /, "")),
    ...contexts,
    unignored: await unignored(context),
    ignored: await ignoredContext(context),
  };
}

function told(shown: string, why: Unwritable | null): StateFacts["unwritable"] {
  return why === null ? [] : [{ shown, message: `It ${why.message}.`, way: why.way }];
}

function machines(context: CommandContext) {
  const { paths } = context;
  return valueOr(listMachines(paths), []).map((role) => {
    const machine = readMachine(paths, role);
    const record = machine.ok ? (machine.value?.record ?? null) : null;
    const check = checkContext(context, role, record);
    const shown = shownPath(paths, paths.shared?.place(role) ?? machinePath(paths, role));
    return {
      role,
      shown,
      problem: machine.ok ? null : machine.error.message.replace(/\.$/, ""),
      way: machine.ok ? null : wayFor(machineReport(context, role, machine.error)),
      stuck:
        record !== null && record.since !== null && stuckReason(record, context.now(), ownerLife(record)) !== null
          ? { state: record.state, since: record.since }
          : null,
      hasContext: check.kind === "checked" || !check.missing,
      removal: paths.shared === undefined ? `delete ${shown}` : `run ${paths.shared.removal(role)}`,
    };
  });
}

/** For a person alone: what may not be read, or is of a later version, no command sets aside. */
function wayFor({ problem: { code, hint } }: FailedReport): string | null {
  return /^state-(?:inaccessible|newer)$/.test(code) ? (hint?.replace("Nothing was changed. ", "") ?? null) : null;
}

function precompactProblem({ paths }: CommandContext, config: LoadedConfig): StateFacts["precompact"] {
  const path = precompactStatePath(paths, config.value);
  const state = readPrecompactState(path);
  if (state.ok) return null;
  const { error } = state;
  const message = error.kind === "read" ? error.error.message : `is no state: ${error.message.replace(/\.$/, "")}`;
  return { shown: shownPath(paths, path), message };
}

function contextFiles(context: CommandContext): Pick<StateFacts, "contexts" | "invalidContexts"> {
  const { paths } = context;
  const all = valueOr(listContextFiles(paths), []);
  const invalidContexts = all.filter((name) => {
    const role = roleOfContextFile(name);
    if (role === null) return true;
    return !isGood(checkContext(context, role, null));
  });
  return {
    contexts: all.length,
    invalidContexts: invalidContexts.map((name) => shownPath(paths, join(paths.agents, name))),
  };
}

/** Files that name this machine's paths and that git would take along; none where there is no repository or no git. */
async function unignored({ paths, env }: Asked): Promise<StateFacts["unignored"]> {
  const machine = [paths.root, homeFolder(env)].filter((path) => path.length > 1);
  const local = projectSettings(paths, "local").path;
  const files = [
    ...filesNaming(paths.cache, machine).map((path) => ({ path, kind: "cache" as const })),
    ...filesNaming(paths.machines, machine).map((path) => ({ path, kind: "local" as const })),
    // The program may lie outside of both, as in /opt: `init` names it in these settings for that alone.
    ...filesNaming(join(paths.root, ".claude"), [...machine, "CONTEXT_PROGRAM="]).flatMap((path) =>
      path === local ? [{ path, kind: "local" as const }] : [],
    ),
  ].filter(({ path }) => path.startsWith(paths.root));
  if (files.length === 0) return [];
  const rules = await ignoreRules(
    { paths, env },
    files.map(({ path }) => path),
  );
  if (rules === null) return [];
  const kept = files.filter(({ path }) => !rules.has(path));
  const cache = kept.filter(({ kind }) => kind === "cache").slice(0, 1);
  return [
    ...cache.map(({ kind }) => ({ shown: `${shownPath(paths, paths.cache)}/`, kind })),
    ...kept.filter(({ kind }) => kind === "local").map(({ path, kind }) => ({ shown: shownPath(paths, path), kind })),
  ];
}

/** The first context file that git leaves out of a commit, and the rule; what a person keeps out of this one clone (`info/exclude`) was meant. */
async function ignoredContext({ paths, env }: Asked): Promise<StateFacts["ignored"]> {
  if (!isFolder(paths.agents)) return null;
  const names = valueOr(listContextFiles(paths), []);
  // Where there is none yet, what a first one would meet.
  const files = (names.length > 0 ? names : ["role.context.md"]).map((name) => join(paths.agents, name));
  const rules = await ignoreRules({ paths, env }, files);
  for (const [path, { source, line, pattern }] of rules ?? []) {
    if (source.endsWith("info/exclude")) continue;
    const top = await run("git", ["rev-parse", "--show-cdup"], { cwd: paths.root, env: gitEnv(env) });
    const instead = [paths.machines, paths.cache].map((folder) => `${shownPath(paths, folder)}/`);
    const shown = names.length > 0 ? shownPath(paths, path) : `${shownPath(paths, paths.agents)}/`;
    return {
      shown,
      place: { file: isAbsolute(source) ? source : join(top.stdout.trim(), source), line, column: null },
      pattern,
      instead,
    };
  }
  return null;
}

type Asked = Pick<CommandContext, "paths" | "env">;

interface IgnoreRule {
  /** From the repository's top, where it lies in the repository. */
  readonly source: string;
  readonly line: number;
  readonly pattern: string;
}

/** By which rule git ignores each of the files, where it does; null where there is no repository or no git. */
async function ignoreRules({ paths, env }: Asked, files: readonly string[]): Promise<Map<string, IgnoreRule> | null> {
  const ran = await run("git", ["check-ignore", "--stdin", "-z", "--verbose", "--non-matching"], {
    cwd: paths.root,
    env: gitEnv(env),
    input: files.map((path) => `${path}\0`).join(""),
  });
  // 0 and 1 are answers; anything else is no repository, or no git.
  if (ran.exitCode !== 0 && ran.exitCode !== 1) return null;
  const rules = new Map<string, IgnoreRule>();
  const fields = ran.stdout.split("\0");
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [source = "", line, pattern = "", path = ""] = fields.slice(at, at + 4);
    if (source !== "" && !pattern.startsWith("!")) rules.set(path, { source, line: Number(line), pattern });
  }
  return rules;
}
