import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { err, ok, type Result } from "../base/result.ts";
import { isFsError } from "../platform/fs-error.ts";

export interface RootQuery {
  /** `-C` or `--root`. */
  readonly option: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Hook commands take the client's word for where the project is. */
  readonly hook: boolean;
}

/** The project's root as an absolute path, or a sentence about the folder that was named and is none. */
export function resolveRoot(query: RootQuery): Result<string, string> {
  const { option, env, cwd, hook } = query;
  const named: [string, string | undefined][] = [
    ["--root", option],
    ["CONTEXT_ROOT", env.CONTEXT_ROOT],
    ["CLAUDE_PROJECT_DIR", hook ? env.CLAUDE_PROJECT_DIR : undefined],
  ];
  for (const [name, value] of named) {
    if (value === undefined || value === "") continue;
    const folder = resolve(cwd, value);
    return isFolder(folder) ? ok(folder) : err(`${name} names ${folder}, which is no folder.`);
  }
  return ok(nearestProject(cwd, env.HOME || homedir()) ?? resolve(cwd));
}

function nearestProject(cwd: string, home: string): string | null {
  for (let at = resolve(cwd); ; at = dirname(at)) {
    if (["session/agents", ".git"].some((mark) => existsSync(join(at, mark)))) return at;
    // The home folder's own `.claude` holds the person's settings: it does not make every folder below one project.
    if (existsSync(join(at, ".claude")) && !isHome(at, home)) return at;
    if (dirname(at) === at) return null;
  }
}

/** By what the folders are and not by their names: a home is often a link, and the working directory is not. */
function isHome(folder: string, home: string): boolean {
  try {
    const a = statSync(folder);
    const b = statSync(home);
    return a.ino === b.ino && a.dev === b.dev;
  } catch (error) {
    if (isFsError(error)) return false;
    throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (isFsError(error)) return false;
    throw error;
  }
}
