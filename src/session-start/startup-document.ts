import { clip, clipLine } from "./clip.ts";
import { coreRouting } from "./core-routing.ts";
import type { FileFact, ProjectSummary, SessionStartFacts, StartupFacts, StateFacts } from "./facts.ts";
import { fileUnit } from "./file-elements.ts";
import { activeProjects } from "./project-order.ts";
import type { ListUnit, Section, SectionId } from "./sections.ts";
import {
  actionSection,
  fixed,
  instructionSection,
  resumeModeSection,
  roleSection,
  sessionSection,
  wrapper,
} from "./shared-sections.ts";
import { skillSections } from "./skill-sections.ts";
import { hasMenu } from "./startup-instruction.ts";
import { type Element, type ElementName, element, textElement } from "./vocabulary.ts";

/** The sections of a document for a start without a project in hand, in the order of the design. */
export function startupSections(facts: SessionStartFacts): readonly Section[] {
  const { startup, program } = facts;
  const active = activeProjects(startup.projects, facts.project?.id ?? null);
  const { state } = startup;
  return [
    sessionSection(facts),
    ...resumeModeSection(facts),
    ...roleSection(facts),
    ...wholeFile("orchestrator-file", startup.orchestrator, true),
    ...(startup.routing ? [fixed("core-routing", () => coreRouting(facts.tone))] : []),
    ...wholeFile("user-goals", startup.goals, false),
    ...(active.length === 0 ? [] : [{ id: "active-projects", units: [projectList(active, program)] } as const]),
    ...skillSections(startup.skills, startup.skillLocations, program),
    ...(state === null ? [] : [fixed("state", () => stateElement(state))]),
    fixed("stats", () =>
      element("stats", { projects: startup.projects.length, active: active.length, skills: startup.skills.length }),
    ),
    actionSection(facts),
    ...(hasMenu(startup) ? [fixed("suggested-next-actions", () => suggestedActions(startup, active))] : []),
    instructionSection(facts),
  ];
}

/** An empty file says nothing; of one that cannot be read the agent is told that it is there, and why it is not here. */
function wholeFile(id: SectionId & ElementName, file: FileFact | null, withPath: boolean): readonly Section[] {
  if (file === null || file.content.kind === "missing" || file.content.kind === "empty") return [];
  const unit = fileUnit(file, { name: id, withPath });
  return unit === null ? [] : [{ id, units: [unit] }];
}

/** This many keep their current task when room is short. */
const ALWAYS_FULL = 10;

function projectList(projects: readonly ProjectSummary[], program: string): ListUnit {
  return {
    kind: "list",
    within: [],
    wrapper: wrapper("active-projects"),
    items: projects.map((project, index) => ({
      leastUnits: projectUnits(project),
      full: () => projectElement(project, project.currentTask),
      short: () => projectElement(project, index < ALWAYS_FULL ? project.currentTask : null),
      loses: index >= ALWAYS_FULL && project.currentTask !== null,
    })),
    howToList: `${clip(program, 200)} projects`,
  };
}

/** Its tags and its texts, which are shortened where they are long. */
function projectUnits({ id, name, currentTask }: ProjectSummary): number {
  const task = currentTask === null ? 0 : 30 + Math.min(currentTask.length, 300);
  return 60 + Math.min(id.length, 160) + Math.min(name.length, 160) + task;
}

function projectElement({ id, name, status, percent }: ProjectSummary, task: string | null): Element {
  const progress = percent === null ? null : `${percent}%`;
  return element("project", { id: clip(id, 160), status: clip(status, 40), progress }, [
    textElement("name", clipLine(name, 160)),
    ...(task === null ? [] : [textElement("current-task", clipLine(task, 300))]),
  ]);
}

function stateElement(state: StateFacts): Element {
  const pending = state.onboardingComplete
    ? []
    : state.pending.slice(0, 12).map(({ skill, time, path }) => {
        const action = path === null ? null : `read ${clip(path, 300)}`;
        return textElement("item", `${clipLine(skill, 80)} (${clipLine(time, 40)})`, { action });
      });
  return element("state", {}, [
    textElement("goals-personalized", String(state.goalsPersonalized)),
    textElement("workspace-configured", String(state.workspaceConfigured)),
    textElement("onboarding-complete", String(state.onboardingComplete)),
    ...(pending.length === 0 ? [] : [element("pending-onboarding", {}, pending)]),
  ]);
}

/** Those whose condition holds, each with the place that the design gives it. */
function suggestedActions({ state }: StartupFacts, active: readonly ProjectSummary[]): Element {
  const [project] = active;
  const [pending] = state?.onboardingComplete === false ? state.pending : [];
  const action = (priority: number, condition: string, text: string) =>
    textElement("action", text, { priority, condition });
  return element("suggested-next-actions", {}, [
    ...(project === undefined
      ? []
      : [action(1, "has_active_projects", `Continue active project: "work on ${clipLine(project.name, 120)}"`)]),
    action(2, "always", 'Start new work: "plan a project to [goal]"'),
    ...(pending === undefined
      ? []
      : [
          action(
            3,
            "onboarding_incomplete",
            `Complete onboarding: "${clipLine(pending.skill, 80)}" (${clipLine(pending.time, 40)})`,
          ),
        ]),
    action(4, "always", 'Check status: "show my projects"'),
  ]);
}
