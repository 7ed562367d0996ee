import { isProjectId, type ProjectId } from "../../base/project-id.ts";
import type { Config } from "../../config/config.ts";
import { optimising } from "../../platform/optimiser.ts";
import { parseOverview } from "../../projects/overview.ts";
import { parseSteps, type Steps } from "../../projects/steps.ts";
import { readManifestFast } from "../../resume/manifest-fast.ts";
import type { PrecompactState } from "../../resume/precompact-state.ts";
import { timeOf } from "../../resume/timestamp.ts";
import { findManifest } from "../../stores/manifest-store.ts";
import { shownPath } from "../../stores/paths.ts";
import {
  type BrokenState,
  lookAtPrecompactState,
  precompactStatePath,
  setAsideBrokenState,
  takePrecompactState,
} from "../../stores/precompact-state-store.ts";
import { listProjectIds, openPlanning, readStepsFile } from "../../stores/project-store.ts";
import { latestLeg } from "../../stores/session-chain.ts";
import { readTranscript, type Transcript } from "../../stores/transcript-store.ts";
import {
  type DetectionForMode,
  detectMode,
  type ModeDecision,
  NOTHING_DETECTED,
} from "../../transcript/detect-mode.ts";
import { type Detection, detectProject } from "../../transcript/detect-project.ts";
import { isAnyAtWork } from "../../transcript/project-score.ts";
import { compileRedactPatterns } from "../../transcript/redact-pattern.ts";
import type { CommandContext } from "../command-context.ts";
import { type ForkProject, forkProject, forkText } from "../fork-project.ts";
import { isDetected, lookForProject } from "../other-roots.ts";

export interface StartInput {
  /** The client's word; unknown ones are normal. */
  readonly source: string;
  readonly sessionId: string | null;
  readonly transcriptPath: string | null;
  readonly cwd: string | null;
  /** False for a look: nothing is used up, written or sent. */
  readonly live: boolean;
  /** Whether somebody reads what was weighed for and against each project. */
  readonly evidence: boolean;
  /** Whether no other process answers the same start: then what all of them would read may be moved. */
  readonly alone: boolean;
}

export interface StartDecision {
  readonly decision: ModeDecision;
  readonly transcript: Transcript | null;
  readonly detection: Detection | null;
  /** What a fork goes by instead of its own transcript; null where that says enough, or there is nothing else. */
  readonly fork: ForkProject | null;
  /** The project in hand and how sure that is; null where there is none. */
  readonly project: ProjectId | null;
  readonly confidence: "high" | "medium" | "low" | null;
  readonly steps: Steps | null;
  /** What the state file said, where it was asked. */
  readonly state: StateOutcome | null;
  /** Why the transcript could not be read, a sentence; null where it was, or where there is none. */
  readonly transcriptProblem: string | null;
}

export type StateOutcome =
  /** `stale` is one of this session, or of none, that is too old to go by. */
  | { readonly kind: "none"; readonly path: string; readonly stale: StaleState | null }
  | { readonly kind: "used"; readonly path: string; readonly state: PrecompactState }
  | { readonly kind: "bad"; readonly path: string; readonly problem: string; readonly aside: BrokenState | null };

export interface StaleState {
  /** When it was written. */
  readonly timestamp: string;
  readonly minutes: number;
}

/** Which document a start gets that goes on with earlier work: from the transcript first, then from the state that PreCompact left for this session, then nothing. */
export async function decideStart(context: CommandContext, config: Config, input: StartInput): Promise<StartDecision> {
  const ids = listProjectIds(context.paths, config);
  const read = input.transcriptPath === null ? null : readTranscript(latestLeg(input.transcriptPath), "window");
  const transcript = read?.ok ? read.value : null;
  const transcriptProblem = read === null || read.ok || read.error.code === "missing" ? null : `${read.error.message}.`;
  const detection = transcript === null ? null : detect(context, config, { ...input, ids }, transcript);
  const state = askState(context, config, input);
  const fork =
    transcript === null || detection === null
      ? null
      : forkProject(
          transcript,
          detection,
          (activities) => detect(context, config, { ...input, ids }, { activities }),
          input.sessionId ?? undefined,
        );
  const found = combine(detection, fork, transcript, state, ids);
  const steps = found.project === null ? null : stepsOf(context, config, found.project);
  const phase =
    phaseOf(steps) ?? (found.project === null ? null : await phaseWithoutBoxes(context, config, found.project));
  // A resumed session's transcript is there before its start, a fork's is not.
  const unseen = transcript === null && (transcriptProblem !== null || input.source === "fork");
  const decided = detectMode({ source: input.source, detection: found, phase, unseen });
  const decision = fork === null ? decided : { ...decided, why: `${decided.why}, ${forkText(fork)}` };
  return { decision, transcript, transcriptProblem, detection, fork, ...found, steps, state };
}

function detect(
  context: CommandContext,
  config: Config,
  { ids, cwd, evidence }: StartInput & { readonly ids: readonly ProjectId[] },
  { activities }: Pick<Transcript, "activities">,
): Detection {
  const redactPatterns = evidence ? compileRedactPatterns(config.redact).patterns : [];
  return lookForProject(
    context,
    config,
    { cwd, knownProjects: new Set(ids) },
    (places) => detectProject(activities, { ...places, withEvidence: evidence, redactPatterns }),
    isDetected,
  );
}

type Found = DetectionForMode & Pick<StartDecision, "project" | "confidence">;

function combine(
  detection: Detection | null,
  fork: ForkProject | null,
  transcript: Transcript | null,
  state: StateOutcome,
  ids: readonly ProjectId[],
): Found {
  const before = fork?.detection;
  if (before?.project != null && isProjectId(before.project)) {
    const switched = before.switched || detection?.otherSkill != null;
    return { ...before, project: before.project, switched, talkedSince: true };
  }
  const { project, confidence } = detection ?? NOTHING_DETECTED;
  if (detection !== null && project !== null && isProjectId(project)) {
    // PreCompact may know more of it: what an earlier compaction found.
    const isKnown = confidence === "low" && state.kind === "used" && state.state.active_project_id === project;
    return { ...detection, project, confidence: isKnown ? state.state.confidence : confidence };
  }
  const none: Found = { ...(detection ?? NOTHING_DETECTED), project: null, confidence: null };
  // A transcript that was read whole and names no project is an answer; an empty one, and what lies before the window, is not.
  const saysNone = transcript?.whole && transcript.activities.length > 0;
  const answer = before ?? detection;
  if ((answer !== null && isAnyAtWork(answer.scores)) || state.kind !== "used") return none;
  const { active_project_id: id, confidence: sure, detection_method: how } = state.state;
  // What PreCompact had from before, it asked the same transcript about.
  if (saysNone && how !== "cache") return none;
  return id !== null && ids.includes(id) ? { ...none, project: id, confidence: sure } : none;
}

const STATE_MAX_AGE_MS = 10 * 60 * 1000;

/** The state of this session, used up by this start; an old one is of another compaction, and one that names no session may be anybody's. */
function askState(context: CommandContext, config: Config, input: StartInput): StateOutcome {
  const path = precompactStatePath(context.paths, config);
  const shown = shownPath(context.paths, path);
  const { sessionId } = input;
  const now = context.now();
  const stored =
    sessionId === null
      ? ({ ok: true, value: null } as const)
      : input.live
        ? takePrecompactState(context.paths, path, sessionId, now)
        : lookAtPrecompactState(context.paths, path, sessionId, now);
  if (!stored.ok) {
    const problem = stored.error.kind === "parse" ? stored.error.message : `It ${stored.error.error.message}.`;
    const aside = input.live && input.alone ? setAsideBrokenState(context.paths, path, now) : null;
    return { kind: "bad", path: shown, problem, aside };
  }
  const state = stored.value;
  if (state === null) return { kind: "none", path: shown, stale: null };
  const age = now.getTime() - timeOf(state.timestamp);
  if ((input.source === "compact" || state.session_id === undefined) && !(age <= STATE_MAX_AGE_MS)) {
    return { kind: "none", path: shown, stale: { timestamp: state.timestamp, minutes: Math.floor(age / 60_000) } };
  }
  return { kind: "used", path: shown, state };
}

function stepsOf(context: CommandContext, config: Config, id: ProjectId): Steps | null {
  const file = readStepsFile(context.paths, config, id);
  return file.ok ? parseSteps(file.value.text) : null;
}

function phaseOf(steps: Steps | null): string | null {
  return steps === null || steps.phase === "empty" ? null : steps.phase;
}

/** Without a box to go by, the manifest's word counts, and then the overview's: of a plan the steps are written last. */
async function phaseWithoutBoxes(context: CommandContext, config: Config, id: ProjectId): Promise<string | null> {
  const phase = await manifestPhase(context, config, id);
  if (phase !== null) return phase;
  const overview = openPlanning(context.paths, config, id).overview();
  return overview.ok && parseOverview(overview.value.text).status === "PLANNING" ? "planning" : null;
}

async function manifestPhase(context: CommandContext, config: Config, id: ProjectId): Promise<string | null> {
  const found = findManifest(context.paths, config, id);
  if (!found.ok || found.value === null) return null;
  const { file, legacy } = found.value;
  const fast = readManifestFast(file.text);
  if (fast !== null) return fast.current_phase;
  const { startManifest } = await optimising(() => import("../../resume/parse-manifest.ts"));
  return startManifest(file.text, legacy)?.current_phase ?? null;
}
