import type { Skill } from "../skills/skill.ts";
import type { ModeDecision } from "../transcript/detect-mode.ts";

/** Everything a document is made from. Times come from the payload or from files: the same facts give the same bytes. */
export interface SessionStartFacts {
  readonly session: SessionFacts;
  readonly decision: ModeDecision;
  /** How a shell in the project's root starts this program: `./context`. */
  readonly program: string;
  readonly role: RoleFacts | null;
  /** What the startup document shows; the compact one leaves it out. */
  readonly startup: StartupFacts;
  /** What the compact document shows; null where no project is in hand. */
  readonly project: ProjectFacts | null;
  /** Whether resumption happened and why not; null leaves the element out. */
  readonly resumption: Resumption | null;
  /** Orchestrator, system map and workspace map, in that order; the compact document shows them. */
  readonly systemFiles: readonly FileFact[];
  /** What was done, already as text; null or empty leaves it out. */
  readonly workTrail: string | null;
  readonly tone: "firm" | "plain";
  /** Tokens. */
  readonly budgets: { readonly startup: number; readonly compact: number };
  /** UTF-16 units that one hook command may inject, and hook commands to split over. */
  readonly delivery: { readonly cap: number; readonly parts: number };
  /** Where the whole document is kept; null where it could not be written. */
  readonly documentPath: string | null;
  /** Compactions in a row without a prompt by a person; null where there is no loop. */
  readonly loop: { readonly compactions: number; readonly minutes: number } | null;
}

export interface SessionFacts {
  readonly id: string | null;
  /** The client's word, as it came. */
  readonly source: string;
  /** ISO 8601, of the payload or a file; never of a clock. */
  readonly timestamp: string | null;
}

export interface FileFact {
  /** As a person reads it: relative to the root where it lies below. */
  readonly path: string;
  readonly absolutePath: string;
  readonly content: FileContent;
}

/** `listed`: not read, because this document names it only. `folder`: what is in it is to be read. */
export type FileContent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "listed" | "folder" }
  | { readonly kind: UnreadKind; readonly reason: string };

export type UnreadKind = "missing" | "refused" | "binary" | "too-large" | "empty" | "unreadable";

export interface RoleFacts {
  /** Null where it is not certain which role the session has: the checklist says why. */
  readonly name: string | null;
  readonly state: string | null;
  readonly checklist: readonly string[];
  readonly contextFile: FileFact | null;
}

export interface StartupFacts {
  readonly orchestrator: FileFact | null;
  readonly goals: FileFact | null;
  /** All projects, whatever their status. */
  readonly projects: readonly ProjectSummary[];
  readonly skills: readonly Skill[];
  /** Where each kind of skill lives, as shown: `00-system/skills/`. */
  readonly skillLocations: {
    readonly system: string;
    readonly integration: string;
    readonly user: string;
    readonly project: string;
  };
  readonly state: StateFacts | null;
  /** False leaves `core-routing` out: the folder is no workspace that is routed. */
  readonly routing: boolean;
}

export interface ProjectSummary {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  /** In progress or in planning: what is complete, on hold or archived is counted only. */
  readonly active: boolean;
  /** 0 to 100; null where there is no box to count. */
  readonly percent: number | null;
  readonly currentTask: string | null;
  /** ISO 8601, from a file; the project worked on last comes first. */
  readonly updated: string | null;
}

export interface StateFacts {
  readonly goalsPersonalized: boolean;
  readonly workspaceConfigured: boolean;
  readonly onboardingComplete: boolean;
  readonly pending: readonly PendingItem[];
}

export interface PendingItem {
  readonly skill: string;
  /** As shown: `8-10 min`. */
  readonly time: string;
  /** Of its `SKILL.md`; null where the workspace has none. */
  readonly path: string | null;
}

export interface ProjectFacts {
  readonly id: string;
  readonly phase: "planning" | "execution";
  readonly skill: "plan-project" | "execute-project";
  /** The first open box, as it stands in the steps file. */
  readonly currentTask: string | null;
  readonly closed: number;
  readonly total: number;
  readonly confidence: "high" | "medium" | "low" | null;
  /** Of the manifest; null where there is none to read. */
  readonly manifest: ManifestFacts | null;
  /**
   * All of the manifest's `files_to_load`, in its order, or what stands in for them; with their content where it was read. In
   * `execution` that of the overview and the steps is shown, which go by such a name; the manifest's others are named.
   */
  readonly files: readonly FileFact[];
  /** What is shown besides them: an overview or steps that the manifest does not list. */
  readonly beside?: readonly FileFact[] | undefined;
  readonly skillFile: FileFact | null;
}

export interface ManifestFacts {
  readonly path: string;
  readonly absolutePath: string;
  readonly nextAction: string;
  readonly currentSection: number | null;
  readonly currentTask: number | null;
  /** Questions of its validation gate; empty where it has none, and the usual three are asked. */
  readonly questions: readonly string[];
}

/** What became of resumption, a case each. `resumed` and `files-missing` did resume. */
export type Resumption =
  | { readonly kind: "resumed" }
  | { readonly kind: "files-missing"; readonly paths: readonly string[] }
  /** `stale` is when one was written that is too old to go by. */
  | { readonly kind: "no-state"; readonly path: string; readonly stale?: string | null }
  | { readonly kind: "state-not-json"; readonly path: string; readonly problem: string }
  | { readonly kind: "manifest-missing"; readonly projectId: string; readonly path: string }
  | {
      readonly kind: "front-matter-invalid";
      readonly projectId: string;
      readonly path: string;
      readonly line: number;
      readonly column: number;
      readonly problem: string;
      /** Whether it is an `_resume.md` that only has to be migrated. */
      readonly migrates?: boolean;
    }
  | { readonly kind: "low-confidence"; readonly projectId: string | null; readonly confidence: string }
  | { readonly kind: "fault"; readonly message: string };

/** Tokens that a text costs, rather above the true count than below. */
export type Estimate = (text: string) => number;
