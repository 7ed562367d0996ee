import { parseMoment, parseTime } from "../../base/moment.ts";
import { printableLine } from "../../base/printable.ts";
import { firstCharacters, quote } from "../../base/quote.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { table } from "../../base/table.ts";
import type { HistoryEntry } from "../../lifecycle/advance.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import type { CommandContext } from "../command-context.ts";
import { done, type Report, usage } from "../report.ts";
import { forRole } from "../role-argument.ts";
import { untimedNote } from "./graph-notes.ts";
import { roleHistory } from "./role-history.ts";

export interface HistoryInput {
  readonly role: string | undefined;
  readonly since: string | undefined;
  readonly limit: string | undefined;
}

/** `lifecycle.history <role>`: the transitions, oldest first. */
export async function lifecycleHistory(context: CommandContext, input: HistoryInput): Promise<Report> {
  const asked = askedFor(input, context.now().getTime());
  if (!asked.ok) return asked.error;
  return forRole(context, input.role, (role) => historyOf(context, role, asked.value));
}

function historyOf(context: CommandContext, role: RoleName, { since, limit }: Asked): Report {
  const history = roleHistory(context, role);
  if (!history.ok) return history.error;
  const { entries, broken } = history.value;
  const notes = [...history.value.notes];
  if (since !== null) {
    const untimed = entries.filter((entry) => parseTime(entry.at) === null).length;
    if (untimed > 0) notes.push(untimedNote(role, untimed));
  }
  const recent = since === null ? entries : entries.filter((entry) => (parseTime(entry.at) ?? Number.NaN) >= since);
  const shown = limit === null ? recent : recent.slice(recent.length - Math.min(limit, recent.length));
  if (shown.length < recent.length) notes.push(`The newest ${shown.length} of ${recent.length} transitions.`);
  const data = {
    role,
    since: since === null ? null : new Date(since).toISOString(),
    total: entries.length,
    entries: shown,
    broken_lines: broken,
  };
  return done(historyText(role, entries.length, shown), data, notes);
}

interface Asked {
  /** Milliseconds since 1970. */
  readonly since: number | null;
  readonly limit: number | null;
}

function askedFor({ since, limit }: HistoryInput, now: number): Result<Asked, Report> {
  const from = since === undefined ? ok(null) : parseMoment(since, now);
  if (!from.ok) return err(usage(`--since ${quote(since ?? "")}: ${from.error}.`));
  if (limit !== undefined && !/^[1-9][0-9]{0,8}$/.test(limit)) {
    return err(usage(`--limit ${quote(limit)} is no count.`, "Write a whole number from 1 on."));
  }
  return ok({ since: from.value, limit: limit === undefined ? null : Number(limit) });
}

function historyText(role: RoleName, total: number, shown: readonly HistoryEntry[]): string {
  if (total === 0) return `No transition of ${role} is recorded.\n`;
  if (shown.length === 0) return `${role} has made no transition in this time; ${total} before it.\n`;
  const rows = shown.map((entry) => [
    String(entry.revision),
    cell(entry.at),
    entry.event,
    entry.from,
    entry.to,
    cell(entry.by),
    cell(entry.session_id ?? "-"),
  ]);
  return table([["REVISION", "TIME", "EVENT", "FROM", "TO", "BY", "SESSION"], ...rows]);
}

/** One overlong text would make every row of the table as long; the JSON has it whole. */
function cell(text: string): string {
  return firstCharacters(printableLine(firstCharacters(text, 80)), 80);
}
