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

const NOTHING: Reading = { clues: [], otherSkill: null };

/** What one activity tells of the project in hand. */
export function readActivity(activity: Activity, context: ClueContext): Reading {
  switch (activity.kind) {
    case "tool-call":
      return readToolCall(activity, activity.cwd ?? context.cwd ?? context.root, context);
    case "slash-command": {
      const name = bareSkillName(activity.name);
      if (activity.builtIn) return NOTHING;
      if (PROJECT_SKILLS.has(name)) {
        return {
          clues: clues("slash-command", idsInArgs(activity.args, context), "project skill, typed"),
          otherSkill: null,
        };
      }
      return {
        clues: clues("mention", projectsNamed(activity.args, context.knownProjects), "named only"),
        otherSkill: name,
      };
    }
    case "prompt":
      return {
        clues: notCounted("prompt", named(activity.text, context), "a project named in talk is no work"),
        otherSkill: null,
      };
    case "compact-summary":
      return {
        clues: clues("summary", namedMost(activity.text, context), "the summary is weak evidence"),
        otherSkill: null,
      };
    case "assistant-text":
    case "compact-boundary":
    case "task-notification":
    case "interruption":
      return NOTHING;
    default:
      return activity satisfies never;
  }
}

function readToolCall(call: ToolCall, cwd: string, context: ClueContext): Reading {
  const skill = skillOf(call);
  if (skill !== null) {
    if (PROJECT_SKILLS.has(skill.name)) {
      return { clues: clues("skill", idsInArgs(skill.args, context), "project skill called"), otherSkill: null };
    }
    return {
      clues: clues("mention", projectsNamed(skill.args, context.knownProjects), "named only"),
      otherSkill: skill.name,
    };
  }
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

/** Ids in a project skill's arguments: as words, or the number alone where one known project has it. */
function idsInArgs(args: string, { knownProjects }: ClueContext): readonly string[] {
  const ids = projectsNamed(args, null);
  if (ids.length > 0) return ids;
  const number = /^(?:project\s+)?#?([0-9]{1,12})(?![\w-])/i.exec(args.trim())?.[1];
  const matching = [...(knownProjects ?? [])].filter((id) => number !== undefined && id.startsWith(`${number}-`));
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

function clues(kind: EvidenceKind, projects: readonly string[], why: string): readonly Clue[] {
  return projects.map((project) => ({ kind, project, counted: true, why }));
}

function notCounted(kind: EvidenceKind, projects: readonly string[], why: string): readonly Clue[] {
  return projects.map((project) => ({ kind, project, counted: false, why }));
}
