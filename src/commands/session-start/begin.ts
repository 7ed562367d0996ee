import type { RoleName } from "../../lifecycle/role.ts";
import { withSession } from "../../session-start/session-id.ts";
import { loadConfig } from "../../stores/config-store.ts";
import { nestedWorkspace } from "../../stores/nested-workspace.ts";
import { recallStart, type StartKey, type StartMemo } from "../../stores/start-memo.ts";
import { canKeepDocument, writeStartRecord } from "../../stores/start-store.ts";
import { continuesWork } from "../../transcript/detect-mode.ts";
import type { CommandContext } from "../command-context.ts";
import type { SessionIdentity } from "../lifecycle/begin-session.ts";
import { deliveryOf } from "../second-delivery.ts";
import type { SessionStartInput, SessionStartResult } from "./session-start.ts";

export interface BeginInput {
  readonly source: string;
  readonly sessionId: string | null;
  readonly transcriptPath: string | null;
  readonly cwd: string | null;
  readonly role: RoleName | null;
  /** What stands where a role's name is expected, and is none; null where nothing does. */
  readonly misnamed: string | null;
  /** Which of how many hook commands this is; null for the only one. */
  readonly part: { readonly number: number; readonly of: number } | null;
  /** The whole document, or that part of it, for a person, who starts no session by looking at it. */
  readonly whole: boolean;
  /** A start that is none: nothing is used up or written. */
  readonly probe: boolean;
  /** The project's root was named, by an option or by `CONTEXT_ROOT`. */
  readonly pinned: boolean;
}

/** SessionStart: the document of an earlier start where nothing has changed since, else a new one. */
export async function startSession(context: CommandContext, input: BeginInput): Promise<SessionStartResult> {
  const { sessionId, part } = input;
  const live = !input.whole && !input.probe;
  // Each hook command is a process of its own: what happens once for a start is the first one's to do.
  const first = part === null || part.number === 1;
  if (live && !input.pinned && !continuesWork(input.source) && input.cwd !== context.paths.root) {
    const nested = await nestedIn(context, input.cwd);
    if (nested !== null) return { document: "", warnings: first ? [nested] : [] };
  }
  // Of another number of parts each is another piece.
  const what = `session-start.${part === null ? "all" : `${part.number}.${part.of}`}`;
  const { transcriptPath, source: occasion } = input;
  const delivery = live ? await deliveryOf(context, { sessionId, transcriptPath, what, occasion }) : "first";
  if (delivery === "second") return { document: "", warnings: [] };
  const { role, notes, mismatch } = await identify(context, input, live && first);
  const meant = { ...input, role, mismatch };
  const key = live ? keyOf(context, meant) : null;
  const known = key === null ? null : recallStart(context.paths, key);
  if (known?.kind === "same") return withNotes(again(context, meant, known.memo, first), notes);
  // All that reads projects and makes documents: most of the time that a start takes is spent on loading it.
  const { sessionStart } = await import("./session-start.ts");
  const more: SessionStartInput = {
    ...meant,
    live,
    evidence: live && first,
    alone: part === null,
    first,
    again: delivery === "again",
    key,
    earlier: known?.earlier ?? null,
  };
  return withNotes(await sessionStart(context, more), notes);
}

/** The role that the session goes on with, passed on to it from its predecessor by the first of the hook commands. */
async function identify(
  context: CommandContext,
  { role, misnamed, sessionId, source }: BeginInput,
  first: boolean,
): Promise<SessionIdentity> {
  if (misnamed !== null) {
    const { misnamedRole } = await import("../misnamed-role.ts");
    const mismatch = misnamedRole(context, misnamed);
    return { role: null, notes: first ? [mismatch] : [], mismatch };
  }
  if (role === null) return { role, notes: [], mismatch: null };
  const { beginSession, lookAtSession } = await import("../lifecycle/begin-session.ts");
  // All parts say the same of the role.
  return (first ? beginSession : lookAtSession)(context, role, { sessionId, source });
}

function withNotes(result: SessionStartResult, notes: readonly string[]): SessionStartResult {
  return notes.length === 0 ? result : { ...result, warnings: [...notes, ...result.warnings] };
}

/** A start again, for another session. */
function again(
  context: CommandContext,
  { sessionId, part }: BeginInput,
  memo: StartMemo,
  first: boolean,
): SessionStartResult {
  const named = (document: string): string => withSession(document, memo.session, sessionId);
  const warnings: string[] = [];
  if (first) {
    warnings.push(...memo.faults);
    const record = { ...memo.record, session_id: sessionId };
    const kept = writeStartRecord(context.paths, sessionId, [memo.whole, memo.documents[0] ?? ""].map(named), record);
    if (!kept.ok) warnings.push(`${kept.error.path} ${kept.error.message}.`);
  }
  return { document: named(memo.documents[(part?.number ?? 1) - 1] ?? ""), warnings };
}

/** Null for a start whose document is made from more than files, and for an id that would be shortened. */
function keyOf(
  context: CommandContext,
  { source, sessionId, role, part, mismatch }: BeginInput & Pick<SessionIdentity, "mismatch">,
): StartKey | null {
  const { build, env, invokedAs, paths } = context;
  if (build === null || continuesWork(source) || (sessionId !== null && sessionId.length > 100)) return null;
  // Elsewhere than in a file.
  if (role !== null && env.CONTEXT_STORE) return null;
  const keepsDocument = canKeepDocument(paths);
  const sessionLength = sessionId?.length ?? 0;
  return { build, source, sessionLength, role, mismatch, parts: part?.of ?? null, invokedAs, keepsDocument };
}

/** A sentence where the agent stands in a workspace within this one: whose projects are meant is not for us to guess. */
async function nestedIn(context: CommandContext, cwd: string | null): Promise<string | null> {
  const { value } = await loadConfig(context.paths);
  const nested = nestedWorkspace(context.paths, value, cwd);
  if (nested === null) return null;
  return `${nested} is a workspace of its own within ${context.paths.root}: nothing is told of either. Set CONTEXT_ROOT to the one that is meant.`;
}
