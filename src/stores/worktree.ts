import { existsSync } from "node:fs";
import { dirname, join, parse, resolve } from "node:path";
import { valueOr } from "../base/result.ts";
import { isInside, realPathInside } from "../platform/contain.ts";
import { readText } from "../platform/read-text.ts";
import { listFolder } from "./list-folder.ts";

/** In a worktree, `.git` is a file with one line. */
const GIT_LINK_MAX_BYTES = 8192;

/**
 * The root of a worktree of this project's repository that holds `path`: it has the same files as the project itself. Null
 * where the nearest repository around the path is another; `root` and `path` are real paths.
 */
export function worktreeRoot(root: string, path: string): string | null {
  for (let at = path; dirname(at) !== at; at = dirname(at)) {
    const link = readText(join(at, ".git"), GIT_LINK_MAX_BYTES);
    if (link.ok) return isWorktree(at, link.value.text, root) ? at : null;
    if (link.error.problem !== "missing") return null;
  }
  return null;
}

/** Where the repository lies that a root is a worktree of; null where it is none. */
export function mainCheckout(root: string): string | null {
  const link = readText(join(root, ".git"), GIT_LINK_MAX_BYTES);
  const named = link.ok ? /^gitdir: (.+)\/\.git\/worktrees\//.exec(link.value.text)?.[1] : undefined;
  if (!link.ok || named === undefined) return null;
  const main = realPath(resolve(root, named));
  return isWorktree(realPath(root), link.value.text, main) ? main : null;
}

/**
 * The folder whose `.claude/settings.local.json` the client (2.1.332) takes beside those of `root`, where it starts: that of the main
 * checkout of the repository; `root` where there is none.
 */
export function repositoryRoot(root: string): string {
  for (let at = root; dirname(at) !== at; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return mainCheckout(at) ?? at;
  }
  return root;
}

/** The roots of the worktrees that a main checkout's repository knows of and that are there. */
export function worktreesOf(main: string): readonly string[] {
  const entries = join(main, ".git", "worktrees");
  return valueOr(listFolder(entries), []).flatMap((name) => {
    const link = readText(join(entries, name, "gitdir"), GIT_LINK_MAX_BYTES);
    const file = link.ok ? resolve(entries, name, link.value.text.trim()) : "";
    // Git knows of hundreds that were deleted, for months: an error that says so of each takes ten times as long.
    if (!existsSync(file)) return [];
    const root = realPath(dirname(file));
    // Another folder may lie where one was.
    return mainCheckout(root) === main ? [root] : [];
  });
}

/** A path that cannot be followed is compared as it is written. */
export function realPath(path: string): string {
  return realPathInside(parse(path).root, path) ?? path;
}

/** Whether the repository knows of it too: a folder that somebody unpacked may hold such a link as well. */
function isWorktree(folder: string, link: string, root: string): boolean {
  const named = /^gitdir: ([^\r\n]+)/.exec(link)?.[1];
  if (named === undefined) return false;
  // Either may be relative, to where it stands.
  const entry = realPath(resolve(folder, named));
  if (!isInside(join(root, ".git", "worktrees"), entry)) return false;
  const back = readText(join(entry, "gitdir"), GIT_LINK_MAX_BYTES);
  return back.ok && realPath(resolve(entry, back.value.text.trim())) === join(folder, ".git");
}
