import { isAbsolute, join, resolve } from "node:path";
import { fileKey } from "../gate/file-key.ts";
import { isInside } from "../platform/contain.ts";
import { homeFolder } from "../platform/home-folder.ts";
import type { ProjectPaths } from "./paths.ts";
import { realPath, worktreeRoot } from "./worktree.ts";

/** The key of a path that an agent named, by what the file really is. */
export type KeyOf = (path: string, cwd: string | null) => string;

/** Made once for many paths: what the root really is is looked up once. */
export function fileKeys(paths: ProjectPaths, env: Readonly<Record<string, string | undefined>>): KeyOf {
  const root = realPath(paths.root);
  return (path, cwd) => {
    const real = realPath(resolve(cwd ?? paths.root, atHome(path, env)));
    return fileKey(isInside(root, real) ? root : (worktreeRoot(root, real) ?? root), real);
  };
}

function atHome(path: string, env: Readonly<Record<string, string | undefined>>): string {
  return path === "~" || path.startsWith("~/") ? join(homeFolder(env), path.slice(1)) : path;
}

/** A required file's place on the disk. */
export function pathOfKey(paths: ProjectPaths, key: string): string {
  return isAbsolute(key) ? key : join(paths.root, key);
}
