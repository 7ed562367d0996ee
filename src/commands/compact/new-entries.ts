import { ok, type Result } from "../../base/result.ts";
import type { HistoryEntry } from "../../lifecycle/advance.ts";
import { machineName, type RoleName } from "../../lifecycle/role.ts";
import { historyTail } from "../../stores/history-tail.ts";
import type { MachineError } from "../../stores/machine-access.ts";
import { historyPath, type ProjectPaths } from "../../stores/paths.ts";

/** Gives a role's transitions up to a revision, each once. */
export type NewEntries = (reached: number) => Promise<Result<readonly HistoryEntry[], MachineError>>;

/** A role's transitions behind a revision, as they come, wherever its history is kept. */
export function newEntries(paths: ProjectPaths, role: RoleName, after: number): NewEntries {
  const { shared } = paths;
  if (shared === undefined) {
    const tail = historyTail(historyPath(paths, machineName(role)), after);
    return async (reached) => ok(tail.read(reached));
  }
  let seen = after;
  return async (reached) => {
    const fetched = await shared.fetchHistories([role]);
    if (!fetched.ok) return fetched;
    const history = shared.history(role, reached);
    if (!history.ok) return history;
    const entries = history.value.entries.filter(({ revision }) => revision > seen);
    seen = entries.at(-1)?.revision ?? seen;
    return ok(entries);
  };
}
