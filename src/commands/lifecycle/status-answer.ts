import { stuckFrom } from "../../lifecycle/stuck.ts";
import { marksOf } from "../../platform/file-marks.ts";
import { gateFiles } from "../../stores/gate-store.ts";
import type { RoleMarks } from "../../stores/role-marks.ts";
import { recallStatus, rememberStatus, type StatusKey } from "../../stores/status-memo.ts";
import type { CommandContext } from "../command-context.ts";
import type { Report } from "../report.ts";
import { reportJson } from "../report-json.ts";
import { ownerLife } from "./ownership.ts";
import type { RoleStatus } from "./role-status.ts";

/** What a status is asked for. */
export interface StatusQuestion {
  /** One role only. */
  readonly role: string | undefined;
  readonly filter: string | undefined;
  /** With what was changed since the save, from the transcripts. */
  readonly unsaved: boolean;
  /** The machines alone: no context file is looked at. */
  readonly brief: boolean;
  readonly json: boolean;
}

/** Null for a question whose answer is made anew each time: about some of the roles, or about more than the files say. */
export function answerKey(context: CommandContext, question: StatusQuestion): StatusKey | null {
  const { paths, build, invokedAs } = context;
  const { role, filter, unsaved, json, brief } = question;
  if (build === null || paths.shared !== undefined || role !== undefined || filter !== undefined || unsaved)
    return null;
  return { build, invokedAs, json, brief };
}

/** The answer of an earlier status, where nothing that it says can have changed since. */
export function knownAnswer(
  context: CommandContext,
  key: StatusKey,
  inPassing: (roles: number, work: () => boolean) => boolean,
): Report | null {
  const memo = recallStatus(context.paths, key, inPassing);
  if (memo === null) return null;
  const { text, notes, from, until, owners } = memo;
  const now = context.now().getTime();
  if (now < from || (until !== null && now >= until)) return null;
  const asBefore = owners.every(([process = "", life]) => ownerLife({ ownerProcess: process }) === life);
  return asBefore ? answer(text, notes, key.json) : null;
}

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
    return answer(text, report.notes, key.json);
  };
}

function answer(text: string, notes: readonly string[], json: boolean): Report {
  const parts = json ? [] : [{ kind: "text", text } as const];
  return { outcome: "done", parts, notes, data: {}, ...(json ? { document: text } : {}) };
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
