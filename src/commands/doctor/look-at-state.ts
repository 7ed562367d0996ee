import { join } from "node:path";
import { valueOr } from "../../base/result.ts";
import type { StateFacts } from "../../doctor/facts.ts";
import { machineName } from "../../lifecycle/role.ts";
import { stuckReason } from "../../lifecycle/stuck.ts";
import { gitEnv } from "../../platform/git-env.ts";
import { homeFolder } from "../../platform/home-folder.ts";
import { run } from "../../platform/run.ts";
import type { LoadedConfig } from "../../stores/config-store.ts";
import { listContextFiles, roleOfContextFile } from "../../stores/context-file-store.ts";
import { filesNaming } from "../../stores/git-exposure.ts";
import { findLeftovers, writtenFolders } from "../../stores/leftovers-store.ts";
import { listMachines, readMachine } from "../../stores/machine-store.ts";
import { historyPath, machinePath, shownPath } from "../../stores/paths.ts";
import { precompactStatePath, readPrecompactState } from "../../stores/precompact-state-store.ts";
import { projectSettings } from "../../stores/setup-file.ts";
import { type Unwritable, whyUnwritable, whyUnwritableFile } from "../../stores/unwritable-folder.ts";
import { checkContext } from "../check-context.ts";
import type { CommandContext } from "../command-context.ts";
import { machineReport } from "../lifecycle/machine-report.ts";
import { ownerLife } from "../lifecycle/owner-life.ts";
import { ownPatterns } from "../redact-patterns.ts";
import type { Report } from "../report.ts";

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
        return told(shown(history), whyUnwritableFile(history));
      }),
    ],
    machines: roles,
    precompact: precompactProblem(context, config),
    config: [...config.notes, ...ownPatterns(config.value).notes].map((note) => note.replace(/^context\.yaml:? /, "")),
    ...contexts,
    unignored: await unignored(context),
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
    return {
      role,
      shown: shownPath(paths, paths.shared?.place(role) ?? machinePath(paths, role)),
      problem: machine.ok ? null : machine.error.message.replace(/\.$/, ""),
      way: machine.ok ? null : wayFor(machineReport(context, role, machine.error)),
      stuck:
        record !== null && record.since !== null && stuckReason(record, context.now(), ownerLife(record)) !== null
          ? { state: record.state, since: record.since }
          : null,
      hasContext: check.kind === "checked" || !check.missing,
    };
  });
}

/** For a person alone: what may not be read, or is of a later version, no command sets aside. */
function wayFor({ problem }: Report): string | null {
  return /^state-(?:inaccessible|newer)$/.test(problem?.code ?? "")
    ? (problem?.hint?.replace("Nothing was changed. ", "") ?? null)
    : null;
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
    const check = checkContext(context, role, null);
    return check.kind === "unreadable" || !check.valid;
  });
  return {
    contexts: all.length,
    invalidContexts: invalidContexts.map((name) => shownPath(paths, join(paths.agents, name))),
  };
}

/** Files that name this machine's paths and that git would take along; none where there is no repository or no git. */
async function unignored({ paths, env }: CommandContext): Promise<StateFacts["unignored"]> {
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
  const input = files.map(({ path }) => `${path}\0`).join("");
  const ran = await run("git", ["check-ignore", "--stdin", "-z", "--verbose", "--non-matching"], {
    cwd: paths.root,
    env: gitEnv(env),
    input,
  });
  // 0 and 1 are answers; anything else is no repository, or no git.
  if (ran.exitCode !== 0 && ran.exitCode !== 1) return [];
  const fields = ran.stdout.split("\0");
  const open = new Set<string>();
  for (let at = 0; at + 3 < fields.length; at += 4) if (fields[at] === "") open.add(fields[at + 3] ?? "");
  const kept = files.filter(({ path }) => open.has(path));
  const cache = kept.filter(({ kind }) => kind === "cache").slice(0, 1);
  return [
    ...cache.map(({ kind }) => ({ shown: `${shownPath(paths, paths.cache)}/`, kind })),
    ...kept.filter(({ kind }) => kind === "local").map(({ path, kind }) => ({ shown: shownPath(paths, path), kind })),
  ];
}
