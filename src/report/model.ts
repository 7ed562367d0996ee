import { dayText, startOfDay } from "../base/moment.ts";
import { clipIntervals, type Interval, intervalsOf, timedEntries } from "../lifecycle/intervals.ts";
import { stuckReason } from "../lifecycle/stuck.ts";
import { type Compaction, compactionsOf } from "./compactions.ts";
import { durationsOf, type StateDuration } from "./durations.ts";
import type { ReportFacts, RoleFacts } from "./facts.ts";

export interface Save {
  readonly at: number;
  readonly good: boolean;
  readonly by: string;
  /** Of the context file; null where nobody wrote it down. */
  readonly bytes: number | null;
}

export interface RoleReport {
  readonly facts: RoleFacts;
  readonly stuck: boolean;
  /** Within the report's window, oldest first, as are the other lists. */
  readonly intervals: readonly Interval[];
  readonly compactions: readonly Compaction[];
  readonly saves: readonly Save[];
  readonly durations: readonly StateDuration[];
  /** Transitions without a time that can be read. */
  readonly untimed: number;
}

export interface Model {
  readonly project: string;
  readonly since: number;
  readonly now: number;
  readonly roles: readonly RoleReport[];
  /** Starts of the window's UTC days, oldest first. */
  readonly days: readonly number[];
  /** Days on which something happened, newest first, as `YYYY-MM-DD`. */
  readonly activeDays: readonly string[];
}

/** What the page says, from what was found: nothing in it that the facts do not hold. */
export function buildModel(facts: ReportFacts): Model {
  const { since, now } = facts;
  const roles = facts.roles.map((role) => roleReport(role, since, now));
  const days: number[] = [];
  for (let day = startOfDay(since); day < now; day += 86_400_000) days.push(day);
  const active = new Set<string>();
  for (const { intervals, compactions, saves } of roles) {
    for (const { at } of [...compactions, ...saves]) active.add(dayText(at));
    for (const { from } of intervals) if (from > since) active.add(dayText(from));
  }
  return { project: facts.project, since, now, roles, days, activeDays: [...active].sort().reverse() };
}

function roleReport(facts: RoleFacts, since: number, now: number): RoleReport {
  const { timed } = timedEntries(facts.history, now);
  const { intervals, untimed } = intervalsOf(facts.history, now);
  const inWindow = ({ at }: { readonly at: number }): boolean => at >= since;
  const clipped = clipIntervals(intervals, since, now);
  return {
    facts,
    stuck: facts.record !== null && stuckReason(facts.record, new Date(now), "unknown") !== null,
    intervals: clipped,
    compactions: compactionsOf(timed, facts.marks).filter(inWindow),
    saves: savesOf(facts, timed).filter(inWindow),
    durations: durationsOf(clipped),
    untimed,
  };
}

function savesOf(facts: RoleFacts, timed: ReturnType<typeof timedEntries>["timed"]): Save[] {
  const saves = timed.flatMap(({ at, entry }): Save[] => {
    if (entry.event !== "CONTEXT_VALID" && entry.event !== "CONTEXT_INVALID") return [];
    return [{ at, good: entry.event === "CONTEXT_VALID", by: entry.by, bytes: entry.context_bytes ?? null }];
  });
  // The file is still what was saved last, so its size is that save's.
  const last = saves.findLastIndex(({ good }) => good);
  const save = saves[last];
  const { context, record } = facts;
  const same = record?.contextSha256 != null && !context.changedSinceSave && context.bytes !== null;
  if (save !== undefined && save.bytes === null && same) saves[last] = { ...save, bytes: context.bytes };
  return saves;
}
