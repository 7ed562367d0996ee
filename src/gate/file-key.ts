/**
 * One spelling for a project's file: relative to the root where it lies below, with `/`; else absolute. Both paths are
 * absolute, and what they really are after all links. The client makes worktrees as `.claude/worktrees/<name>`: each has
 * the same files, so a file of one is the project's.
 */
export function fileKey(root: string, path: string): string {
  const base = slashed(root).replace(/\/$/, "");
  const full = slashed(path);
  if (!full.startsWith(`${base}/`)) return full;
  const below = full.slice(base.length + 1);
  return /^\.claude\/worktrees\/[^/]+\/(.+)$/s.exec(below)?.[1] ?? below;
}

/** A backslash parts names only where a drive begins the path: elsewhere it is a letter of a name. */
function slashed(path: string): string {
  return /^[A-Za-z]:[\\/]/.test(path) ? path.replaceAll("\\", "/") : path;
}
