import { existsSync } from "node:fs";
import { isProjectId } from "../../base/project-id.ts";
import type { Config } from "../../config/config.ts";
import { homeFolder } from "../../platform/home-folder.ts";
import { goOnOptimising, stopOptimising } from "../../platform/optimiser.ts";
import type { PrecompactState } from "../../resume/precompact-state.ts";
import { documentId } from "../../session-start/document.ts";
import type { FileFact, Resumption, SessionStartFacts } from "../../session-start/facts.ts";
import { deliveredIn } from "../../stores/delivered-documents.ts";
import { lastDelivery } from "../../stores/delivery-store.ts";
import { manifestPath } from "../../stores/manifest-store.ts";
import { shownPath } from "../../stores/paths.ts";
import { keptAside } from "../../stores/precompact-state-store.ts";
import { projectFolder } from "../../stores/project-store.ts";
import { withSubAgents } from "../../stores/sub-agent-work.ts";
import { renderTrail } from "../../trail/render.ts";
import { buildTrail } from "../../trail/trail.ts";
import { compactionLoop } from "../../transcript/compaction-loop.ts";
import { redact } from "../../transcript/redact.ts";
import { compileRedactPatterns } from "../../transcript/redact-pattern.ts";
import type { CommandContext } from "../command-context.ts";
import { decideStart, type StartDecision, type StartInput } from "./decide.ts";
import { readRootFile } from "./file-fact.ts";
import { gatherProject } from "./project-facts.ts";

/** What a start that goes on with earlier work is made from: the transcript, and the project in hand where there is one. */
export interface Continued {
  readonly start: StartDecision;
  readonly facts: Pick<SessionStartFacts, "project" | "resumption" | "systemFiles" | "workTrail" | "loop"> & {
    /** Of the transcript's last record: a clock's time would give the same files other bytes. */
    readonly timestamp: string | null;
  };
  /** Sentences about what could not be gone by. */
  readonly notes: readonly string[];
  /** A text of the transcript's own without its secrets. */
  readonly clean: (text: string) => string;
  /**
   * Whether a session that is taken up again already holds these very documents: what is in its transcript, after its last
   * compaction, is in its context too.
   */
  readonly holds: (documents: readonly string[]) => boolean;
}

/** Reads the transcript and what a compaction left, for a session that goes on. */
export async function gatherContinued(context: CommandContext, config: Config, input: StartInput): Promise<Continued> {
  // A transcript's end is thousands of rows, each read once.
  stopOptimising();
  try {
    return await gather(context, config, input);
  } finally {
    goOnOptimising();
  }
}

async function gather(context: CommandContext, config: Config, input: StartInput): Promise<Continued> {
  const start = await decideStart(context, config, input);
  const { transcript } = start;
  const compact = start.decision.mode === "compact" && start.project !== null;
  const project = compact && start.project !== null ? await gatherProject(context, config, start.project, start) : null;
  const { source, live } = input;
  return {
    start,
    facts: {
      timestamp: transcript?.activities.findLast(({ timestamp }) => timestamp !== null)?.timestamp ?? null,
      project: project?.project ?? null,
      resumption: project?.resumption ?? notResumed(context, config, start),
      systemFiles: compact ? systemFiles(context, config) : [],
      workTrail: compact ? trailText(context, config, start) : null,
      loop: source === "compact" ? loopOf(context, input, start) : null,
    },
    notes: stateNotes(start),
    // Without a transcript there is nothing to hide, and compiling the patterns takes half as long as an empty Node's start.
    clean: (text) => (start.detection === null ? text : redact(text, compileRedactPatterns(config.redact).patterns)),
    holds: (documents) => live && source === "resume" && transcript !== null && areIn(transcript.path, documents),
  };
}

function loopOf(context: CommandContext, { sessionId }: StartInput, { transcript, state }: StartDecision) {
  const loop = transcript === null ? null : compactionLoop(transcript.activities, { began: null });
  if (transcript === null || loop === null) return loop;
  // PreCompact's mark says why: a compaction that nobody asked for began where the transcript ends.
  const mark = sessionId === null ? null : lastDelivery(context.paths, `${sessionId}.pre-compact.`);
  if (mark?.event === "auto") return loop;
  // Without a project in hand PreCompact leaves no state, but the mark.
  const began = state?.kind === "used" ? state.state.timestamp : (mark?.at ?? null);
  return compactionLoop(transcript.activities, { began });
}

/** What became of the state that PreCompact left, where it could not be gone by. */
function stateNotes({ state, project }: StartDecision): readonly string[] {
  if (state === null || state.kind === "used") return [];
  if (state.kind === "bad") return state.aside === null ? [] : [keptAside(state.path, state.aside)];
  if (state.stale === null || project !== null) return [];
  return [`The state in ${state.path} is stale, ${state.stale.minutes} minutes old: it is not gone by.`];
}

function areIn(transcript: string, documents: readonly string[]): boolean {
  const told = deliveredIn(transcript);
  return documents.every((document) => {
    const id = documentId(document);
    return id !== null && told.has(id);
  });
}

/** Tokens of the compact document that the trail may take: a sixth, as the manifest's files say more. */
const TRAIL_BUDGET_SHARE = 6;

function systemFiles(context: CommandContext, { layout }: Config): readonly FileFact[] {
  return [
    `${layout.system}/core/orchestrator.md`,
    `${layout.system}/system-map.md`,
    `${layout.workspace}/workspace-map.md`,
  ].flatMap((path) => readRootFile(context.paths, path) ?? []);
}

/** Why there is nothing to go on with; null for a start that did not look for it. */
function notResumed(
  context: CommandContext,
  config: Config,
  { state, project, confidence }: StartDecision,
): Resumption | null {
  if (state === null) return null;
  if (project !== null) {
    // Else another skill took over, which is not for want of a state.
    return confidence === "low" ? { kind: "low-confidence", projectId: project, confidence } : null;
  }
  switch (state.kind) {
    case "none":
      return { kind: "no-state", path: state.path, stale: state.stale?.timestamp ?? null };
    case "bad":
      return { kind: "state-not-json", path: state.path, problem: state.problem };
    case "used":
      return notGoneBy(context, config, state.state);
    default:
      return state satisfies never;
  }
}

/** A state may say that no project was found; a project whose folder is gone since it was written has no manifest either. */
function notGoneBy({ paths }: CommandContext, config: Config, state: PrecompactState): Resumption | null {
  const { active_project_id: id, confidence } = state;
  if (id === null) return confidence === "low" ? { kind: "low-confidence", projectId: null, confidence } : null;
  if (!isProjectId(id) || existsSync(projectFolder(paths, config, id))) return null;
  return { kind: "manifest-missing", projectId: id, path: shownPath(paths, manifestPath(paths, config, id)) };
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
    whole: start.transcript.whole,
    redactPatterns: patterns,
  } as const;
  const budget = Math.floor(config.budgets.compact / TRAIL_BUDGET_SHARE);
  return renderTrail(buildTrail(withSubAgents(start.transcript), options), { format: "md", budget }).text || null;
}

/** From here, as its bundle holds all that reads a transcript: one of its own would hold that twice. */
export { startsSubAgent } from "../sub-agent-wait.ts";
