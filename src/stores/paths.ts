import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { type MachineName, machineName, type RoleName } from "../lifecycle/role.ts";
import { isPlain } from "../platform/contain.ts";
import type { SharedMachines } from "./shared-machines.ts";

/** Every path that this program reads or writes, spelled once. */
export interface ProjectPaths {
  readonly root: string;
  /** Holds the machines' env files. */
  readonly machines: string;
  /** No link may lead a machine's file out of this folder: the project, or `CONFIG_PATH` where that is set. */
  readonly machinesRoot: string;
  readonly agents: string;
  readonly cache: string;
  /** Holds the machines where they are not kept in files. */
  readonly shared?: SharedMachines;
  /** The project whose hooks the client runs, where this is a worktree of it that the agent went to. */
  readonly main?: ProjectPaths;
}

/** The paths of the project at `root`, an absolute path. */
export function projectPaths(root: string, env: Readonly<Record<string, string | undefined>>): ProjectPaths {
  // From the root: the agent's shell goes elsewhere, and its state must not.
  const config = env.CONFIG_PATH ? resolve(root, env.CONFIG_PATH) : null;
  return {
    root,
    machines: config === null ? join(root, "session", "stateMachines") : join(config, "stateMachines"),
    machinesRoot: config ?? root,
    agents: join(root, "session", "agents"),
    cache: join(root, "session", ".cache"),
  };
}

export const CONTEXT_SUFFIX = ".context.md";
export const MACHINE_SUFFIX = ".states.env";
export const HISTORY_SUFFIX = ".history.jsonl";

export function contextFilePath(paths: ProjectPaths, role: RoleName): string {
  return join(paths.agents, `${role}${CONTEXT_SUFFIX}`);
}

export function machinePath(paths: ProjectPaths, role: RoleName): string {
  return join(paths.machines, `${machineName(role)}${MACHINE_SUFFIX}`);
}

export function historyPath(paths: ProjectPaths, machine: MachineName): string {
  return join(paths.machines, `${machine}${HISTORY_SUFFIX}`);
}

/** As `machinePath` and `contextFilePath`, for many roles: what they share is put together once. */
export function roleFiles(paths: ProjectPaths): {
  readonly machine: (role: string) => string;
  readonly context: (role: string) => string;
} {
  const machines = paths.machines + sep;
  const agents = paths.agents + sep;
  return {
    machine: (role) => machines + role.replaceAll("-", "_") + MACHINE_SUFFIX,
    context: (role) => agents + role + CONTEXT_SUFFIX,
  };
}

/** The lock of a machine, beside its env file. */
export function lockPath(machineFile: string): string {
  return `${machineFile}.lock`;
}

/** Where a role's instructions for the agent may lie, relative to the root: in a folder of its own, or as the client keeps a sub-agent's. */
export function skillPaths(role: RoleName): readonly [own: string, client: string] {
  return [`.claude/agents/${role}/SKILL.md`, `.claude/agents/${role}.md`];
}

export function configPath(paths: ProjectPaths): string {
  return join(paths.root, "context.yaml");
}

/** A path that a file names, which is relative to the root unless it is absolute. */
export function inRoot(paths: ProjectPaths, path: string): string {
  return resolve(paths.root, path);
}

/** A path as a person reads it: relative to the root where it lies below, with forward slashes. */
export function shownPath(paths: ProjectPaths, path: string): string {
  // A place that is not on this disk.
  if (!isAbsolute(path)) return path;
  if (path.startsWith(`${paths.root}/`) && isPlain(path)) return path.slice(paths.root.length + 1);
  const way = relative(paths.root, path);
  return way === "" || way.startsWith("..") ? path : way.split(sep).join("/");
}
