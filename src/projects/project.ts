import { countSteps } from "./count-steps.ts";
import { type FrontMatterFault, lastUpdated, parseOverview, projectStatus, type ReadYaml } from "./overview.ts";
import type { StepsPhase } from "./steps.ts";

/** A project as a list shows it. */
export interface ProjectSummary {
  /** The overview's name, else the folder's. */
  readonly name: string;
  readonly status: string;
  /** What the boxes say; null where there is no steps file. */
  readonly phase: StepsPhase | null;
  readonly closed: number;
  readonly total: number;
  /** The first open box, as it stands in the steps file. */
  readonly currentTask: string | null;
  readonly currentSection: number | null;
  readonly description: string | null;
  /** When its manifest was last brought up to date, as that says it; null where it does not. */
  readonly updated: string | null;
  /** What is wrong with the overview, so that it is passed over. */
  readonly fault: FrontMatterFault | null;
}

/** The texts of a project's files; null stands for one that is not there. */
export interface ProjectTexts {
  readonly overview: string | null;
  readonly steps: string | null;
  readonly manifest: string | null;
}

/**
 * What a project's files say; the boxes win over any status. Front matter that the plain scan cannot take is given to
 * `readYaml`, and passed over where there is none.
 */
export function summariseProject(
  folder: string,
  texts: ProjectTexts,
  readYaml: ReadYaml | null = null,
): ProjectSummary {
  const overview = texts.overview === null ? null : parseOverview(texts.overview, readYaml);
  const steps = texts.steps === null ? null : countSteps(texts.steps);
  const phase = steps?.phase ?? null;
  return {
    name: overview?.name ?? folder,
    status: projectStatus(overview, phase),
    phase,
    closed: steps?.closed ?? 0,
    total: steps?.total ?? 0,
    currentTask: steps?.currentTask ?? null,
    currentSection: steps === null || steps.total === 0 ? null : steps.currentSection,
    description: overview?.description ?? null,
    updated: texts.manifest === null ? null : lastUpdated(texts.manifest, readYaml),
    fault: overview?.fault ?? null,
  };
}

/** Whether work on it goes on: neither complete, which the boxes say first, nor set aside. */
export function isActive({ status, phase }: Pick<ProjectSummary, "status" | "phase">): boolean {
  return phase !== "complete" && (status === "PLANNING" || status === "IN_PROGRESS");
}
