import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { err, ok, type Result } from "../base/result.ts";
import { homeFolder } from "../platform/home-folder.ts";
import { isFolder, isGone, isSameFile } from "../platform/stat-of.ts";

export interface RootQuery {
  /** `-C` or `--root`. */
  readonly option: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Hook commands take the client's word for where the project is. */
  readonly hook: boolean;
  /** Where a hook's client says that the agent stands: it counts where the working directory is in no project. */
  readonly stands?: string | null | undefined;
}

/** The project's root as an absolute path, or a sentence about the folder that was named and is none. */
export function resolveRoot(query: RootQuery): Result<string, string> {
  const found = findRoot(query);
  return found.ok ? ok(found.value.root) : found;
}

export interface FoundRoot {
  readonly root: string;
  /** What settled it, as a phrase: `named by CONTEXT_ROOT`. */
  readonly why: string;
}

/** As `resolveRoot`, with what settled it. */
export function findRoot({ option, env, cwd, hook, stands }: RootQuery): Result<FoundRoot, string> {
  const named: [string, string | undefined][] = [
    ["--root", option],
    ["CONTEXT_ROOT", env.CONTEXT_ROOT],
    ["CLAUDE_PROJECT_DIR", hook ? env.CLAUDE_PROJECT_DIR : undefined],
  ];
  for (const [name, value] of named) {
    if (value === undefined || value === "") continue;
    const folder = resolve(cwd, value);
    if (!isFolder(folder)) return err(`${name} names ${folder}, which is no folder.`);
    return ok({ root: folder, why: `named by ${name}` });
  }
  const home = homeFolder(env);
  const nearest = nearestProject(cwd, home) ?? (stands && isFolder(stands) ? nearestProject(stands, home) : null);
  if (nearest !== null) return ok(nearest);
  const root = resolve(cwd);
  // To write there would make a folder again that somebody took away, a worktree's say.
  if (isGone(root)) return err(`There is no folder ${root} any more.`);
  return ok({ root, why: NO_PROJECT });
}

const NO_PROJECT = "the working directory: neither it nor a folder above holds session/agents, .claude or .git";

function nearestProject(cwd: string, home: string): FoundRoot | null {
  for (let at = resolve(cwd); ; at = dirname(at)) {
    const mark = markOf(at);
    // The home folder's own `.claude` holds the person's settings: it does not make every folder below one project.
    if (mark !== undefined && (mark !== ".claude" || !isSameFile(at, home))) {
      return { root: at, why: `the nearest folder that holds ${mark}` };
    }
    if (dirname(at) === at) return null;
  }
}

function markOf(folder: string): string | undefined {
  return ["session/agents", ".git", ".claude"].find((name) => existsSync(join(folder, name)));
}

/** Whether a folder is what a command that runs in it takes for a project's root. */
export function isProject(folder: string): boolean {
  return markOf(folder) !== undefined;
}
