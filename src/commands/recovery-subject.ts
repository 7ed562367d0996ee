import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { printableLine } from "../base/printable.ts";
import { isProjectId } from "../base/project-id.ts";
import { ok, type Result } from "../base/result.ts";
import type { Config } from "../config/config.ts";
import type { GateState, Purpose, Required } from "../gate/state.ts";
import { isRoleName, type RoleName } from "../lifecycle/role.ts";
import { lastGateState, listGateStates, readGateState } from "../stores/gate-store.ts";
import { recordOf } from "../stores/machine-store.ts";
import { listProjectIds } from "../stores/project-store.ts";
import { findTranscript } from "../stores/transcript-store.ts";
import { type CommandContext, sessionOf } from "./command-context.ts";
import { knownRoles } from "./known-roles.ts";
import { projectArgument } from "./project-argument.ts";
import type { Report } from "./report.ts";
import { projectReading, requiredFiles, roleReading } from "./required-reading.ts";
import { roleArgument } from "./role-argument.ts";

/** What `recover --check` was asked. */
export interface CheckInput {
  /** A role, or a project's id where no role has that name. */
  readonly target: string | undefined;
  readonly project: string | undefined;
  readonly transcript: string | undefined;
}

/** Whose recovery is looked at. */
export type Subject =
  | { readonly kind: "role"; readonly role: RoleName }
  | { readonly kind: "project"; readonly id: string };

/** The role or project that is named, else that of this session; with what a person should know of the choice. */
export async function subjectOf(
  context: CommandContext,
  config: Config,
  { target, project }: CheckInput,
): Promise<Result<{ readonly subject: Subject; readonly notes: readonly string[] }, Report>> {
  const named = project ?? (target !== undefined && isProjectOnly(context, config, target) ? target : undefined);
  if (named !== undefined) {
    const id = projectArgument(context, config, named);
    return id.ok ? ok({ subject: { kind: "project", id: id.value }, notes: [] }) : id;
  }
  if (target === undefined && !context.env.HIVEMIND_ROLE) {
    const id = ownState(context)?.projectId ?? null;
    if (id !== null) return ok({ subject: { kind: "project", id }, notes: [`Project ${id}, of this session.`] });
  }
  const role = await roleArgument(context, target);
  return role.ok ? ok({ subject: { kind: "role", role: role.value.role }, notes: role.value.notes }) : role;
}

function isProjectOnly(context: CommandContext, config: Config, target: string): boolean {
  const isRole =
    isRoleName(target) && (knownRoles(context).includes(target) || recordOf(context.paths, target) !== null);
  return !isRole && listProjectIds(context.paths, config).some((id) => id === target);
}

function ownState(context: CommandContext): GateState | null {
  const session = sessionOf(context);
  const state = session === null ? null : readGateState(context.paths, session);
  return state?.ok ? state.value : null;
}

/** The compaction that is asked about: the named transcript's, else this session's, else the last one of the role or project. */
export function stateFor(context: CommandContext, subject: Subject, transcript: string | undefined): GateState | null {
  const concerns = (state: GateState) =>
    subject.kind === "role" ? state.role === subject.role : state.projectId === subject.id;
  if (transcript !== undefined) {
    const state = readGateState(context.paths, basename(transcript).replace(/\.jsonl$/, ""));
    return state.ok && state.value !== null && concerns(state.value) ? state.value : null;
  }
  const own = ownState(context);
  if (own !== null && concerns(own)) return own;
  return lastGateState(listGateStates(context.paths), subject.kind === "role" ? subject.role : null, concerns);
}

/** The transcript to look into; where none is found, `looked` says which session's was looked for. */
export function transcriptFor(
  context: CommandContext,
  subject: Subject,
  state: GateState | null,
  named: string | undefined,
): { readonly path: string | null; readonly looked: string } {
  if (named !== undefined) return { path: resolve(context.cwd, named), looked: "" };
  if (state?.transcriptPath != null && existsSync(state.transcriptPath)) {
    return { path: state.transcriptPath, looked: "" };
  }
  const owner = subject.kind === "role" ? (recordOf(context.paths, subject.role)?.sessionId ?? null) : null;
  const session = state?.sessionId ?? owner ?? sessionOf(context);
  if (session === null) return { path: null, looked: "" };
  return { path: findTranscript(context.env, session), looked: ` (session ${printableLine(session)})` };
}

/** What would be required now, for a compaction that our start hook did not see. */
export async function wantedNow(
  context: CommandContext,
  config: Config,
  subject: Subject,
): Promise<readonly Required[]> {
  const wanted: Record<Purpose, readonly string[]> = { role: [], project: [] };
  if (subject.kind === "role") wanted.role = roleReading(context, subject.role, config.recovery.architecture);
  else if (isProjectId(subject.id)) wanted.project = await projectReading(context, config, subject.id);
  return requiredFiles(context, wanted);
}
