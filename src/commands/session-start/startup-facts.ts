import type { Config } from "../../config/config.ts";
import { isActive } from "../../projects/project.ts";
import type { ProjectSummary, StartupFacts, StateFacts } from "../../session-start/facts.ts";
import type { Skill } from "../../skills/skill.ts";
import { openScanCache } from "../../stores/scan-cache.ts";
import { scanSkills } from "../../stores/skill-store.ts";
import { type ScannedProject, scanProjects } from "../../stores/workspace-store.ts";
import { isFilledIn } from "../../workspace/filled-in.ts";
import type { UserConfig } from "../../workspace/open-user-config.ts";
import { parseUserConfigFast } from "../../workspace/parse-user-config-fast.ts";
import type { CommandContext } from "../command-context.ts";
import { readRootFile } from "./file-fact.ts";

/** Skills that the routing rules send work to: without any of them there is nowhere to route. */
const ROUTED: ReadonlySet<string> = new Set(["plan-project", "execute-project", "create-skill", "mental-models"]);

export interface GatheredStartup {
  readonly facts: StartupFacts;
  /** What could not be read, a sentence each. */
  readonly notes: readonly string[];
}

/** What a fresh session is shown of the workspace. */
export async function gatherStartup(context: CommandContext, config: Config): Promise<GatheredStartup> {
  const { layout } = config;
  const skillCache = openScanCache(context.paths, "skills");
  const scannedSkills = await scanSkills(context.paths, config, skillCache);
  skillCache.save();
  const projectCache = openScanCache(context.paths, "projects");
  const scannedProjects = scanProjects(context.paths, config, projectCache);
  projectCache.save();
  const facts: StartupFacts = {
    orchestrator: readRootFile(context.paths, `${layout.system}/core/orchestrator.md`),
    goals: readRootFile(context.paths, `${layout.memory}/goals.md`),
    projects: scannedProjects.projects.map(summaryOf),
    skills: scannedSkills.skills,
    skillLocations: {
      system: `${layout.system}/skills/`,
      integration: `${layout.skills}/*-connect/`,
      user: `${layout.skills}/`,
      project: ".claude/skills/",
    },
    state: await gatherState(context, config, scannedSkills.skills),
    routing: scannedSkills.skills.some(({ name }) => ROUTED.has(name)),
  };
  return { facts, notes: [...scannedSkills.notes, ...scannedProjects.notes] };
}

/** What a compact document, which shows none of it, is given. */
export const NO_STARTUP: StartupFacts = {
  orchestrator: null,
  goals: null,
  projects: [],
  skills: [],
  skillLocations: { system: "", integration: "", user: "", project: "" },
  state: null,
  routing: false,
};

function summaryOf(project: ScannedProject): ProjectSummary {
  const { id, name, status, closed, total, currentTask, updated } = project;
  const percent = total === 0 ? null : Math.floor((closed * 100) / total);
  return { id, name, status, active: isActive(project), percent, currentTask, updated };
}

/** Where the setup stands; null in a workspace that was never set up in this way. */
async function gatherState(
  context: CommandContext,
  { layout }: Config,
  skills: readonly Skill[],
): Promise<StateFacts | null> {
  const textAt = (path: string): string | null => {
    const file = readRootFile(context.paths, path);
    return file?.content.kind === "text" ? file.content.text : null;
  };
  const goals = textAt(`${layout.memory}/goals.md`);
  const map = textAt(`${layout.workspace}/workspace-map.md`);
  const config = textAt(`${layout.memory}/user-config.yaml`);
  if (goals === null && map === null && config === null) return null;
  const onboarding = config === null ? null : await readUserConfig(config);
  const pending = (onboarding?.pending ?? []).flatMap(({ name, minutes }) => {
    const skill = skills.find((candidate) => candidate.name === name);
    return skill === undefined ? [] : [{ skill: name, time: `${minutes} min`, path: skill.path }];
  });
  return {
    goalsPersonalized: isFilledIn(goals),
    workspaceConfigured: isFilledIn(map),
    onboardingComplete: onboarding !== null && onboarding.pending.length === 0,
    pending,
  };
}

async function readUserConfig(text: string): Promise<UserConfig> {
  const fast = parseUserConfigFast(text);
  if (fast !== "needs-yaml") return fast;
  const { parseUserConfigYaml } = await import("../../workspace/parse-user-config-yaml.ts");
  return parseUserConfigYaml(text);
}
