import type { HistoryEntry } from "../lifecycle/advance.ts";
import { type RoleName, roleOfMachine } from "../lifecycle/role.ts";
import type { Reply } from "../platform/redis-link.ts";
import { parseHistoryLine } from "./machine-store.ts";

/** An entry of a stream: its id, and the value of its one field. */
export interface StreamRow {
  readonly id: string;
  readonly value: string;
}

/** The entries in the answer to XRANGE and the like. */
export function streamRows(reply: Reply | undefined): readonly StreamRow[] {
  return listOf(reply).flatMap((row) => {
    const [id, fields] = listOf(row);
    const [, value] = listOf(fields);
    return typeof id === "string" && typeof value === "string" ? [{ id, value }] : [];
  });
}

/** Name and text of each machine in the answer to HGETALL; names that belong to no role are left out. */
export function machineTexts(reply: Reply): ReadonlyMap<RoleName, string> {
  const fields = listOf(reply);
  const texts = new Map<RoleName, string>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = fields[at];
    const text = fields[at + 1];
    const role = typeof name === "string" ? roleOfMachine(name) : null;
    if (role !== null && typeof text === "string") texts.set(role, text);
  }
  return texts;
}

/** The transitions in a history's entries, and how many of these are none. */
export function transitions(rows: readonly StreamRow[]): { entries: readonly HistoryEntry[]; broken: number } {
  const entries = rows.flatMap(({ value }) => parseHistoryLine(value) ?? []);
  return { entries, broken: rows.length - entries.length };
}

/** The revision of a stream's last entry; 0 where there is none. */
export function lastRevision(reply: Reply): number {
  const [row] = streamRows(reply);
  return row === undefined ? 0 : Number(row.id.split("-")[0]);
}

/** The elements of an answer that is a list; none for any other. */
export function listOf(reply: Reply | undefined): readonly Reply[] {
  return Array.isArray(reply) ? reply : [];
}
