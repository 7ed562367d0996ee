import type { Confidence } from "./detect-project.ts";

export type Mode = "startup" | "compact";
export type ProjectSkill = "plan-project" | "execute-project";
export type ModeAction = "display_menu" | "continue_working";

/** What of a detection decides the mode; a whole `Detection` fits. */
export interface DetectionForMode {
  readonly project: string | null;
  readonly confidence: Confidence | null;
  readonly switched: boolean;
  readonly talkedSince: boolean;
  readonly otherSkill: { readonly name: string } | null;
}

/** What is known where no transcript was read. */
export const NOTHING_DETECTED: DetectionForMode = {
  project: null,
  confidence: null,
  switched: false,
  talkedSince: false,
  otherSkill: null,
};

export interface ModeInput {
  /** The client's word for why the session starts; unknown ones are normal. */
  readonly source: string;
  readonly detection: DetectionForMode;
  /** The project's phase as its steps or its manifest say; null where neither does. */
  readonly phase: string | null;
  /** No transcript could be read: what went before is not known, and may well be there. */
  readonly unseen?: boolean | undefined;
}

export interface ModeDecision {
  readonly mode: Mode;
  readonly skill: ProjectSkill | "none";
  readonly action: ModeAction;
  /** Which of the ten cases this is; null for a source that has none. */
  readonly caseNumber: number | null;
  readonly why: string;
}

/** Whether a start with that source goes on with earlier work: only such a start looks for a project. */
export function continuesWork(source: string): boolean {
  const kind = sourceKind(source);
  return kind === "resume" || kind === "compact";
}

/** Which document a start gets. */
export function detectMode({ source, detection, phase, unseen = false }: ModeInput): ModeDecision {
  // Case by case as in the design of the session's start: `why` says each in words.
  const { project, confidence, switched, talkedSince, otherSkill } = detection;
  const kind = sourceKind(source);
  switch (kind) {
    case "new":
      return startup(1, "display_menu", `a session with source "${source}" starts fresh`);
    case "unknown":
      return startup(null, "continue_working", `the source "${source}" is not known: a start without a menu`);
    case "resume":
      // The client writes a fork's transcript after its start: a menu would break into a conversation that goes on.
      if (project === null && unseen) return startup(10, "continue_working", "there is no transcript to read yet");
      if (project === null) return startup(10, "display_menu", "no project in the transcript");
      if (confidence === "low") return startup(10, "display_menu", `${project} is only named, not worked on`);
      return compact(project, phase, [8, 9]);
    case "compact":
      if (project !== null && confidence !== "low") {
        if (switched) return startup(4, "continue_working", `another skill took over after the work on ${project}`);
        return compact(project, phase, [talkedSince ? 7 : 2, 3]);
      }
      if (otherSkill !== null)
        return startup(5, "continue_working", `no project in hand; the skill ${otherSkill.name} ran`);
      return startup(
        6,
        "continue_working",
        project === null ? "no project in hand" : `${project} is only named, not worked on`,
      );
    default:
      return kind satisfies never;
  }
}

/** `planning` while the planning documents are being written, else `execution`. */
export function phaseKind(phase: string | null): "planning" | "execution" {
  const word = (phase ?? "").trim().toLowerCase();
  return word === "planning" || word === "research" ? "planning" : "execution";
}

function sourceKind(source: string): "new" | "compact" | "resume" | "unknown" {
  if (source === "startup" || source === "new" || source === "clear") return "new";
  if (source === "resume" || source === "fork") return "resume";
  return source === "compact" ? "compact" : "unknown";
}

function startup(caseNumber: number | null, action: ModeAction, why: string): ModeDecision {
  return { mode: "startup", skill: "none", action, caseNumber, why };
}

function compact(
  project: string,
  phase: string | null,
  [planning, execution]: readonly [number, number],
): ModeDecision {
  const base = { mode: "compact", action: "continue_working" } as const;
  return phaseKind(phase) === "planning"
    ? { ...base, skill: "plan-project", caseNumber: planning, why: `${project} is in hand, in planning` }
    : { ...base, skill: "execute-project", caseNumber: execution, why: `${project} is in hand, in execution` };
}
