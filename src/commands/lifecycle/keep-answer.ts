import { stuckFrom } from "../../lifecycle/stuck.ts";
import { marksOf } from "../../platform/file-marks.ts";
import { gateFiles } from "../../stores/gate-store.ts";
import type { RoleMarks } from "../../stores/role-marks.ts";
import { rememberStatus, type StatusKey } from "../../stores/status-memo.ts";
import type { CommandContext } from "../command-context.ts";
import type { Report } from "../report.ts";
import { reportJson } from "../report-json.ts";
import { answerReport } from "./answer-report.ts";
import type { RoleStatus } from "./role-status.ts";

/** Keeps an answer for the next status, where it is sure to hold then; to be opened before anything is listed or read. */
export function answerKeeper(context: CommandContext, key: StatusKey) {
  const { paths } = context;
  const began = context.now().getTime();
  const looked = [paths.machines, paths.agents, ...gateFiles(paths)];
  const marks = marksOf(looked);
  /** The report, with the answer in it. */
  return (report: Report, statuses: readonly RoleStatus[], roleMarks: RoleMarks): Report => {
    const [part] = report.parts;
    // What went wrong is looked at again.
    if (report.outcome !== "done" || part?.kind !== "text" || statuses.length === 0) return report;
    // It may be readable the next time without having changed: for another user, or where too many files were open.
    if (statuses.some(({ context: file }) => file?.health === "unreadable")) return report;
    // What it has read since is in its transcript.
    if (statuses.some(({ proof, record }) => proof !== null && record?.state === "recovering")) return report;
    const text = key.json ? reportJson(report) : part.text;
    rememberStatus(
      paths,
      key,
      began,
      { roles: statuses.map(({ role }) => role), roleMarks, paths: looked, marks },
      { text, notes: report.notes, from: began, until: changesAt(statuses), owners: ownersOf(statuses) },
    );
    return answerReport(text, report.notes, key.json);
  };
}

function ownersOf(statuses: readonly RoleStatus[]): readonly (readonly [string, string])[] {
  const owners = new Map<string, string>();
  for (const { record, owner } of statuses) {
    if (record !== null && record.ownerProcess !== null) owners.set(record.ownerProcess, owner);
  }
  return [...owners];
}

/** When the first of those that are on their way will have been so for too long; null for never. */
function changesAt(statuses: readonly RoleStatus[]): number | null {
  let first = Number.POSITIVE_INFINITY;
  for (const { record, stuck } of statuses) {
    const from = record === null || stuck === "too-long" ? null : stuckFrom(record);
    if (from !== null && from < first) first = from;
  }
  return Number.isFinite(first) ? first : null;
}
