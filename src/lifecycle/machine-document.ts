import * as z from "zod";
import { invariant } from "../base/invariant.ts";
import { isObject, parseJson } from "../base/json-value.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { HistoryEntry } from "./advance.ts";
import { machineName, parseRole } from "./role.ts";
import { formatMachine, type MachineRecord, newMachine, parseMachine } from "./snapshot.ts";
import { LIFECYCLE_EVENTS, LIFECYCLE_STATES } from "./states.ts";

const State = z.enum(LIFECYCLE_STATES);
const Event = z.enum(LIFECYCLE_EVENTS);
const Text = z.string().nullable();
const Count = z.number().int().nonnegative();

const Transition = z.object({
  revision: Count,
  at: z.string(),
  event: Event,
  from: State,
  to: State,
  by: z.string(),
  session_id: Text,
  context_bytes: Count.optional(),
});

const Machine = z.object({
  role: z.string(),
  state: State,
  previous: State.nullable(),
  event: Event.nullable(),
  since: Text,
  revision: Count.describe("grows by one with each transition"),
  compactions: Count,
  unsaved: z.boolean(),
  context_sha256: Text,
  saved_at: Text,
  recovered_at: Text,
  session_id: Text,
  owned_since: Text,
  owner_process: Text,
  owner_pane: Text,
  owner_before: Text,
  branch: Text,
  commit: Text,
  history: z.array(Transition).describe("oldest first, up to the machine's revision"),
});

/** What `lifecycle.export` writes and `lifecycle.import` reads: machines and histories, wherever they are kept. */
const MachineDocument = z.object({
  schema_version: z.literal(1),
  kind: z.literal("lifecycle-export"),
  machines: z.array(Machine),
});

/** A machine and what led there. */
export interface MovedMachine {
  readonly record: MachineRecord;
  readonly history: readonly HistoryEntry[];
}

/** The JSON Schema (draft 2020-12) of what `lifecycle.export` writes. */
export function lifecycleExportJsonSchema(): object {
  return { title: "lifecycle.export", ...z.toJSONSchema(MachineDocument) };
}

/** The document's text: the same bytes for the same machines. */
export function formatDocument(machines: readonly MovedMachine[]): string {
  const rows = machines.map(
    ({ record, history }): z.infer<typeof Machine> => ({
      role: record.role,
      state: record.state,
      previous: record.previous,
      event: record.event,
      since: record.since,
      revision: record.revision,
      compactions: record.compactions,
      unsaved: record.unsaved,
      context_sha256: record.contextSha256,
      saved_at: record.savedAt,
      recovered_at: record.recoveredAt,
      session_id: record.sessionId,
      owned_since: record.ownedSince,
      owner_process: record.ownerProcess,
      owner_pane: record.ownerPane,
      owner_before: record.ownerBefore,
      branch: record.branch,
      commit: record.commit,
      history: history.map((entry) => ({ ...entry })),
    }),
  );
  const document: z.infer<typeof MachineDocument> = { schema_version: 1, kind: "lifecycle-export", machines: rows };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** The machines in a document's text; the error is a sentence's end, with the place of what is wrong. */
export function parseDocument(text: string): Result<readonly MovedMachine[], string> {
  const value = parseJson(text.replace(/^\uFEFF/, ""));
  if (value === undefined) return err("is no JSON");
  const version = isObject(value) ? value.schema_version : null;
  if (typeof version === "number" && version > 1) {
    return err(`was written by a newer version: schema_version ${version}, this one reads 1`);
  }
  const checked = MachineDocument.safeParse(value);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    invariant(issue !== undefined, "what is refused has an issue");
    const place = issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
    return err(`is no export of machines${place}: ${issue.message}`);
  }
  const machines: MovedMachine[] = [];
  const seen = new Set<string>();
  for (const [index, row] of checked.data.machines.entries()) {
    const machine = moved(row);
    if (!machine.ok) return err(`is no export of machines at machines.${index}: ${machine.error.replace(/\.$/, "")}`);
    if (seen.has(row.role)) return err(`names ${row.role} twice`);
    seen.add(row.role);
    machines.push(machine.value);
  }
  return ok(machines);
}

function moved(row: z.infer<typeof Machine>): Result<MovedMachine, string> {
  const role = parseRole(row.role);
  if (!role.ok) return err(role.error.message);
  const { history, state, previous, event, since, revision, compactions, unsaved, branch, commit } = row;
  const record: MachineRecord = {
    role: role.value,
    ...{ state, previous, event, since, revision, compactions, unsaved, branch, commit },
    contextSha256: row.context_sha256,
    savedAt: row.saved_at,
    recoveredAt: row.recovered_at,
    sessionId: row.session_id,
    ownedSince: row.owned_since,
    ownerProcess: row.owner_process,
    ownerPane: row.owner_pane,
    ownerBefore: row.owner_before,
  };
  let last = 0;
  for (const entry of history) {
    if (entry.revision <= last) return err(`revision ${entry.revision} of the history follows ${last}`);
    last = entry.revision;
  }
  if (last > revision) return err(`the history goes to revision ${last}, the machine to ${revision}`);
  // What an env file could not say must not be written to one.
  const stored = { ...newMachine(role.value, ""), record };
  const again = parseMachine(formatMachine(stored), machineName(role.value));
  if (!again.ok) return err(`its machine ${again.error.message}`);
  return ok({ record: again.value.record, history: history.map(transition) });
}

function transition({ context_bytes: bytes, ...entry }: z.infer<typeof Transition>): HistoryEntry {
  return bytes === undefined ? entry : { ...entry, context_bytes: bytes };
}
