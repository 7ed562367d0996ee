import type { Config } from "../../config/config.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import { type Looks, lookAt, noLooks, noteLook } from "../../platform/file-marks.ts";
import type { FileFact, Resumption, RoleFacts, SessionStartFacts } from "../../session-start/facts.ts";
import { readContextFile } from "../../stores/context-file-store.ts";
import { readMachine } from "../../stores/machine-store.ts";
import { configPath, contextFilePath, inRoot, machinePath, shownPath, skillPath } from "../../stores/paths.ts";
import { canKeepDocument, startDocumentPath } from "../../stores/start-store.ts";
import { homeFolder } from "../../stores/transcript-store.ts";
import { renderTrail } from "../../trail/render.ts";
import { buildTrail } from "../../trail/trail.ts";
import { compactionLoop } from "../../transcript/compaction-loop.ts";
import { compileRedactPatterns } from "../../transcript/redact-pattern.ts";
import type { CommandContext } from "../command-context.ts";
import { decideStart, type StartDecision, type StartInput } from "./decide.ts";
import { fileContent, readRootFile } from "./file-fact.ts";
import { gatherProject } from "./project-facts.ts";
import { roleChecklist } from "./role-checklist.ts";
import { gatherStartup, NO_STARTUP } from "./startup-facts.ts";

export interface Gathered {
  readonly facts: SessionStartFacts;
  readonly start: StartDecision;
  readonly notes: readonly string[];
  /** All that the facts depend on; null where it is a transcript before all. */
  readonly looks: Looks | null;
}

/** Tokens of the compact document that the trail may take: a sixth, as the manifest's files say more. */
const TRAIL_BUDGET_SHARE = 6;

/** Everything that a start's document is made from, as the disk has it now. */
export async function gatherStart(
  context: CommandContext,
  config: Config,
  role: RoleName | null,
  input: StartInput,
): Promise<Gathered> {
  const start = await decideStart(context, config, input);
  // Before any of it is read: what changes in between is then told from what was read.
  const looks = noLooks();
  const ownFiles = [configPath(context.paths), ...(role === null ? [] : roleFiles(context, config, role))];
  for (const path of ownFiles) noteLook(looks, path, lookAt(path));
  const compact = start.decision.mode === "compact" && start.project !== null;
  const project = compact && start.project !== null ? await gatherProject(context, config, start.project, start) : null;
  const startup = compact ? null : await gatherStartup(context, config, input.live, looks);
  const facts: SessionStartFacts = {
    session: { id: input.sessionId, source: input.source, timestamp: lastTime(start) },
    decision: start.decision,
    role: role === null ? null : roleFacts(context, config, role, input.source),
    startup: startup?.facts ?? NO_STARTUP,
    project: project?.project ?? null,
    resumption: project?.resumption ?? notResumed(start),
    systemFiles: compact ? systemFiles(context, config) : [],
    workTrail: compact ? trailText(context, config, start) : null,
    tone: config.tone,
    budgets: config.budgets,
    delivery: config.delivery,
    documentPath: canKeepDocument(context.paths) ? startDocumentPath(context.paths) : null,
    loop: input.source === "compact" && start.transcript !== null ? compactionLoop(start.transcript.activities) : null,
  };
  const unread = start.transcriptProblem === null ? [] : [start.transcriptProblem];
  return { facts, start, notes: [...unread, ...(startup?.notes ?? [])], looks: compact ? null : looks };
}

/** Of the transcript's last record: a clock's time would give the same files other bytes. */
function lastTime({ transcript }: StartDecision): string | null {
  return transcript?.activities.findLast(({ timestamp }) => timestamp !== null)?.timestamp ?? null;
}

function roleFacts(context: CommandContext, config: Config, role: RoleName, source: string): RoleFacts {
  const machine = readMachine(context.paths, role);
  const path = contextFilePath(context.paths, role);
  const content = fileContent(readContextFile(context.paths, role));
  const contextFile: FileFact = { path: shownPath(context.paths, path), absolutePath: path, content };
  return {
    name: role,
    // The first of the parallel hook commands reports the compaction's end while the others read: all say what it becomes.
    state: source === "compact" ? "recovering" : machine.ok ? (machine.value?.record.state ?? null) : null,
    checklist: roleChecklist(context, config, role),
    contextFile,
  };
}

/** What `roleFacts` reads or asks for. */
function roleFiles(context: CommandContext, config: Config, role: RoleName): readonly string[] {
  const { paths } = context;
  return [
    machinePath(paths, role),
    contextFilePath(paths, role),
    inRoot(paths, skillPath(role)),
    inRoot(paths, config.recovery.architecture),
  ];
}

function systemFiles(context: CommandContext, { layout }: Config): readonly FileFact[] {
  return [
    `${layout.system}/core/orchestrator.md`,
    `${layout.system}/system-map.md`,
    `${layout.workspace}/workspace-map.md`,
  ].flatMap((path) => readRootFile(context.paths, path) ?? []);
}

/** Why there is nothing to go on with; null for a start that did not look for it. */
function notResumed({ state, project, confidence }: StartDecision): Resumption | null {
  if (state === null) return null;
  if (project !== null) {
    // Else another skill took over, which is not for want of a state.
    return confidence === "low" ? { kind: "low-confidence", projectId: project, confidence } : null;
  }
  switch (state.kind) {
    case "none":
      return { kind: "no-state", path: state.path };
    case "bad":
      return { kind: "state-not-json", path: state.path, problem: state.problem };
    case "used":
      return null;
    default:
      return state satisfies never;
  }
}

/** What was done before the compaction that brought this start; its mark is not in the transcript yet. */
function trailText(context: CommandContext, config: Config, start: StartDecision): string | null {
  if (start.transcript === null) return null;
  const { root } = context.paths;
  const { patterns } = compileRedactPatterns(config.redact);
  const options = {
    root,
    home: homeFolder(context.env),
    cwd: root,
    since: "compaction",
    redactPatterns: patterns,
  } as const;
  const budget = Math.floor(config.budgets.compact / TRAIL_BUDGET_SHARE);
  return renderTrail(buildTrail(start.transcript.activities, options), { format: "md", budget }).text || null;
}
