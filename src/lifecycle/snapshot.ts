import { type EnvItem, formatEnv, parseEnv, setEnvValues } from "../base/env-text.ts";
import { invariant } from "../base/invariant.ts";
import { err, ok, type Result } from "../base/result.ts";
import { type LegacyForm, readLegacyForm, setLegacyState, stateOfId } from "./legacy-env.ts";
import { type MachineName, machineName, type RoleName, roleOfMachine } from "./role.ts";
import {
  isLifecycleEvent,
  isLifecycleState,
  LIFECYCLE_STATES,
  type LifecycleEventType,
  type LifecycleState,
} from "./states.ts";

/** The version of the env file that this program writes. */
const STATE_SCHEMA = 1;

/**
 * Our keys, in the order of a new file. The revision, which no state is without, comes last: a file that was cut off
 * anywhere lacks it.
 */
const KEYS = [
  "STATE_SCHEMA",
  "STATE_MACHINE",
  "STATE_ROLE",
  "STATE_CURRENT",
  "STATE_PREVIOUS",
  "STATE_EVENT",
  "STATE_SINCE",
  "STATE_COMPACTIONS",
  "STATE_UNSAVED",
  "STATE_CONTEXT_SHA256",
  "STATE_SAVED_AT",
  "STATE_RECOVERED_AT",
  "STATE_SESSION_ID",
  "STATE_OWNED_SINCE",
  "STATE_OWNER_PROCESS",
  "STATE_OWNER_PANE",
  "STATE_OWNER_BEFORE",
  "STATE_BRANCH",
  "STATE_COMMIT",
  "STATE_REVISION",
] as const;
type Key = (typeof KEYS)[number];

const OWN_KEYS: ReadonlySet<string> = new Set(KEYS);

/** Whether it is a key of ours. */
export function isKey(key: string): key is Key {
  return OWN_KEYS.has(key);
}

/** What an env file says about one role. Times are ISO 8601 in UTC with milliseconds. */
export interface MachineRecord {
  readonly role: RoleName;
  readonly state: LifecycleState;
  readonly previous: LifecycleState | null;
  readonly event: LifecycleEventType | null;
  /** When the state was entered; null in a file of the original tool, which does not say. */
  readonly since: string | null;
  /** Grows by one with each transition. */
  readonly revision: number;
  readonly compactions: number;
  readonly unsaved: boolean;
  /** Of the context file at the last good save. */
  readonly contextSha256: string | null;
  readonly savedAt: string | null;
  readonly recoveredAt: string | null;
  readonly sessionId: string | null;
  /** When the session above became the role's owner. */
  readonly ownedSince: string | null;
  /** The client's process that the owner ran in; null where it is not known. */
  readonly ownerProcess: string | null;
  /** The terminal pane that the owner ran in: tmux's number of it, then the server's process, as in `%4@1234`. */
  readonly ownerPane: string | null;
  /** The session from which the owner took the role over by itself: it does not get it back in the same way. */
  readonly ownerBefore: string | null;
  /** The git branch and commit at the last good save. */
  readonly branch: string | null;
  readonly commit: string | null;
}

/** A record and the file it came from, so that a rewrite keeps what is not ours. */
export interface StoredMachine {
  readonly record: MachineRecord;
  readonly items: readonly EnvItem[];
  readonly legacy: LegacyForm | null;
}

export type SnapshotProblem = "corrupt" | "unknown-state" | "newer-version" | "contradiction";

export interface SnapshotError {
  readonly problem: SnapshotProblem;
  /** What is wrong, as the end of a sentence that begins with the path. */
  readonly message: string;
}

/** A role's first state: `active` since `at` (ISO 8601), at revision 0. */
export function newMachine(role: RoleName, at: string): StoredMachine {
  const record: MachineRecord = {
    role,
    state: "active",
    previous: null,
    event: null,
    since: at,
    revision: 0,
    compactions: 0,
    unsaved: false,
    contextSha256: null,
    savedAt: null,
    recoveredAt: null,
    sessionId: null,
    ownedSince: null,
    ownerProcess: null,
    ownerPane: null,
    ownerBefore: null,
    branch: null,
    commit: null,
  };
  const heading = `# Lifecycle of agent role ${role}. Written by \`context\`; safe to source.\n`;
  return { record, items: [{ kind: "other", raw: heading }], legacy: null };
}

/** The machine in an env file's text. Every contradiction is named; nothing is guessed. */
export function parseMachine(text: string, machine: MachineName): Result<StoredMachine, SnapshotError> {
  if (text.trim() === "") return corrupt("is empty, expected a machine's state");
  const parsed = parseEnv(text, isKey);
  if (!parsed.ok) return corrupt(`line ${parsed.error.line}: ${parsed.error.message}`);
  const values = new Map<string, string>();
  for (const item of parsed.value) {
    if (item.kind !== "pair") continue;
    const other = values.get(item.key);
    if (other !== undefined && other !== item.value) {
      return contradiction(`says ${item.key} twice: "${shown(other)}" and "${shown(item.value)}"`);
    }
    values.set(item.key, item.value);
  }
  // Cut off before it, our own file lacks it; any other last line may be without its end, as some editors leave it.
  if (/\nSTATE_REVISION=\d*$/.test(text)) return corrupt("ends in the middle of STATE_REVISION");
  const legacy = readLegacyForm(text, parsed.value, machine);
  if (legacy?.unclosed === true) return corrupt(`says ${machine}_STATES=( and never closes it`);
  if (legacy !== null && legacy.taken !== null && stateOfId(legacy) !== null) {
    const { id, name, state } = legacy.taken;
    return contradiction(`says ${machine}_STATES[${id}]="${shown(name)}", where "${state}" is expected`);
  }
  if (values.size === 0) {
    // Somebody's own form: it says something that a person may want to see, and is not guessed at.
    const [, foreign] = /^STATE=(.*)$/m.exec(text) ?? [];
    if (legacy === null && foreign !== undefined) return unknownState(`STATE=${shown(foreign)} and no STATE_CURRENT`);
    return legacy === null
      ? corrupt(`holds no machine's state, expected STATE_CURRENT as one of ${LIFECYCLE_STATES.join(", ")}`)
      : fromLegacy(legacy, parsed.value, machine);
  }
  const record = readRecord(values, machine, legacy !== null);
  if (!record.ok) return record;
  if (legacy !== null) {
    const state = stateOfId(legacy);
    if (state !== record.value.state) {
      return contradiction(
        `says ${machine}_STATE_ID=${legacy.id} (${state ?? "no lifecycle state"}) and STATE_CURRENT=${record.value.state}`,
      );
    }
  }
  return ok({ record: record.value, items: parsed.value, legacy });
}

function fromLegacy(legacy: LegacyForm, items: EnvItem[], machine: MachineName): Result<StoredMachine, SnapshotError> {
  const state = stateOfId(legacy);
  if (state === null) {
    return unknownState(`${machine}_STATE_ID=${legacy.id}${legacy.name === null ? "" : ` (${shown(legacy.name)})`}`);
  }
  return ok({ record: { ...newMachine(ownerOf(machine), "").record, state, since: null }, items, legacy });
}

function ownerOf(machine: MachineName): RoleName {
  const role = roleOfMachine(machine);
  invariant(role !== null, "a machine's name is made of a role's");
  return role;
}

/** The record that our keys and their values make; `adopted`: the file is of the original tool, which does not say since when. */
export function readRecord(
  values: ReadonlyMap<string, string>,
  machine: MachineName,
  adopted: boolean,
): Result<MachineRecord, SnapshotError> {
  const schema = values.get("STATE_SCHEMA");
  if (schema === undefined) return contradiction("says no STATE_SCHEMA, expected STATE_SCHEMA=1");
  if (/^[0-9]{1,9}$/.test(schema) && Number(schema) > STATE_SCHEMA) {
    return err({
      problem: "newer-version",
      message: `was written by a newer version: STATE_SCHEMA=${schema}, this one reads ${STATE_SCHEMA}`,
    });
  }
  if (schema !== String(STATE_SCHEMA)) return corrupt(`says STATE_SCHEMA=${shown(schema)}, expected ${STATE_SCHEMA}`);

  const state = values.get("STATE_CURRENT");
  if (state === undefined) return corrupt("says no STATE_CURRENT");
  if (!isLifecycleState(state)) return unknownState(`STATE_CURRENT=${shown(state)}`);
  const role = ownerOf(machine);
  const named = values.get("STATE_MACHINE");
  if (named !== undefined && named !== machine)
    return contradiction(`says STATE_MACHINE=${shown(named)}, the file's name says ${machine}`);
  const namedRole = values.get("STATE_ROLE");
  if (namedRole !== undefined && namedRole !== role)
    return contradiction(`says STATE_ROLE=${shown(namedRole)}, the file's name says ${role}`);

  const previous = values.get("STATE_PREVIOUS") || null;
  if (previous !== null && !isLifecycleState(previous)) return unknownState(`STATE_PREVIOUS=${shown(previous)}`);
  const event = values.get("STATE_EVENT") || null;
  if (event !== null && !isLifecycleEvent(event)) return corrupt(`says STATE_EVENT=${shown(event)}, which is no event`);
  const unsaved = values.get("STATE_UNSAVED") ?? "0";
  if (unsaved !== "0" && unsaved !== "1") return corrupt(`says STATE_UNSAVED=${shown(unsaved)}, expected 0 or 1`);

  const revision = readCount(values, "STATE_REVISION");
  if (revision === null) return corrupt("says no whole number for STATE_REVISION");
  const compactions = readCount(values, "STATE_COMPACTIONS", 0);
  if (compactions === null) return corrupt("says no whole number for STATE_COMPACTIONS");
  for (const key of ["STATE_SINCE", "STATE_SAVED_AT", "STATE_RECOVERED_AT", "STATE_OWNED_SINCE"] as const) {
    const value = values.get(key) || null;
    if (value !== null && !isTime(value))
      return corrupt(`says ${key}=${shown(value)}, expected a time such as 2026-02-03T12:15:07.120Z`);
  }
  const since = values.get("STATE_SINCE") || null;
  // With an empty one it was taken over from a machine of the original tool.
  if (!adopted && !values.has("STATE_SINCE")) return corrupt("says no STATE_SINCE");
  const sha = values.get("STATE_CONTEXT_SHA256") || null;
  if (sha !== null && !/^[0-9a-f]{64}$/.test(sha))
    return corrupt(`says STATE_CONTEXT_SHA256=${shown(sha)}, expected 64 hexadecimal digits`);

  return ok({
    role,
    state,
    previous,
    event,
    since,
    revision,
    compactions,
    unsaved: unsaved === "1",
    contextSha256: sha,
    savedAt: values.get("STATE_SAVED_AT") || null,
    recoveredAt: values.get("STATE_RECOVERED_AT") || null,
    sessionId: values.get("STATE_SESSION_ID") || null,
    ownedSince: values.get("STATE_OWNED_SINCE") || null,
    ownerProcess: values.get("STATE_OWNER_PROCESS") || null,
    ownerPane: values.get("STATE_OWNER_PANE") || null,
    ownerBefore: values.get("STATE_OWNER_BEFORE") || null,
    branch: values.get("STATE_BRANCH") || null,
    commit: values.get("STATE_COMMIT") || null,
  });
}

/** The env file's text for a record: our keys in their order, everything else where it stood. */
export function formatMachine(stored: StoredMachine): string {
  const { record } = stored;
  const facts = {
    STATE_SCHEMA: String(STATE_SCHEMA),
    STATE_MACHINE: machineName(record.role),
    STATE_ROLE: record.role,
    STATE_CURRENT: record.state,
    STATE_PREVIOUS: record.previous ?? "",
    STATE_EVENT: record.event ?? "",
    STATE_SINCE: record.since ?? "",
    STATE_COMPACTIONS: String(record.compactions),
    STATE_UNSAVED: record.unsaved ? "1" : "0",
    STATE_CONTEXT_SHA256: record.contextSha256 ?? "",
    STATE_SAVED_AT: record.savedAt ?? "",
    STATE_RECOVERED_AT: record.recoveredAt ?? "",
    STATE_SESSION_ID: record.sessionId ?? "",
    STATE_OWNED_SINCE: record.ownedSince ?? "",
    STATE_OWNER_PROCESS: record.ownerProcess ?? "",
    STATE_OWNER_PANE: record.ownerPane ?? "",
    STATE_OWNER_BEFORE: record.ownerBefore ?? "",
    STATE_BRANCH: record.branch ?? "",
    STATE_COMMIT: record.commit ?? "",
    STATE_REVISION: String(record.revision),
  } satisfies Record<Key, string>;
  const present = new Set(stored.items.map((item) => (item.kind === "pair" ? item.key : "")));
  // A fact that is not known has no line, unless the file has one to be emptied, or lacks the one that no file is without.
  const values = new Map<string, string>(KEYS.map((key) => [key, facts[key]]));
  for (const [key, value] of values) if (value === "" && key !== "STATE_SINCE" && !present.has(key)) values.delete(key);
  const text = formatEnv(setEnvValues(stored.items, values, "STATE_REVISION"));
  return stored.legacy === null ? text : setLegacyState(text, machineName(record.role), stored.legacy, record.state);
}

function readCount(values: ReadonlyMap<string, string>, key: string, fallback: number | null = null): number | null {
  const value = values.get(key);
  if (value === undefined) return fallback;
  return /^[0-9]{1,15}$/.test(value) ? Number(value) : null;
}

function isTime(value: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(value) && !Number.isNaN(Date.parse(value));
}

function shown(value: string): string {
  return value.length > 60 ? `${value.slice(0, 57)}...` : value;
}

function corrupt(message: string): Result<never, SnapshotError> {
  return err({ problem: "corrupt", message });
}

function contradiction(message: string): Result<never, SnapshotError> {
  return err({ problem: "contradiction", message });
}

function unknownState(what: string): Result<never, SnapshotError> {
  return err({
    problem: "unknown-state",
    message: `says ${what}, expected one of ${LIFECYCLE_STATES.join(", ")}`,
  });
}
