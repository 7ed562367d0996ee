import { dayText } from "../base/moment.ts";
import type { Model, RoleReport } from "./model.ts";

/** Rows of a table that a person may still scroll through; older ones become one row a role and day. */
export const MOST_ROWS = 400;

export interface FoldedRow<T> {
  readonly role: string;
  /** Null for a row that stands for `more.count` others of that day. */
  readonly item: T | null;
  readonly more: { readonly day: string; readonly count: number };
}

/** The events of all roles, newest first; roles in their order where two came at once. */
export function fleetOrder<T extends { readonly at: number }>(
  model: Model,
  itemsOf: (role: RoleReport) => readonly T[],
): readonly FoldedRow<T>[] {
  const all = model.roles
    .flatMap((report) => itemsOf(report).map((item) => ({ role: report.facts.role, item })))
    .sort((a, b) => b.item.at - a.item.at);
  const rows: FoldedRow<T>[] = [];
  const counts = new Map<string, { role: string; day: string; count: number }>();
  for (const [index, { role, item }] of all.entries()) {
    const day = dayText(item.at);
    if (index < MOST_ROWS) {
      rows.push({ role, item, more: { day, count: 0 } });
      continue;
    }
    const key = `${day} ${role}`;
    const seen = counts.get(key);
    if (seen === undefined) counts.set(key, { role, day, count: 1 });
    else seen.count += 1;
  }
  return [...rows, ...[...counts.values()].map(({ role, day, count }) => ({ role, item: null, more: { day, count } }))];
}
