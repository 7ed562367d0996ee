import { plural } from "../../base/plural.ts";
import { printableLine } from "../../base/printable.ts";
import { table } from "../../base/table.ts";
import type { LifecycleState } from "../../lifecycle/states.ts";
import type { StuckReason } from "../../lifecycle/stuck.ts";
import { proofText } from "../role-proof.ts";
import type { ContextFacts, RoleStatus, StatusRecord } from "./role-status.ts";

/** A column that only some fleets have. */
interface ExtraColumn {
  readonly title: string;
  readonly cell: (status: RoleStatus) => string | null;
}

const HEADER = ["ROLE", "STATE", "SINCE"];
const CONTEXT_HEADER = ["CONTEXT", "UPDATED", "PANE"];

const EXTRA: readonly ExtraColumn[] = [
  { title: "OWNER", cell: ownerText },
  { title: "UNSAVED", cell: ({ unsavedWork }) => (unsavedWork === null ? null : unsavedText(unsavedWork)) },
  { title: "RECOVERY", cell: ({ proof }) => (proof === null ? null : proofText(proof)) },
];

/** The roles as a table; a column that would be empty is left out. */
export function statusTable(roles: readonly RoleStatus[]): string {
  const extra = EXTRA.filter(({ cell }) => roles.some((status) => cell(status) !== null));
  const rows = roles.map((status) => [...row(status), ...extra.map(({ cell }) => cell(status) ?? "-")]);
  // Either every role was asked for its context file, or none.
  const context = roles.some((status) => status.context !== null) ? CONTEXT_HEADER : [];
  return table([[...HEADER, ...context, "COMPACTIONS", ...extra.map(({ title }) => title)], ...rows]);
}

function row({ role, record, context, stuck }: RoleStatus): readonly string[] {
  return [
    role,
    record === null ? "unreadable" : `${record.state}${stuck === null ? "" : " (stuck)"}`,
    record?.since ?? "-",
    ...(context === null
      ? []
      : [healthText(context), printableLine(context.updated ?? "-"), printableLine(context.pane ?? "-")]),
    record === null ? "-" : `${record.compactions}${record.unsaved ? " (last one unsaved)" : ""}`,
  ];
}

function healthText({ health, errors, changedSinceSave }: ContextFacts): string {
  if (health === "invalid") return plural(errors ?? 0, "error");
  return health === "valid" && changedSinceSave ? "changed since save" : health;
}

/** A session's first characters tell it from the others on a screen; the JSON has all of them. */
const SESSION_SHOWN = 8;

function ownerText({ record, owner }: RoleStatus): string | null {
  // Of a session without a place nobody can say more than its name, which is of no use to a person.
  if (record === null || record.sessionId === null) return null;
  if (record.ownerProcess === null && record.ownerPane === null) return null;
  const where = record.ownerPane === null ? "" : ` in ${printableLine(record.ownerPane.split("@")[0] ?? "")}`;
  const life = owner === "unknown" ? "" : ` (${owner})`;
  return `${printableLine(record.sessionId.slice(0, SESSION_SHOWN))}${where}${life}`;
}

function unsavedText({ files, complete }: NonNullable<RoleStatus["unsavedWork"]>): string {
  if (files === null) return "-";
  return `${plural(files.length, "file")}${complete ? "" : " or more"}`;
}

/** What each transitional state waits for. */
const WAITS_FOR = {
  active: "",
  saving: "the agent has not finished its save",
  saved: "",
  compacting: "the compaction never ended, or its end was not reported",
  recovering: "the agent has not run its recovery",
} satisfies Record<LifecycleState, string>;

/** Why a role is stuck, as a sentence without its full stop. */
export function stuckText(record: StatusRecord, reason: StuckReason): string {
  switch (reason) {
    case "too-long":
      return WAITS_FOR[record.state];
    case "owner-gone":
      return `the client of its owner, session ${record.sessionId}, has ended`;
    default:
      return reason satisfies never;
  }
}

/** What gets a stuck role moving again: the words behind the program. */
export function wayOut(role: string): string {
  return `lifecycle.recover ${role}`;
}

/** A line for each stuck role is of use while they are few. */
const MOST_NOTES = 20;

/** `invokedAs` is how the program is started: what frees a role can be run as it stands. */
export function stuckNotes(roles: readonly RoleStatus[], invokedAs: string): readonly string[] {
  const notes = roles.flatMap(({ role, record, stuck }) =>
    record === null || stuck === null
      ? []
      : `${role} is stuck in "${record.state}" since ${record.since}: ${stuckText(record, stuck)}. ${invokedAs} ${wayOut(role)} frees it.`,
  );
  const more = notes.length - MOST_NOTES;
  return more > 0 ? [...notes.slice(0, MOST_NOTES), `${more} more are stuck: --filter state=stuck lists them.`] : notes;
}
