import { isoText } from "../../base/iso-text.ts";
import { isProjectId, type ProjectId } from "../../base/project-id.ts";
import type { Config } from "../../config/config.ts";
import type { PrecompactState } from "../../resume/precompact-state.ts";
import { timeOf } from "../../resume/timestamp.ts";
import { type ForkOrigin, forkOrigin, lookBack } from "../../stores/fork-origin.ts";
import { shownPath } from "../../stores/paths.ts";
import {
  type BrokenState,
  keptAside,
  precompactStatePath,
  readPrecompactState,
  removePrecompactState,
  setAsideBrokenState,
  usedStatePath,
  writePrecompactState,
} from "../../stores/precompact-state-store.ts";
import { type SearchedTranscript, searchProject } from "../../stores/project-search.ts";
import { openProjects } from "../../stores/project-store.ts";
import type { KnownProjects } from "../../transcript/project-path.ts";
import type { CommandContext } from "../command-context.ts";
import { lookForProject } from "../other-roots.ts";

export interface PreCompactProjectInput {
  readonly transcriptPath: string | null;
  readonly sessionId: string | null;
  /** The client's working directory, which moves with the agent's shell. */
  readonly cwd: string | null;
  /** False for a look: nothing is written or removed. */
  readonly live: boolean;
}

/** What is known of the project in hand. */
export interface InHand {
  /** Null where none is, as the start that follows says. */
  readonly project: ProjectId | null;
  /** Where none is certain, which one may be and why, as a clause; that start does not go on with it. Null where none may. */
  readonly doubt: string | null;
}

export interface PreCompactProject extends InHand {
  readonly warnings: readonly string[];
}

type Found = Pick<PrecompactState, "active_project_id" | "confidence" | "detection_method">;

/** The project's part of PreCompact: which one is in hand is written down for the start that follows. */
export async function preCompactProject(
  context: CommandContext,
  config: Config,
  input: PreCompactProjectInput,
): Promise<PreCompactProject> {
  const { transcriptPath } = input;
  const warnings: string[] = [];
  const projects = openProjects(context.paths, config);
  // Without projects there is nothing to look for.
  const read =
    transcriptPath === null || projects === null ? null : search(context, config, input, transcriptPath, projects);
  if (read !== null && !read.ok && read.error.code !== "missing") warnings.push(`${read.error.message}.`);
  const searched = read?.ok && !read.value.empty ? read.value : null;
  const path = precompactStatePath(context.paths, config);
  const found =
    projects === null
      ? null
      : (foundBefore(context, config, path, input, searched, projects) ??
        (searched === null ? await fromSteps(context, config) : null));
  const now = context.now();
  const aside = (broken: BrokenState): string => keptAside(shownPath(context.paths, path), broken);
  if (!input.live) return { ...inHand(found), warnings };
  if (found === null) {
    removePrecompactState(context.paths, path, input.sessionId);
    const broken = setAsideBrokenState(context.paths, path, now);
    if (broken !== null) warnings.push(aside(broken));
    return { ...inHand(null), warnings };
  }
  const state: PrecompactState = {
    ...found,
    timestamp: isoText(now),
    ...(input.sessionId === null ? {} : { session_id: input.sessionId }),
  };
  const written = writePrecompactState(context.paths, path, state, now);
  if (!written.ok) warnings.push(`${shownPath(context.paths, path)} ${written.error.message}.`);
  else if (written.value.replaced !== null) warnings.push(aside(written.value.replaced));
  return { ...inHand(found), warnings };
}

function inHand(found: Found | null): InHand {
  if (found === null || found.active_project_id === null) return { project: null, doubt: null };
  const { active_project_id: id, confidence, detection_method: how } = found;
  if (confidence !== "low") return { project: id, doubt: null };
  return { project: null, doubt: how === "fallback" ? `${id} is the only one in progress` : `${id} was only named` };
}

function search(
  context: CommandContext,
  config: Config,
  { cwd }: PreCompactProjectInput,
  path: string,
  projects: KnownProjects,
  upTo?: number,
): ReturnType<typeof searchProject> {
  return lookForProject(
    context,
    config,
    { cwd, knownProjects: projects },
    (places) => searchProject(path, places, upTo),
    (searched) => !searched.ok || searched.value.found !== null || searched.value.worked,
  );
}

function fromTranscript(searched: SearchedTranscript | null): Found | null {
  const found = searched?.found ?? null;
  if (found === null || !isProjectId(found.project)) return null;
  return { active_project_id: found.project, confidence: found.confidence, detection_method: "transcript" };
}

/**
 * What the transcript says; where it names a project at most, what was in hand where a fork comes from, else what an
 * earlier compaction found of that one, or of any.
 */
function foundBefore(
  context: CommandContext,
  config: Config,
  path: string,
  input: PreCompactProjectInput,
  searched: SearchedTranscript | null,
  projects: KnownProjects,
): Found | null {
  const found = fromTranscript(searched);
  if (searched?.worked) return found;
  const { transcriptPath, sessionId } = input;
  const origin =
    searched?.whole && transcriptPath !== null && sessionId !== null ? forkOrigin(transcriptPath, sessionId) : null;
  const copied = fromOrigin(context, config, input, origin, projects);
  if (copied !== null) return fromTranscript(copied);
  const earlier = fromEarlierState(path, input, searched, projects, origin);
  return found === null || found.active_project_id === earlier?.active_project_id ? (earlier ?? found) : found;
}

/** Of a session that was compacted, the client copies into a fork what came after that: the work lies before. */
function fromOrigin(
  context: CommandContext,
  config: Config,
  input: PreCompactProjectInput,
  origin: ForkOrigin | null,
  projects: KnownProjects,
): SearchedTranscript | null {
  return lookBack(origin, ({ path }, upTo) => {
    const read = search(context, config, input, path, projects, upTo);
    if (!read.ok) return null;
    if (read.value.worked) return read.value;
    return read.value.whole ? "earlier" : null;
  });
}

/**
 * What an earlier compaction of the same session found, where the transcript cannot say: it could not be read, or the
 * work on the project lies before the part that was read. A transcript that was read whole and names none is an answer,
 * unless it is a fork's, whose origin may be gone.
 */
function fromEarlierState(
  path: string,
  input: PreCompactProjectInput,
  searched: SearchedTranscript | null,
  projects: KnownProjects,
  origin: ForkOrigin | null,
): Found | null {
  if (input.sessionId === null) return null;
  for (const candidate of [path, usedStatePath(path)]) {
    const stored = readPrecompactState(candidate);
    if (!stored.ok || stored.value === null) continue;
    const { active_project_id, confidence, session_id, timestamp } = stored.value;
    if (active_project_id === null || !projects.has(active_project_id)) continue;
    const own = session_id === input.sessionId;
    // What a fork's origin was compacted with later is not the fork's.
    const copied = origin !== null && session_id === origin.session && timeOf(timestamp) <= timeOf(origin.until);
    if (searched?.whole ? !copied && !(own && origin !== null) : !own) continue;
    return { active_project_id, confidence, detection_method: "cache" };
  }
  return null;
}

/** Mostly there is a transcript: what reads steps is a bundle of its own. */
async function fromSteps(context: CommandContext, config: Config): Promise<Found | null> {
  return (await import("./only-open-project.ts")).onlyOpenProject(context, config);
}
