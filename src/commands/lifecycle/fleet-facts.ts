import type { RoleName } from "../../lifecycle/role.ts";
import { isMachineRecord } from "../../lifecycle/snapshot.ts";
import { contextFilePath, machinePath, shownPath } from "../../stores/paths.ts";
import { markOf, openScanCache } from "../../stores/scan-cache.ts";
import type { CommandContext } from "../command-context.ts";
import { type ContextFacts, type RoleFacts, readFacts } from "./role-status.ts";

/** Fewer roles are read faster than what is remembered of them, and a small project keeps no file for it. */
const REMEMBERED_FROM = 50;

/**
 * The facts of many roles. Of a fleet, what the files said is remembered under their marks, so that the next look reads
 * only what has changed: two thousand files for a thousand roles would cost ten times as much as looking at them.
 */
export function fleetFacts(
  context: CommandContext,
  roles: readonly RoleName[],
  edition: string,
): (role: RoleName) => RoleFacts {
  if (roles.length < REMEMBERED_FROM) return (role) => readFacts(context, role);
  const cache = openScanCache(context.paths, "status");
  const facts = new Map<RoleName, RoleFacts>();
  for (const role of roles) {
    const [machine, file] = [markOf(machinePath(context.paths, role)), markOf(contextFilePath(context.paths, role))];
    // Another version of this program may find other things in the same file.
    const mark = `${machine} ${file} ${edition}`;
    const known = recalled(context, role, cache.recall(role, mark));
    const found = known ?? readFacts(context, role);
    facts.set(role, found);
    // What went wrong is looked at again, and told in full.
    if (known === null && found.record !== null) cache.remember(role, mark, [found.record, contextRow(found.context)]);
  }
  cache.save();
  return (role) => facts.get(role) ?? readFacts(context, role);
}

function contextRow({ health, errors, warnings, changedSinceSave, updated, pane }: ContextFacts): readonly unknown[] {
  return [health, errors, warnings, changedSinceSave, updated, pane];
}

/** What an earlier run remembered, believed only where it has the shape. */
function recalled(context: CommandContext, role: RoleName, value: unknown): RoleFacts | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [record, row]: readonly unknown[] = value;
  if (!isMachineRecord(record) || record.role !== role || !Array.isArray(row) || row.length !== 6) return null;
  const [health, errors, warnings, changedSinceSave, updated, pane]: readonly unknown[] = row;
  if (health !== "valid" && health !== "invalid" && health !== "missing" && health !== "unreadable") return null;
  if (!isCount(errors) || !isCount(warnings) || typeof changedSinceSave !== "boolean") return null;
  if (!isText(updated) || !isText(pane)) return null;
  const path = shownPath(context.paths, contextFilePath(context.paths, role));
  return { record, problem: null, context: { path, health, errors, warnings, changedSinceSave, updated, pane } };
}

function isCount(value: unknown): value is number | null {
  return value === null || typeof value === "number";
}

function isText(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}
