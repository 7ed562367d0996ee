import type { HistoryEntry } from "../../src/lifecycle/advance.ts";
import type { ContextFacts, ReportFacts, RoleFacts } from "../../src/report/facts.ts";
import { DAY, historyOf } from "../helpers/history-lines.ts";
import { role, stored } from "../lifecycle/records.ts";

export const SINCE: number = Date.parse("2026-02-01T00:00:00Z");
export const NOW: number = Date.parse("2026-02-04T00:00:00Z");

export const CONTEXT: ContextFacts = {
  health: "valid",
  path: "session/agents/oosh-expert.context.md",
  errors: 0,
  changedSinceSave: false,
  bytes: 812,
};

/** A role that has gone through the fixtures' day. */
export function roleFacts(
  changes: Partial<RoleFacts> = {},
  history: readonly HistoryEntry[] = historyOf(DAY),
): RoleFacts {
  const name = changes.role ?? role();
  const { record } = stored({ since: "2026-02-03T13:00:00.000Z", revision: history.length, compactions: 1 });
  return {
    role: name,
    record: { ...record, role: name },
    problem: null,
    history,
    broken: 0,
    context: CONTEXT,
    marks: [],
    ...changes,
  };
}

export function facts(...roles: readonly RoleFacts[]): ReportFacts {
  return { project: "acme", roles, since: SINCE, now: NOW };
}
