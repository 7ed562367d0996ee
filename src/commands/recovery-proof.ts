import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { printableLine } from "../base/printable.ts";
import { isProjectId } from "../base/project-id.ts";
import { ok, type Result } from "../base/result.ts";
import { shellWord } from "../base/shell-word.ts";
import type { Config } from "../config/config.ts";
import { WHOLE } from "../gate/coverage.ts";
import {
  filesWithSeen,
  type GateState,
  isPending,
  isRead,
  type Purpose,
  type Required,
  type SeenLines,
  withSeen,
} from "../gate/state.ts";
import { type Proof, type ProofLine, proofOf } from "../gate/verdict.ts";
import { isRoleName, type RoleName } from "../lifecycle/role.ts";
import { loadConfig } from "../stores/config-store.ts";
import { fileKeys, pathOfKey } from "../stores/gate-keys.ts";
import { endPending } from "../stores/gate-pending.ts";
import { listGateStates, readGateState, updateGateState } from "../stores/gate-store.ts";
import { readMachine } from "../stores/machine-store.ts";
import { contextFilePath } from "../stores/paths.ts";
import { listProjectIds } from "../stores/project-store.ts";
import { findTranscript } from "../stores/transcript-store.ts";
import { type CommandContext, sessionOf } from "./command-context.ts";
import { knownRoles } from "./known-roles.ts";
import { HOOK_WAIT_MS, step } from "./lifecycle/step.ts";
import { projectArgument } from "./project-argument.ts";
import { failed, type Report } from "./report.ts";
import { projectReading, requiredFiles, roleReading } from "./required-reading.ts";
import { roleArgument } from "./role-argument.ts";
import { seenSince } from "./seen-since.ts";

export interface CheckInput {
  /** A role, or a project's id where no role has that name. */
  readonly target: string | undefined;
  readonly project: string | undefined;
  readonly transcript: string | undefined;
}

/** Whose recovery is looked at. */
type Subject = { readonly kind: "role"; readonly role: RoleName } | { readonly kind: "project"; readonly id: string };

/** `recover --check`: which of the required files were really read since the compaction; a proved role goes to `active`. */
export async function checkRecovery(context: CommandContext, input: CheckInput): Promise<Report> {
  const config = await loadConfig(context.paths);
  const chosen = await subjectOf(context, config.value, input);
  if (!chosen.ok) return chosen.error;
  const { subject } = chosen.value;
  const notes = [...chosen.value.notes, ...config.notes];
  const stored = stateFor(context, subject, input.transcript);
  const found = transcriptFor(context, subject, stored, input.transcript);
  const name = subject.kind === "role" ? subject.role : subject.id;
  if (found.path === null) {
    return failed(
      {
        code: "transcript-missing",
        message: `No transcript of ${name} is known${found.looked}.`,
        hint: "Name it: --transcript <file>.",
      },
      { notes },
    );
  }
  const seen = seenSince(context, found.path, stored?.transcriptBytes ?? null, "whole");
  if (seen === null) {
    const message = `${printableLine(found.path)} cannot be read.`;
    return failed({ code: "transcript-unreadable", message, hint: "Name another: --transcript <file>." }, { notes });
  }
  // Our own start hook saw a compaction that the client may not have written down yet.
  if (stored === null && !seen.compacted) {
    const message = `${printableLine(found.path)} holds no compaction: there is nothing to recover from.`;
    return failed({ code: "no-compaction", message }, { notes });
  }
  const wanted =
    stored?.required.filter(({ purposes }) => purposes.includes(subject.kind)) ??
    (await wantedNow(context, config.value, subject));
  const files = seen.shown.reduce(filesWithSeen, wanted);
  const required = files.filter((file) => isRead(file) || existsSync(pathOfKey(context.paths, file.path)));
  const gone = files.filter((file) => !required.includes(file)).map(({ path }) => path);
  if (gone.length > 0) notes.push(`Required at the compaction, and gone since: ${gone.join(", ")}.`);
  const proof = proofOf(required);
  const facts = {
    role: subject.kind === "role" ? subject.role : null,
    project: subject.kind === "project" ? subject.id : null,
    session_id: stored?.sessionId ?? null,
    transcript: found.path,
    compacted_at: stored?.compactedAt ?? null,
    opened: stored?.opened ?? null,
    denials: stored?.denials ?? null,
  };
  if (required.length === 0) {
    const message = `Nothing is required of ${name}: there is nothing that could prove a recovery.`;
    return failed({ code: "nothing-required", message }, { notes, data: { ...facts, verdict: null, files: [] } });
  }
  const session = stored?.sessionId ?? null;
  const moved =
    subject.kind === "role" && proof.verdict === "verified"
      ? await markRecovered(context, subject.role, session, "recover --check")
      : { moved: false, warnings: [] };
  if (stored !== null) remember(context, stored, seen.shown);
  const whose = subject.kind === "role" ? subject.role : `--project ${subject.id}`;
  const where = input.transcript === undefined ? "" : ` --transcript ${shellWord(found.path)}`;
  const again = `${context.invokedAs} recover --check ${whose}${where}`;
  return report({ name, again }, proof, [...notes, ...moved.warnings], { ...facts, recovered: moved.moved });
}

function report(
  { name, again }: { readonly name: string; readonly again: string },
  proof: Proof,
  notes: readonly string[],
  facts: Readonly<Record<string, unknown>>,
): Report {
  const { verdict, files, missing } = proof;
  const count = `${files.length - missing.length} of ${files.length} required files`;
  const text = `${verdict}: ${count} read since the compaction\n${files.map(lineText).join("")}`;
  const parts = [{ kind: "text", text } as const];
  const data = {
    ...facts,
    verdict,
    files: files.map(({ path, state, fromLine }) => ({ path, state, from_line: fromLine })),
    missing: missing.map(({ path }) => path),
  };
  if (verdict === "verified") return { outcome: "done", parts, notes, data };
  return failed(
    {
      code: `recovery-${verdict}`,
      message: `The recovery of ${name} is ${verdict}: ${missing.length} of ${files.length} required files ${missing.length === 1 ? "has" : "have"} not been read.`,
      hint: `Read them, then run ${again}.`,
    },
    { parts, notes, data },
  );
}

function lineText({ path, state, fromLine }: ProofLine): string {
  const from = fromLine === null || fromLine === 1 ? "" : ` (from line ${fromLine})`;
  return `  ${state.padEnd(7)}  ${printableLine(path)}${from}\n`;
}

async function subjectOf(
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
  const isRole = isRoleName(target) && (knownRoles(context).includes(target) || machineOf(context, target) !== null);
  return !isRole && listProjectIds(context.paths, config).some((id) => id === target);
}

function machineOf(context: CommandContext, role: RoleName) {
  const machine = readMachine(context.paths, role);
  return machine.ok ? (machine.value?.record ?? null) : null;
}

function ownState(context: CommandContext): GateState | null {
  const session = sessionOf(context);
  const state = session === null ? null : readGateState(context.paths, session);
  return state?.ok ? state.value : null;
}

/** The compaction that is asked about: the named transcript's, else this session's, else the last one of the role or project. */
function stateFor(context: CommandContext, subject: Subject, transcript: string | undefined): GateState | null {
  const concerns = (state: GateState) =>
    subject.kind === "role" ? state.role === subject.role : state.projectId === subject.id;
  if (transcript !== undefined) {
    const state = readGateState(context.paths, basename(transcript).replace(/\.jsonl$/, ""));
    return state.ok && state.value !== null && concerns(state.value) ? state.value : null;
  }
  const own = ownState(context);
  return own !== null && concerns(own) ? own : (listGateStates(context.paths).find(concerns) ?? null);
}

function transcriptFor(
  context: CommandContext,
  subject: Subject,
  state: GateState | null,
  named: string | undefined,
): { readonly path: string | null; readonly looked: string } {
  if (named !== undefined) return { path: resolve(context.cwd, named), looked: "" };
  if (state?.transcriptPath != null && existsSync(state.transcriptPath)) {
    return { path: state.transcriptPath, looked: "" };
  }
  const owner = subject.kind === "role" ? (machineOf(context, subject.role)?.sessionId ?? null) : null;
  const session = state?.sessionId ?? owner ?? sessionOf(context);
  if (session === null) return { path: null, looked: "" };
  return { path: findTranscript(context.env, session), looked: ` (session ${printableLine(session)})` };
}

/** What would be required now, for a compaction that our start hook did not see. */
async function wantedNow(context: CommandContext, config: Config, subject: Subject): Promise<readonly Required[]> {
  const wanted: Record<Purpose, readonly string[]> = { role: [], project: [] };
  if (subject.kind === "role") wanted.role = roleReading(context, subject.role, config.recovery.architecture);
  else if (isProjectId(subject.id)) wanted.project = await projectReading(context, config, subject.id);
  return requiredFiles(context, wanted);
}

/** What the transcript proved is kept: the gate need not find it again. */
function remember(context: CommandContext, state: GateState, shown: readonly SeenLines[]): void {
  const updated = updateGateState(context.paths, state.sessionId, (current) => {
    // Another compaction may have begun meanwhile.
    const same = current.compactedAt === state.compactedAt;
    const next = same ? shown.reduce(withSeen, current) : current;
    return { state: next, result: next };
  });
  if (updated.ok && updated.value !== null && !isPending(updated.value)) endPending(context.paths, state.sessionId);
}

/** A role whose required files were read is `active` again, if it was `recovering` in that session. */
export async function markRecovered(
  context: CommandContext,
  role: string,
  sessionId: string | null,
  by: string,
): Promise<{ readonly moved: boolean; readonly warnings: readonly string[] }> {
  if (!isRoleName(role)) return { moved: false, warnings: [] };
  const result = await step(
    context,
    role,
    {
      by,
      sessionId,
      create: false,
      unstick: false,
      owner: "look",
      broken: "stop",
      waitMs: HOOK_WAIT_MS,
      assume: "recovering",
    },
    (record) => {
      const others = sessionId !== null && record.sessionId !== null && record.sessionId !== sessionId;
      return { events: record.state === "recovering" && !others ? ["RECOVERED"] : [], value: null };
    },
  );
  if (!result.ok) {
    const why = result.error.problem?.message ?? "unknown reason";
    return { moved: false, warnings: [`The state of ${role} was not changed: ${why}`] };
  }
  const moved = result.value !== null && result.value.after.revision !== result.value.before.revision;
  return { moved, warnings: moved ? [`${role}: recovering -> active, proved by what was read.`] : [] };
}

/** `recover` printed the role's context file for the agent of this session: it has read it. */
export function notePrinted(context: CommandContext, role: RoleName): void {
  const session = sessionOf(context);
  if (session === null) return;
  const path = fileKeys(context.paths, context.env)(contextFilePath(context.paths, role), null);
  const updated = updateGateState(context.paths, session, (state) => {
    const next = withSeen(state, { path, lines: WHOLE, by: "agent" });
    return { state: next, result: next };
  });
  if (updated.ok && updated.value !== null && !isPending(updated.value)) endPending(context.paths, session);
}
