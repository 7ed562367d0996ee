import { stringAt } from "../base/json-value.ts";
import type { Activity, ToolCall } from "./activity.ts";
import { resolvePath } from "./path-text.ts";
import { type FindProject, type KnownProjects, type ProjectPlaces, projectsNamed } from "./project-path.ts";
import { bareSkillName, skillOf, toolPaths, toolTalk } from "./tool-paths.ts";

export type EvidenceKind = "write" | "read" | "skill" | "slash-command" | "mention" | "summary" | "prompt";

/** One thing that points to a project, whether or not it counts. */
export interface Clue {
  readonly kind: EvidenceKind;
  readonly project: string;
  /** False where `why` says what speaks against it. */
  readonly counted: boolean;
  readonly why: string;
}

/** What one activity says: the projects it points to, and the other skill it starts, if any. */
export interface Reading {
  readonly clues: readonly Clue[];
  readonly otherSkill: string | null;
}

export interface ClueContext extends ProjectPlaces {
  /** The working directory where a record has none; the root when null. */
  readonly cwd: string | null;
  readonly findProject: FindProject;
  /** Folders that exist; null when that was not looked up. */
  readonly knownProjects: KnownProjects | null;
}

/** The skills that work on a project: they are no "other skill". */
const PROJECT_SKILLS: ReadonlySet<string> = new Set(["plan-project", "execute-project"]);

/** What one activity tells of the project in hand. */
export function readActivity(activity: Activity, context: ClueContext): Reading {
  const { kind } = activity;
  if (kind === "tool-call") return readToolCall(activity, activity.cwd ?? context.cwd ?? context.root, context);
  if (kind === "slash-command" && !activity.builtIn)
    return readSkill(activity, "slash-command", "project skill, typed", context);
  if (kind === "prompt")
    return told(clues("prompt", named(activity.text, context), "a project named in talk is no work", false));
  // The agent's own words are no evidence at all, and neither are the client's marks.
  if (kind !== "compact-summary") return told([]);
  return told(clues("summary", namedMost(activity.text, context), "the summary is weak evidence"));
}

/** A skill that somebody started: work on the projects that a project skill is called with, or another skill. */
function readSkill(
  { name, args }: { readonly name: string; readonly args: string },
  kind: "skill" | "slash-command",
  why: string,
  context: ClueContext,
): Reading {
  const skill = bareSkillName(name);
  return PROJECT_SKILLS.has(skill)
    ? told(clues(kind, idsInArgs(args, context), why))
    : { clues: clues("mention", projectsNamed(args, context.knownProjects), "named only"), otherSkill: skill };
}

function readToolCall(call: ToolCall, cwd: string, context: ClueContext): Reading {
  const skill = skillOf(call);
  if (skill !== null) return readSkill(skill, "skill", "project skill called", context);
  const kinds = new Map<string, "write" | "read">();
  let otherSkill: string | null = null;
  for (const { path, base, writes } of mayPointSomewhere(call, cwd, context) ? toolPaths(call, cwd, context) : []) {
    const project = context.findProject(path, base);
    if (project === null) {
      if (!writes) otherSkill ??= skillRead(resolvePath(path, base, context));
    } else if (kinds.get(project) !== "write") kinds.set(project, writes ? "write" : "read");
  }
  const worked = [...kinds].map(([project, kind]) => ({ kind, project, counted: true, why: call.name }));
  const talk = clues("mention", projectsNamed(toolTalk(call), context.knownProjects), "named only");
  return { clues: [...worked, ...talk], otherSkill };
}

/** False for a shell command that can't lead to a project or a skill: most of them, and reading each takes time. */
function mayPointSomewhere(call: ToolCall, cwd: string, { projectsFolder }: ClueContext): boolean {
  const command = stringAt(call.input, "command");
  const folder = projectsFolder.split(/[/\\]/).findLast((part) => part !== "") ?? "";
  return command === null || command.includes(folder) || command.includes("SKILL.md") || cwd.includes(folder);
}

/** The skill whose `SKILL.md` a path is; null for any other file and for the two project skills. */
function skillRead(path: string): string | null {
  const name = /\/([^/]+)\/SKILL\.md$/.exec(path)?.[1];
  return name === undefined || PROJECT_SKILLS.has(name) ? null : name;
}

/** Ids in a project skill's arguments: as words, or the number alone, `7` for `07`, where one known project has it. */
function idsInArgs(args: string, { knownProjects }: ClueContext): readonly string[] {
  const ids = projectsNamed(args, null);
  if (ids.length > 0) return ids;
  const number = /^(?:project\s+)?#?([0-9]{1,12})(?![\w-])/i.exec(args.trim())?.[1];
  const matching = [...(knownProjects ?? [])].filter((id) => Number.parseInt(id, 10) === Number(number));
  return matching.length === 1 ? matching : [];
}

function named(text: string, { knownProjects }: ClueContext): readonly string[] {
  return projectsNamed(text.slice(0, LONGEST_TALK), knownProjects);
}

/** The one project that a text names more often than any other. */
function namedMost(text: string, context: ClueContext): readonly string[] {
  const talk = text.slice(0, LONGEST_TALK);
  const counts = named(talk, context).map((id) => ({ id, count: talk.split(id).length }));
  const most = Math.max(0, ...counts.map(({ count }) => count));
  const first = counts.filter(({ count }) => count === most);
  return first.length === 1 ? first.map(({ id }) => id) : [];
}

// A pasted log can be megabytes; a project that is meant is named near the start.
const LONGEST_TALK = 65_536;

function clues(kind: EvidenceKind, projects: readonly string[], why: string, counted = true): readonly Clue[] {
  return projects.map((project) => ({ kind, project, counted, why }));
}

function told(found: readonly Clue[]): Reading {
  return { clues: found, otherSkill: null };
}
