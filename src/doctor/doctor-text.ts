import { plural } from "../base/plural.ts";
import { printableLine } from "../base/printable.ts";
import { table } from "../base/table.ts";
import type { Durations } from "./durations.ts";
import { type Finding, placeText } from "./finding.ts";
import type { CheckResult } from "./judge.ts";

export interface DoctorText {
  readonly root: string;
  readonly checks: readonly CheckResult[];
  readonly fixed: readonly { readonly done: boolean; readonly text: string }[];
  readonly timings: readonly Durations[];
  readonly sessions: number;
  /** What is to be said of the native program; null where there is none, or a finding says it. */
  readonly native: string | null;
  readonly next: string;
}

/** The report as a person reads it: what was done, each check with what it found, the times, one next action. */
export function doctorText({ root, checks, fixed, timings, sessions, native, next }: DoctorText): string {
  const done = fixed.map(({ done: isDone, text }) => `  ${isDone ? "" : "not done: "}${printableLine(text)}\n`);
  return [
    `Project: ${printableLine(root)}\n`,
    done.length === 0 ? "" : `\nMended:\n${done.join("")}`,
    "\n",
    ...checks.map(checkText),
    native === null ? "" : `\n${printableLine(native)}\n`,
    `\nTimes of our hooks, from ${plural(sessions, "transcript")} (ms):\n${timesText(timings)}`,
    `\nNext: ${printableLine(next)}\n`,
  ].join("");
}

const MARK = { ok: "ok  ", warn: "warn", fail: "fail" } as const;

/** Each check goes by its name, under which the documentation has it. */
function checkText({ id, result, summary, findings }: CheckResult): string {
  return `${MARK[result]}  ${id}: ${result === "ok" ? summary : counted(findings)}\n${findings.map(findingText).join("")}`;
}

function counted(findings: readonly Finding[]): string {
  const fails = findings.filter(({ severity }) => severity === "fail").length;
  const counts = [plural(fails, "failure"), plural(findings.length - fails, "warning")];
  return counts.filter((count) => !count.startsWith("0 ")).join(", ");
}

function findingText({ code, severity, place, message, hint, fixable }: Finding): string {
  const where = place === null ? "" : `${printableLine(placeText(place))}: `;
  const way = fixable ? `${hint} (--fix does it)` : hint;
  return `  ${severity} ${code}: ${where}${printableLine(message)}\n      ${printableLine(way)}\n`;
}

function timesText(timings: readonly Durations[]): string {
  if (timings.length === 0) return "  none is recorded yet\n";
  const rows = timings.map(({ hook, command, count, median, p95, max }) => [
    `  ${printableLine(hook)}`,
    ...[count, median, p95, max].map(String),
    ...(command === null ? [] : [printableLine(command)]),
  ]);
  return table([["  HOOK", "RUNS", "MEDIAN", "P95", "MAX"], ...rows]);
}
