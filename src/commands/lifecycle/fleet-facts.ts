import type { RoleName } from "../../lifecycle/role.ts";
import { isLifecycleEvent, isLifecycleState } from "../../lifecycle/states.ts";
import { type FleetMemory, openFleetMemory } from "../../stores/fleet-memory.ts";
import { roleFiles, shownPath } from "../../stores/paths.ts";
import { recordReader } from "../../stores/record-reader.ts";
import type { CommandContext } from "../command-context.ts";
import { type RoleFacts, readBrief, readFacts } from "./role-status.ts";

/** Fewer roles are read faster than what is remembered of them, and a small project keeps no file for it. */
const REMEMBERED_FROM = 50;

/**
 * The facts of many roles, which are to be in byte order. Of a fleet, what the files said is remembered, so that the next
 * look reads only what has changed: two thousand files for a thousand roles would cost ten times as much as looking at them.
 */
export function fleetFacts(
  context: CommandContext,
  roles: readonly RoleName[],
  edition: string,
): (role: RoleName) => RoleFacts {
  if (!isFleet(context, roles)) return (role) => readFacts(context, role);
  const memory = openMemory(context, edition);
  const file = roleFiles(context.paths).context;
  const folder = shownPath(context.paths, context.paths.agents);
  const skipped = context.paths.agents.length;
  const facts = new Map<RoleName, RoleFacts>();
  for (const role of roles) {
    const at = memory.recall(role);
    const known = at === null ? null : fromRow(role, folder + file(role).slice(skipped), memory.values, at);
    const found = known ?? readFacts(context, role);
    facts.set(role, found);
    // What went wrong is looked at again, and told in full.
    if (at === null && found.record !== null) memory.remember(role, toRow(found));
  }
  memory.save();
  return (role) => facts.get(role) ?? readFacts(context, role);
}

/** The machines alone, in byte order of the roles: one look into one folder, and what a status of the fleet remembered. */
export function briefFacts(
  context: CommandContext,
  roles: readonly RoleName[],
  edition: string,
): (role: RoleName) => RoleFacts {
  const read = recordReader(context.paths);
  const memory = isFleet(context, roles) ? openMemory(context, edition) : null;
  return (role) => {
    const at = memory?.recallMachine(role) ?? null;
    const known = at === null || memory === null ? null : fromRow(role, "", memory.values, at);
    if (known !== null) return { ...known, context: null };
    const record = read(role);
    return record === null ? readBrief(context, role) : { record, problem: null, context: null };
  };
}

/** What is not in files is in memory already. */
function isFleet(context: CommandContext, roles: readonly RoleName[]): boolean {
  return roles.length >= REMEMBERED_FROM && context.paths.shared === undefined;
}

function openMemory(context: CommandContext, edition: string): FleetMemory {
  return openFleetMemory(context.paths, { edition, width: WIDTH, began: context.now().getTime() });
}

function toRow({ record, context }: RoleFacts): readonly unknown[] {
  if (record === null || context === null) return [];
  return [
    record.state,
    record.since,
    record.previous,
    record.event,
    record.revision,
    record.compactions,
    record.unsaved,
    record.sessionId,
    record.ownedSince,
    record.ownerProcess,
    record.ownerPane,
    record.savedAt,
    record.recoveredAt,
    context.health,
    context.errors,
    context.warnings,
    context.changedSinceSave,
    context.updated,
    context.pane,
  ];
}

/** As many values as `toRow` gives. */
const WIDTH = 19;

/** What an earlier look remembered, from `at` on, believed only where each value is what it should be. */
function fromRow(role: RoleName, path: string, values: readonly unknown[], at: number): RoleFacts | null {
  // Taken one by one: taking a list apart asks its iterator, which takes as long as looking at a file.
  const state = values[at];
  const since = values[at + 1];
  const previous = values[at + 2];
  const event = values[at + 3];
  const revision = values[at + 4];
  const compactions = values[at + 5];
  const unsaved = values[at + 6];
  const sessionId = values[at + 7];
  const ownedSince = values[at + 8];
  const ownerProcess = values[at + 9];
  const ownerPane = values[at + 10];
  const savedAt = values[at + 11];
  const recoveredAt = values[at + 12];
  const health = values[at + 13];
  const errors = values[at + 14];
  const warnings = values[at + 15];
  const changedSinceSave = values[at + 16];
  const updated = values[at + 17];
  const pane = values[at + 18];
  if (!isLifecycleState(state) || !(previous === null || isLifecycleState(previous))) return null;
  if (!(event === null || isLifecycleEvent(event)) || typeof unsaved !== "boolean") return null;
  if (typeof revision !== "number" || typeof compactions !== "number") return null;
  if (!isText(since) || !isText(sessionId) || !isText(ownedSince) || !isText(ownerProcess)) return null;
  if (!isText(ownerPane) || !isText(savedAt) || !isText(recoveredAt) || !isText(updated) || !isText(pane)) return null;
  if (health !== "valid" && health !== "invalid" && health !== "missing" && health !== "unreadable") return null;
  if (!isCount(errors) || !isCount(warnings) || typeof changedSinceSave !== "boolean") return null;
  return {
    record: {
      role,
      state,
      since,
      previous,
      event,
      revision,
      compactions,
      unsaved,
      sessionId,
      ownedSince,
      ownerProcess,
      ownerPane,
      savedAt,
      recoveredAt,
    },
    problem: null,
    context: { path, health, errors, warnings, changedSinceSave, updated, pane },
  };
}

function isCount(value: unknown): value is number | null {
  return value === null || typeof value === "number";
}

function isText(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}
