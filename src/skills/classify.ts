import type { SkillKind } from "./skill.ts";

/** The layout's folders that hold skills, relative to the root. */
export interface SkillFolders {
  /** Its `skills` folder holds the system's skills. */
  readonly system: string;
  readonly skills: string;
}

export interface SkillPlace {
  readonly kind: SkillKind;
  /** The folder below `skills`; null for a skill directly below. */
  readonly category: string | null;
  readonly folderName: string;
}

/**
 * What the path of a `SKILL.md` (relative to the root, forward slashes) says about the skill, for many of one layout; null
 * where the path is no place for one. Only the user's own skills become integrations: the system's keep their category.
 */
export function skillPlaces(folders: SkillFolders): (path: string) => SkillPlace | null {
  const systemFolder = [...segmentsOf(folders.system), "skills"];
  const ownFolder = segmentsOf(folders.skills);
  return (path) => {
    const segments = segmentsOf(path);
    if (segments.includes("..") || segments.pop() !== "SKILL.md") return null;
    const project = below(segments, PROJECT_FOLDER);
    // The client looks one level deep, no further.
    if (project !== null) return project.length === 1 ? place("project", project) : null;
    const system = below(segments, systemFolder);
    if (system !== null) return place("system", system);
    const user = below(segments, ownFolder);
    if (user === null) return null;
    return place(user.at(-1)?.endsWith("-connect") ? "integration" : "user", user);
  };
}

const PROJECT_FOLDER = [".claude", "skills"];

function place(kind: SkillKind, way: readonly string[]): SkillPlace | null {
  const folderName = way.at(-1);
  if (folderName === undefined) return null;
  return { kind, category: way.slice(0, -1)[0] ?? null, folderName };
}

function segmentsOf(path: string): string[] {
  const segments = path.split("/");
  if (!segments.includes("") && !segments.includes(".")) return segments;
  return segments.filter((segment) => segment !== "" && segment !== ".");
}

/** The segments that follow `folder`, or null where the path leads elsewhere. */
function below(segments: readonly string[], folder: readonly string[]): readonly string[] | null {
  for (let at = 0; at < folder.length; at++) if (segments[at] !== folder[at]) return null;
  return segments.slice(folder.length);
}
