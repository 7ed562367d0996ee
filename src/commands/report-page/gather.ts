import { basename } from "node:path";
import { parseTime } from "../../base/moment.ts";
import type { HistoryEntry } from "../../lifecycle/advance.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import type { MachineRecord } from "../../lifecycle/snapshot.ts";
import type { ContextFacts, MarkFacts, ReportFacts, RoleFacts } from "../../report/facts.ts";
import { readCompactions } from "../../stores/compaction-store.ts";
import { readHistory, readMachine } from "../../stores/machine-store.ts";
import { shownPath } from "../../stores/paths.ts";
import { type ContextCheck, checkContext } from "../check-context.ts";
import type { CommandContext } from "../command-context.ts";
import { knownRoles } from "../known-roles.ts";

/** Everything that the report tells of this project's roles; the window is chosen by who asks. */
export function gatherRoles(context: CommandContext): readonly RoleFacts[] {
  const marks = markReader(context);
  return knownRoles(context).map((role) => roleFacts(context, role, marks));
}

/** The project's folder by its name alone: a page that is passed on tells nothing of its maker's disk. */
export function projectName(context: CommandContext): string {
  return basename(context.paths.root) || "project";
}

type Marks = (sessionId: string) => readonly MarkFacts[];

function roleFacts(context: CommandContext, role: RoleName, marksOf: Marks): RoleFacts {
  const machine = readMachine(context.paths, role);
  const record = machine.ok ? (machine.value?.record ?? null) : null;
  const history = readHistory(context.paths, role, record?.revision ?? null);
  const entries = history.ok ? history.value.entries : [];
  const problems = [machine, history].flatMap((result) =>
    result.ok ? [] : [`${shownPath(context.paths, result.error.path)} ${result.error.message}.`],
  );
  const sessions = new Set(
    entries.flatMap(({ session_id: id, event }) => (id !== null && isCompaction(event) ? [id] : [])),
  );
  return {
    role,
    record,
    problem: problems.length === 0 ? null : problems.join(" "),
    history: entries,
    broken: history.ok ? history.value.broken : 0,
    context: contextFacts(checkContext(context, role, record), record),
    marks: [...sessions].flatMap(marksOf),
  };
}

function isCompaction(event: HistoryEntry["event"]): boolean {
  return event === "COMPACT" || event === "COMPACTED";
}

/** Each session's transcript is read once, however many roles it had. */
function markReader(context: CommandContext): Marks {
  const known = new Map<string, readonly MarkFacts[]>();
  return (sessionId) => {
    const found = known.get(sessionId) ?? readMarks(context, sessionId);
    known.set(sessionId, found);
    return found;
  };
}

function readMarks(context: CommandContext, sessionId: string): readonly MarkFacts[] {
  return (readCompactions(context.env, sessionId) ?? []).flatMap((mark) => {
    const at = mark.at === null ? null : parseTime(mark.at);
    const { trigger, preTokens, postTokens } = mark;
    return at === null ? [] : [{ at, sessionId, trigger, preTokens, postTokens }];
  });
}

function contextFacts(check: ContextCheck, record: MachineRecord | null): ContextFacts {
  if (check.kind === "unreadable") {
    const health = check.missing ? "missing" : "unreadable";
    return { health, path: check.path, errors: 0, changedSinceSave: false, bytes: null };
  }
  return {
    health: check.valid ? "valid" : "invalid",
    path: check.checked.path,
    errors: check.errors,
    changedSinceSave: record?.contextSha256 != null && record.contextSha256 !== check.sha256,
    bytes: check.bytes,
  };
}

/** The newest time that the facts hold, in milliseconds since the epoch; null where they hold none. */
export function newestTime(roles: ReportFacts["roles"]): number | null {
  const times = roles.flatMap(({ record, history, marks }) => [
    ...[
      record?.since,
      record?.savedAt,
      record?.recoveredAt,
      record?.ownedSince,
      ...history.map(({ at }) => at),
    ].flatMap((text) => (text == null ? [] : (parseTime(text) ?? []))),
    ...marks.map(({ at }) => at),
  ]);
  return times.length === 0 ? null : times.reduce((most, at) => Math.max(most, at));
}
