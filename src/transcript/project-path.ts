import { PROJECT_ID } from "../base/project-id.ts";
import { type PathHome, partsBelow, resolvePath } from "./path-text.ts";

/** Where projects are, as far as a transcript's texts can tell. */
export interface ProjectPlaces extends PathHome {
  /** The folder that holds the projects, relative to the root: `02-projects`. */
  readonly projectsFolder: string;
  /** Other spellings of the root: a worktree elsewhere, the target of a link. Absolute. */
  readonly aliases?: readonly string[] | undefined;
}

/** The ids of the project folders that exist: a set, or what looks one up where it is asked for. */
export interface KnownProjects extends Iterable<string> {
  has(id: string): boolean;
}

/** The id of the project that a path lies in, or is; null for any other. A relative path starts at `base`, else at the root. */
export type FindProject = (path: string, base: string | null) => string | null;

/** Made once for many paths: what the places say is worked out once. */
export function projectFinder(places: ProjectPlaces): FindProject {
  const roots = [places.root, ...(places.aliases ?? [])].map((root) => resolvePath(root, "/", places));
  const folder = places.projectsFolder.split(/[/\\]/).filter((part) => part !== "" && part !== ".");
  const lastPart = folder.at(-1) ?? "";
  // Most paths are absolute and plain, and begin as the root does: they need not be taken apart.
  const isPlainRoot = roots[0] === places.root && places.root.startsWith("/") && folder[0] !== ".claude";
  const start = `${places.root}/${folder.join("/")}/`;
  return (path, base) => {
    if (isPlainRoot && path.startsWith(start)) {
      const end = path.indexOf("/", start.length);
      const id = path.slice(start.length, end === -1 ? undefined : end);
      if (!path.includes("..") && !path.includes("\0") && !path.includes("\\") && PROJECT_ID.test(id)) return id;
    }
    const from = base ?? places.root;
    if (path === "" || path.includes("\0") || !(path.includes(lastPart) || from.includes(lastPart))) return null;
    const resolved = resolvePath(path, from, places);
    for (const root of roots) {
      const parts = partsBelow(resolved, root);
      const id = parts === null ? undefined : idBelowRoot(parts, folder);
      if (id !== undefined && PROJECT_ID.test(id)) return id;
    }
    return null;
  };
}

/** The client makes worktrees as `.claude/worktrees/<name>`: each is a root of its own with the same projects. */
function idBelowRoot(parts: readonly string[], folder: readonly string[]): string | undefined {
  const inWorktree = parts[0] === ".claude" && parts[1] === "worktrees";
  const inner = inWorktree ? parts.slice(3) : parts;
  return folder.every((part, at) => inner[at] === part) ? inner[folder.length] : undefined;
}

/**
 * The project ids that a text names, each once, in order: whole words only, so that `2-a` is not found in `24-a`. With
 * `known`, any of those; without, only ids that stand behind the projects folder or hold a letter, since `2026-01` is a date.
 */
export function projectsNamed(text: string, known: KnownProjects | null): readonly string[] {
  const found = new Set<string>();
  if (text === "") return [];
  for (const match of text.matchAll(ID_WORD)) {
    const id = match[1] ?? "";
    if (known === null ? /[A-Za-z]/.test(id) : known.has(id)) found.add(id);
  }
  return [...found];
}

// Bounded so that a megabyte of digits and hyphens costs one pass: no folder name is longer than 255 bytes.
const ID_WORD = /(?<![A-Za-z0-9_.-])([0-9]{1,12}-[A-Za-z0-9_-]{1,250})(?![A-Za-z0-9_-])/g;
