import { existsSync } from "node:fs";
import { printableLine } from "../base/printable.ts";
import { answerEdit, withoutGone } from "../gate/decide.ts";
import { type GateState, isAllRead, isPending, unread, withSeen } from "../gate/state.ts";
import { type GateCall, isEdit, isRead } from "../gate/tool-call.ts";
import { denialJson, denialReason, letGoNote } from "../gate/words.ts";
import { fileKeys, pathOfKey } from "../stores/gate-keys.ts";
import { endPending, pendingSessions, sweepPending } from "../stores/gate-pending.ts";
import { readGateState, setAsideBroken, updateGateState } from "../stores/gate-store.ts";
import { type CommandContext, sessionOf } from "./command-context.ts";
import { done, type Report } from "./report.ts";
import { type SeenSince, seenSince } from "./seen-since.ts";

export interface GateInput {
  readonly sessionId: string;
  readonly transcriptPath: string | null;
  readonly cwd: string | null;
  readonly call: GateCall;
}

export interface GateResult {
  /** What the client reads; empty lets the call go its usual way. */
  readonly stdout: string;
  readonly warnings: readonly string[];
}

const NOTHING: GateResult = { stdout: "", warnings: [] };

/** A call of the agent: a read is ticked off, an edit is denied while required files are unread. */
export async function gate(context: CommandContext, input: GateInput): Promise<GateResult> {
  const { call, sessionId } = input;
  // A sub-agent has not lost its memory, and what it reads the main line has not seen.
  if (call.agentId !== null || !(isEdit(call) || isRead(call))) return NOTHING;
  const stored = readGateState(context.paths, sessionId);
  if (!stored.ok) {
    // Said once: the edits of this session pass from now on.
    endPending(context.paths, sessionId);
    const aside = setAsideBroken(context.paths, sessionId, context.now());
    return warning(
      stored.error.path,
      `${stored.error.message}${aside === null ? "" : `; it is set aside as ${aside}`}`,
    );
  }
  const state = stored.value;
  const { main } = context.paths;
  // Of a compaction before the agent went to the worktree.
  if (state === null && main !== undefined) return gate({ ...context, paths: main }, input);
  if (state === null || !isPending(state)) {
    endPending(context.paths, sessionId);
    sweepPending(context.paths, context.now());
    return NOTHING;
  }
  return isRead(call) ? tickOff(context, input, state) : lookAtEdit(context, input);
}

async function tickOff(context: CommandContext, input: GateInput, state: GateState): Promise<GateResult> {
  const { call, sessionId } = input;
  const path = call.path === null ? null : fileKeys(context.paths, context.env)(call.path, input.cwd);
  if (path === null || !unread(state).some((file) => file.path === path)) return NOTHING;
  // Older clients do not say who reads. What the main line read while it waited for no one is in the transcript too.
  if (since(context, input, state)?.subAgentInFlight) return NOTHING;
  const updated = updateGateState(context.paths, sessionId, (current) => {
    const next = withSeen(current, { path, lines: call.shown, by: "agent" });
    return { state: next, result: next };
  });
  if (!updated.ok) return warning(updated.error.path, updated.error.message);
  return updated.value === null ? NOTHING : settle(context, updated.value);
}

async function lookAtEdit(context: CommandContext, input: GateInput): Promise<GateResult> {
  const { paths } = context;
  const updated = updateGateState(paths, input.sessionId, (current) => {
    const there = withoutGone(current, (path) => existsSync(pathOfKey(paths, path)));
    const seen = since(context, input, there);
    // A call that the main line wrote down is no sub-agent's, though one was called beside it.
    if (seen?.subAgentInFlight && !seen.lastCalls.includes(input.call.id ?? ""))
      return { state: current, result: null };
    const answer = answerEdit(there, seen ?? { shown: [], prompts: [], lastCalls: [] }, input.call.id);
    return { state: answer.state, result: answer };
  });
  // An agent is not stopped because we cannot count how often it was.
  if (!updated.ok) return warning(updated.error.path, updated.error.message);
  const answer = updated.value;
  if (answer === null) return NOTHING;
  switch (answer.kind) {
    case "pass":
      return settle(context, answer.state);
    case "let-go":
      endPending(paths, input.sessionId);
      return { stdout: "", warnings: [`${letGoNote(answer.state)}.`] };
    case "deny": {
      const reason = denialReason(answer.state, (path) => pathOfKey(paths, path));
      return { stdout: denialJson(reason), warnings: [] };
    }
    default:
      return answer satisfies never;
  }
}

function since(context: CommandContext, { transcriptPath }: GateInput, state: GateState): SeenSince | null {
  const path = transcriptPath ?? state.transcriptPath;
  return path === null ? null : seenSince(context, path, state.transcriptBytes, "window");
}

/** Where all is read the gate is done, and a role whose own files are read has recovered. */
async function settle(context: CommandContext, state: GateState): Promise<GateResult> {
  if (isPending(state)) return NOTHING;
  endPending(context.paths, state.sessionId);
  const own = state.required.filter(({ purposes }) => purposes.includes("role"));
  if (state.role === null || own.length === 0 || !own.every(isAllRead)) return NOTHING;
  // The machine and its lock: needed once a compaction.
  const { markRecovered } = await import("./recovery-proof.ts");
  const { role, sessionId } = state;
  const mark = async (opened: CommandContext): Promise<GateResult> => {
    const { warnings } = await markRecovered(opened, role, sessionId, "gate");
    return { stdout: "", warnings };
  };
  if (context.paths.shared === undefined) return mark(context);
  const { withHookMachines } = await import("./shared-machines.ts");
  return withHookMachines(context, mark);
}

function warning(path: string, message: string): GateResult {
  return { stdout: "", warnings: [`${path} ${message}.`] };
}

/** `gate --skip`: opens the gate of this session, or of every pending one where the session is not known. */
export function gateSkip(context: CommandContext): Report {
  const own = sessionOf(context);
  const sessions = pendingSessions(context.paths).filter((id) => own === null || id === own);
  const notes: string[] = [];
  const skipped: { readonly session_id: string; readonly files: readonly string[] }[] = [];
  for (const session of sessions) {
    const updated = updateGateState(context.paths, session, (state) => {
      const files = isPending(state) ? unread(state).map(({ path }) => path) : [];
      return { state: files.length === 0 ? state : { ...state, opened: "skip" }, result: files };
    });
    if (!updated.ok) notes.push(`${updated.error.path} ${updated.error.message}.`);
    else if (updated.value !== null && updated.value.length > 0)
      skipped.push({ session_id: session, files: updated.value });
    endPending(context.paths, session);
  }
  const text = skipped.map(({ session_id, files }) => {
    const listed = files.map((path) => `  ${printableLine(path)}\n`).join("");
    return `Session ${session_id}: edits pass, ${files.length} required ${files.length === 1 ? "file is" : "files are"} skipped.\n${listed}`;
  });
  return done(text.join("") || "Nothing is pending: the gate is open.\n", { skipped }, notes);
}
