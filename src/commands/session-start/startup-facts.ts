import type { Config } from "../../config/config.ts";
import { type Looks, lookAt, noteLook } from "../../platform/file-marks.ts";
import { optimising } from "../../platform/optimiser.ts";
import { isActive } from "../../projects/project.ts";
import type { FileFact, ProjectSummary, StartupFacts, StateFacts } from "../../session-start/facts.ts";
import type { Skill } from "../../skills/skill.ts";
import { configPath, inRoot } from "../../stores/paths.ts";
import { rescan, type WorkspaceScan } from "../../stores/rescan.ts";
import { openScanCache } from "../../stores/scan-cache.ts";
import { scanSkills } from "../../stores/skill-store.ts";
import type { EarlierScan, StartLooks } from "../../stores/start-memo.ts";
import { faultsOf, type ScannedProject, scanProjects } from "../../stores/workspace-store.ts";
import { isFilledIn } from "../../workspace/filled-in.ts";
import type { UserConfig } from "../../workspace/open-user-config.ts";
import { parseUserConfigFast } from "../../workspace/parse-user-config-fast.ts";
import type { CommandContext } from "../command-context.ts";
import { readRootFile } from "./file-fact.ts";

/**
 * Skills that the routing rules send work to. Without any of them, and without an orchestrator's file, whose rules these
 * are in short, a folder is none of the workspaces that are routed.
 */
const ROUTED: ReadonlySet<string> = new Set(["plan-project", "execute-project", "create-skill", "mental-models"]);

export interface GatheredStartup {
  readonly facts: StartupFacts;
  /** What could not be read, a sentence each. */
  readonly notes: readonly string[];
  /** What is wrong with files that were read: true as long as they are what they are. */
  readonly faults: readonly string[];
  /** What another start may go on from. */
  readonly scan: WorkspaceScan;
}

/**
 * What a fresh session is shown of the workspace; all that it depends on is noted in `looks`, which holds the configuration
 * already. `live` false writes nothing, not even what spares the next one work.
 */
export async function gatherStartup(
  context: CommandContext,
  config: Config,
  live: boolean,
  looks: StartLooks,
  earlier: EarlierScan | null,
): Promise<GatheredStartup> {
  const { layout } = config;
  const files = {
    goals: `${layout.memory}/goals.md`,
    map: `${layout.workspace}/workspace-map.md`,
    userConfig: `${layout.memory}/user-config.yaml`,
    orchestrator: `${layout.system}/core/orchestrator.md`,
  };
  const scan =
    (earlier === null ? null : await scanAgain(context, config, looks.scanned, earlier)) ??
    (await scanAll(context, config, live, looks.scanned));
  const notes = [...scan.notes];
  const faults = [...faultsOf(scan.projects)];
  const read = (path: string): FileFact | null => {
    const full = inRoot(context.paths, path);
    noteLook(looks.shown, full, lookAt(full));
    const file = readRootFile(context.paths, path);
    // The document cannot say it of all of these.
    if (file !== null && "reason" in file.content && file.content.kind !== "empty") {
      notes.push(`${path} ${file.content.reason}.`);
    }
    return file;
  };
  const goals = read(files.goals);
  const setup: SetupFiles = {
    goals: textOf(goals),
    map: textOf(read(files.map)),
    userConfig: { path: files.userConfig, text: textOf(read(files.userConfig)) },
  };
  const orchestrator = read(files.orchestrator);
  const facts: StartupFacts = {
    orchestrator,
    goals,
    projects: scan.projects.map(summaryOf),
    skills: scan.skills,
    skillLocations: {
      system: `${layout.system}/skills/`,
      integration: `${layout.skills}/*-connect/`,
      user: `${layout.skills}/`,
      project: ".claude/skills/",
    },
    state: await gatherState(setup, scan.skills, faults),
    routing: orchestrator !== null || scan.skills.some(({ name }) => ROUTED.has(name)),
  };
  return { facts, notes, faults, scan: { skills: scan.skills, projects: scan.projects } };
}

type Scanned = WorkspaceScan & { readonly notes: readonly string[] };

async function scanAll(context: CommandContext, config: Config, live: boolean, looks: Looks): Promise<Scanned> {
  const scanOptions = { build: context.build, began: context.now().getTime() };
  const skillCache = openScanCache(context.paths, "skills", scanOptions);
  const { skills, notes: ofSkills } = await scanSkills(context.paths, config, skillCache, { looks });
  if (live) skillCache.save();
  const projectCache = openScanCache(context.paths, "projects", scanOptions);
  const { projects, notes } = await scanProjects(context.paths, config, projectCache, looks);
  if (live) projectCache.save();
  return { skills, projects, notes: [...ofSkills, ...notes] };
}

/** The scan of an earlier start, where no more than some files of it have changed; null where all has to be looked at. */
async function scanAgain(
  { paths }: CommandContext,
  config: Config,
  looks: Looks,
  earlier: EarlierScan,
): Promise<Scanned | null> {
  if (earlier.changedElsewhere.has(configPath(paths))) return null;
  const scanned = await rescan(paths, config, earlier);
  if (scanned === null) return null;
  looks.paths.push(...scanned.looks.paths);
  for (const number of scanned.looks.marks) looks.marks.push(number);
  return scanned;
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

interface SetupFiles {
  readonly goals: string | null;
  readonly map: string | null;
  readonly userConfig: { readonly path: string; readonly text: string | null };
}

/** Where the setup stands; null in a workspace that was never set up in this way. */
async function gatherState(
  { goals, map, userConfig }: SetupFiles,
  skills: readonly Skill[],
  faults: string[],
): Promise<StateFacts | null> {
  if (goals === null && map === null && userConfig.text === null) return null;
  // Nothing is done where nothing says so.
  const onboarding = await readUserConfig(userConfig.text ?? "");
  for (const { start, message } of onboarding.diagnostics) {
    faults.push(`${userConfig.path}, line ${start.line}, column ${start.column}: ${message}.`);
  }
  const pending = onboarding.pending.flatMap(({ name, minutes }) => {
    const path = skills.find((candidate) => candidate.name === name)?.path ?? null;
    // What the user's own file says is not done is pending though its skill is not there; else only a skill can tell of it.
    return path === null && userConfig.text === null ? [] : [{ skill: name, time: `${minutes} min`, path }];
  });
  return {
    goalsPersonalized: isFilledIn(goals),
    workspaceConfigured: isFilledIn(map),
    onboardingComplete: onboarding.pending.length === 0,
    pending,
  };
}

function textOf(file: FileFact | null): string | null {
  return file?.content.kind === "text" ? file.content.text : null;
}

async function readUserConfig(text: string): Promise<UserConfig> {
  const fast = parseUserConfigFast(text);
  if (fast !== "needs-yaml") return fast;
  const { parseUserConfigYaml } = await optimising(() => import("../../workspace/parse-user-config-yaml.ts"));
  return parseUserConfigYaml(text);
}
