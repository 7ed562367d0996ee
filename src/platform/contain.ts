import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { errnoOf } from "./fs-error.ts";

/** Whether `path` is `folder` or lies below it; both absolute, by their text alone. */
export function isInside(folder: string, path: string): boolean {
  if (path.startsWith(folder) && path.charAt(folder.length) === sep && !path.includes(`${sep}..`)) return true;
  if (isPlain(folder) && isPlain(path)) return path === folder || path.startsWith(`${folder}/`);
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** Whether its text says by itself where a path leads: to find that out Node's `relative` is compiled first. */
export function isPlain(path: string): boolean {
  return path.startsWith("/") && !UNEVEN.test(path);
}

/** An empty part, or one of dots. */
const UNEVEN = /\/\.{0,2}(?:\/|$)/;

/**
 * The file that `path` really is after all links, or null where that lies outside `root` or cannot be told (a dangling
 * link, a loop of links). A file that does not exist yet is placed by the nearest parent that does.
 */
export function realPathInside(root: string, path: string): string | null {
  const base = realPath(resolve(root));
  const real = realPath(resolve(path));
  return base !== null && real !== null && isInside(base, real) ? real : null;
}

function realPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const code = errnoOf(error);
    if (code === "ELOOP") return null;
    // Opening the file fails in the same way, and says so better.
    if (code !== "ENOENT" && code !== "ENOTDIR") return path;
    const parent = dirname(path);
    if (parent === path) return path;
    // A dangling link is not "does not exist yet": writing through it would create the file that it names.
    if (isLink(path)) return null;
    const base = realPath(parent);
    return base === null ? null : join(base, basename(path));
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}
