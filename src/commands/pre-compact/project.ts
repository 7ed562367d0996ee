import { isoText } from "../../base/iso-text.ts";
import { isProjectId, type ProjectId } from "../../base/project-id.ts";
import type { Config } from "../../config/config.ts";
import { homeFolder } from "../../platform/home-folder.ts";
import { readHead } from "../../platform/read-head.ts";
import type { PrecompactState } from "../../resume/precompact-state.ts";
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
import { lookByLinksToo, otherRoots } from "../other-roots.ts";

export interface PreCompactProjectInput {
  readonly transcriptPath: string | null;
  readonly sessionId: string | null;
  /** The client's working directory, which moves with the agent's shell. */
  readonly cwd: string | null;
  /** False for a look: nothing is written or removed. */
  readonly live: boolean;
}

export interface PreCompactProject {
  readonly project: ProjectId | null;
  readonly warnings: readonly string[];
}

type Found = Pick<PrecompactState, "active_project_id" | "confidence" | "detection_method">;

/** The project's part of PreCompact: which one is in hand is written down for the start that follows. */
export async function preCompactProject(
  context: CommandContext,
  config: Config,
  input: PreCompactProjectInput,
): Promise<PreCompactProject> {
  const warnings: string[] = [];
  const projects = openProjects(context.paths, config);
  // Without projects there is nothing to look for.
  const read =
    input.transcriptPath === null || projects === null
      ? null
      : search(context, config, input, input.transcriptPath, projects);
  if (read !== null && !read.ok && read.error.code !== "missing") warnings.push(`${read.error.message}.`);
  const searched = read?.ok && !read.value.empty ? read.value : null;
  const path = precompactStatePath(context.paths, config);
  const found =
    projects === null
      ? null
      : (foundBefore(path, input, searched, projects) ?? (searched === null ? await fromSteps(context, config) : null));
  const now = context.now();
  const aside = (broken: BrokenState): string => keptAside(shownPath(context.paths, path), broken);
  if (!input.live) return { project: found?.active_project_id ?? null, warnings };
  if (found === null) {
    removePrecompactState(context.paths, path, input.sessionId);
    const broken = setAsideBrokenState(context.paths, path, now);
    if (broken !== null) warnings.push(aside(broken));
    return { project: null, warnings };
  }
  const state: PrecompactState = {
    ...found,
    timestamp: isoText(now),
    ...(input.sessionId === null ? {} : { session_id: input.sessionId }),
  };
  const written = writePrecompactState(context.paths, path, state, now);
  if (!written.ok) warnings.push(`${shownPath(context.paths, path)} ${written.error.message}.`);
  else if (written.value.replaced !== null) warnings.push(aside(written.value.replaced));
  return { project: found.active_project_id, warnings };
}

function search(
  context: CommandContext,
  config: Config,
  input: PreCompactProjectInput,
  path: string,
  projects: KnownProjects,
): ReturnType<typeof searchProject> {
  const home = homeFolder(context.env);
  const { projects: projectsFolder } = config.layout;
  const places = { root: context.paths.root, home, projectsFolder, knownProjects: projects, cwd: input.cwd };
  return lookByLinksToo(
    context.paths,
    { home, pwd: context.env.PWD, aliases: otherRoots(context.paths, projectsFolder, input.cwd) },
    (aliases) => searchProject(path, { ...places, aliases }),
    (searched) => !searched.ok || searched.value.found !== null,
  );
}

function fromTranscript(searched: SearchedTranscript | null): Found | null {
  const found = searched?.found ?? null;
  if (found === null || !isProjectId(found.project)) return null;
  return { active_project_id: found.project, confidence: found.confidence, detection_method: "transcript" };
}

/** What the transcript says; where it names a project at most, what an earlier compaction found of that one, or of any. */
function foundBefore(
  path: string,
  input: PreCompactProjectInput,
  searched: SearchedTranscript | null,
  projects: KnownProjects,
): Found | null {
  const found = fromTranscript(searched);
  if (found !== null && found.confidence !== "low") return found;
  const earlier = fromEarlierState(path, input, searched, projects);
  return found === null || found.active_project_id === earlier?.active_project_id ? (earlier ?? found) : found;
}

/**
 * What an earlier compaction of the same session found, where the transcript cannot say: it could not be read, or the
 * work on the project lies before the part that was read. A transcript that was read whole and names none is an answer,
 * unless it is a fork's: of a session that was compacted, the client copies what came after that.
 */
function fromEarlierState(
  path: string,
  input: PreCompactProjectInput,
  searched: SearchedTranscript | null,
  projects: KnownProjects,
): Found | null {
  if (input.sessionId === null) return null;
  for (const candidate of [path, usedStatePath(path)]) {
    const stored = readPrecompactState(candidate);
    if (!stored.ok || stored.value === null) continue;
    const { active_project_id, confidence, session_id } = stored.value;
    if (active_project_id === null || !projects.has(active_project_id)) continue;
    const own = session_id === input.sessionId;
    if (searched?.whole ? !isForkOf(input.transcriptPath, own ? null : session_id, input.sessionId) : !own) continue;
    return { active_project_id, confidence, detection_method: "cache" };
  }
  return null;
}

const HEAD_BYTES = 256 * 1024;

/**
 * Who a record says it was made for, as measured with the clients: 2.1.332 keeps the session that an answer was given to, 2.0.76
 * the one of each record that it copies. Those between name none but in what a hook of ours told the parent.
 */
const MADE_FOR = /"(?:requestSessionId|sessionId)":"([^"\\]+)"/g;
const TOLD_BY_US = /<session id=\\"([^"\\]+)\\" source=/g;

/** Whether a transcript begins with what was copied from another session: from this one, or from any where it is null. */
function isForkOf(transcript: string | null, parent: string | null | undefined, own: string): boolean {
  if (transcript === null || parent === undefined) return false;
  const lines = readHead(transcript, HEAD_BYTES)?.split("\n") ?? [];
  return lines.some((line) => {
    const names = line.includes('"type":"hook_additional_context"') ? TOLD_BY_US : MADE_FOR;
    for (const [, session] of line.matchAll(names))
      if (parent === null ? session !== own : session === parent) return true;
    return false;
  });
}

/** Mostly there is a transcript: what reads steps is a bundle of its own. */
async function fromSteps(context: CommandContext, config: Config): Promise<Found | null> {
  return (await import("./only-open-project.ts")).onlyOpenProject(context, config);
}
