import { existsSync } from "node:fs";
import { plural } from "../base/plural.ts";
import { printableLine } from "../base/printable.ts";
import { shellWord } from "../base/shell-word.ts";
import { WHOLE } from "../gate/coverage.ts";
import { filesWithSeen, type GateState, isAllRead, isPending, type SeenLines, withSeen } from "../gate/state.ts";
import { type Proof, type ProofLine, proofOf } from "../gate/verdict.ts";
import { isRoleName, type RoleName } from "../lifecycle/role.ts";
import { loadConfig } from "../stores/config-store.ts";
import { fileKeys, pathOfKey } from "../stores/gate-keys.ts";
import { endPending } from "../stores/gate-pending.ts";
import { updateGateState } from "../stores/gate-store.ts";
import { contextFilePath } from "../stores/paths.ts";
import { type CommandContext, sessionOf } from "./command-context.ts";
import { HOOK_WAIT_MS, step, unchangedNote } from "./lifecycle/step.ts";
import { type CheckInput, type Subject, stateFor, subjectOf, transcriptFor, wantedNow } from "./recovery-subject.ts";
import { failed, type Report } from "./report.ts";
import { absentRoleHint } from "./role-argument.ts";
import { roleExists } from "./role-exists.ts";
import { seenSince } from "./seen-since.ts";

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
        hint: absentHint(context, subject) ?? "Name it: --transcript <file>.",
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
  const required = files.filter((file) => isAllRead(file) || existsSync(pathOfKey(context.paths, file.path)));
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
    const hint = absentHint(context, subject);
    const problem = { code: "nothing-required", message, ...(hint === null ? {} : { hint }) };
    return failed(problem, { notes, data: { ...facts, verdict: null, files: [] } });
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

/** Of a role that is not there: a transcript that is named would prove nothing either. */
function absentHint(context: CommandContext, subject: Subject): string | null {
  return subject.kind !== "role" || roleExists(context.paths, subject.role)
    ? null
    : absentRoleHint(context, subject.role, "new");
}

function report(
  { name, again }: { readonly name: string; readonly again: string },
  proof: Proof,
  notes: readonly string[],
  facts: Readonly<Record<string, unknown>>,
): Report {
  const { verdict, files, missing } = proof;
  const all = plural(files.length, "required file");
  const text = `${verdict}: ${files.length - missing.length} of ${all} read since the compaction\n${files.map(lineText).join("")}`;
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
      message: `The recovery of ${name} is ${verdict}: ${missing.length} of ${all} ${missing.length === 1 ? "has" : "have"} not been read.`,
      hint: `Read ${missing.length === 1 ? "it" : "them"}, then run ${again}.`,
    },
    { parts, notes, data },
  );
}

function lineText({ path, state, fromLine }: ProofLine): string {
  const from = fromLine === null || fromLine === 1 ? "" : ` (from line ${fromLine})`;
  return `  ${state.padEnd(7)}  ${printableLine(path)}${from}\n`;
}

/** What the transcript proved is kept: the gate need not find it again. */
function remember(context: CommandContext, { sessionId, compactedAt }: GateState, shown: readonly SeenLines[]): void {
  changeGate(context, sessionId, (current) =>
    // Another compaction may have begun meanwhile.
    current.compactedAt === compactedAt ? shown.reduce(withSeen, current) : current,
  );
}

/** Changes a session's state, and opens the gate where nothing is left to be read. */
function changeGate(context: CommandContext, sessionId: string, change: (state: GateState) => GateState): void {
  const updated = updateGateState(context.paths, sessionId, (state) => {
    const next = change(state);
    return { state: next, result: next };
  });
  if (updated.ok && updated.value !== null && !isPending(updated.value)) endPending(context.paths, sessionId);
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
  if (!result.ok) return { moved: false, warnings: [unchangedNote(role, result.error)] };
  const moved = result.value !== null && result.value.after.revision !== result.value.before.revision;
  return { moved, warnings: moved ? [`${role}: recovering -> active, proved by what was read.`] : [] };
}

/** `recover` printed the role's context file for the agent of this session: it has read it. */
export function notePrinted(context: CommandContext, role: RoleName): void {
  const session = sessionOf(context);
  if (session === null) return;
  const path = fileKeys(context.paths, context.env)(contextFilePath(context.paths, role), null);
  changeGate(context, session, (state) => withSeen(state, { path, lines: WHOLE, by: "agent" }));
}
