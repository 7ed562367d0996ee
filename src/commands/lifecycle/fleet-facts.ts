import type { RoleName } from "../../lifecycle/role.ts";
import { isLifecycleEvent, isLifecycleState } from "../../lifecycle/states.ts";
import { type FleetMemory, openFleetMemory } from "../../stores/fleet-memory.ts";
import { roleFiles, shownPath } from "../../stores/paths.ts";
import { recordReader } from "../../stores/record-reader.ts";
import type { RoleMarks } from "../../stores/role-marks.ts";
import type { CommandContext } from "../command-context.ts";
import { type RoleFacts, readBrief, readFacts } from "./role-status.ts";

/** Fewer roles are read faster than what is remembered of each, and a small project keeps no file for it. */
const REMEMBERED_FROM = 50;

export interface LookedAt {
  /** In byte order. */
  readonly roles: readonly RoleName[];
  /** Of their machines, and of their context files too where these are asked for. */
  readonly marks: RoleMarks;
}

/**
 * The facts of many roles, in their order. Of a fleet, what the files said is remembered, so that the next look reads only
 * what has changed: two thousand files for a thousand roles would cost ten times as much as looking at them.
 */
export function fleetFacts(context: CommandContext, { roles, marks }: LookedAt): readonly RoleFacts[] {
  const memory = openMemory(context, roles, marks);
  if (memory === null) return roles.map((role) => readFacts(context, role));
  const file = roleFiles(context.paths).context;
  const folder = shownPath(context.paths, context.paths.agents);
  const skipped = context.paths.agents.length;
  const facts = roles.map((role, index) => {
    const at = memory.recall(role, index);
    const known = at === null ? null : fromRow(role, folder + file(role).slice(skipped), memory.values, at);
    const found = known ?? readFacts(context, role);
    // What went wrong is looked at again, and told in full.
    if (at === null && found.record !== null && found.context?.health !== "unreadable")
      memory.remember(role, index, toRow(found));
    return found;
  });
  memory.save();
  return facts;
}

/** The machines alone: one look into one folder, and what a status of the fleet remembered. */
export function briefFacts(context: CommandContext, { roles, marks }: LookedAt): readonly RoleFacts[] {
  const read = recordReader(context.paths);
  const memory = openMemory(context, roles, marks);
  return roles.map((role, index) => {
    const at = memory?.recall(role, index) ?? null;
    const known = at === null || memory === null ? null : fromRow(role, "", memory.values, at);
    if (known !== null) return { ...known, context: null };
    const record = read(role);
    return record === null ? readBrief(context, role) : { record, problem: null, context: null };
  });
}

/** Null for a few roles, for what is not in files, which is in memory already, and for a program that runs from its sources. */
function openMemory(context: CommandContext, roles: readonly RoleName[], marks: RoleMarks): FleetMemory | null {
  const { build, paths } = context;
  if (build === null || roles.length < REMEMBERED_FROM || paths.shared !== undefined) return null;
  return openFleetMemory(paths, { build, width: WIDTH, began: context.now().getTime(), marks });
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
  if (health !== "valid" && health !== "invalid" && health !== "missing") return null;
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
