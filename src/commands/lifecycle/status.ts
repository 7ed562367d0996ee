import { recallStatus, type StatusKey } from "../../stores/status-memo.ts";
import type { CommandContext } from "../command-context.ts";
import type { Report } from "../report.ts";
import { answerReport } from "./answer-report.ts";
import { inPassing } from "./in-passing.ts";
import { ownerLife } from "./owner-life.ts";
import type { StatusQuestion } from "./status-question.ts";

/** `lifecycle.status [role]`: where each role stands, and how its context file is. */
export async function lifecycleStatus(context: CommandContext, question: StatusQuestion): Promise<Report> {
  const report = await answer(context, question);
  // Everywhere else it stands in for the argument.
  const own = question.role === undefined && context.env.HIVEMIND_ROLE;
  return own
    ? { ...report, notes: [...report.notes, `HIVEMIND_ROLE is ${own}; without an argument, all roles are shown.`] }
    : report;
}

async function answer(context: CommandContext, question: StatusQuestion): Promise<Report> {
  const key = answerKey(context, question);
  const known = key === null ? null : knownAnswer(context, key);
  if (known !== null) return known;
  // Most of a status is not needed where nothing has changed, which is found out several times as fast.
  const { freshStatus } = await import("./fresh-status.ts");
  return freshStatus(context, question, key);
}

/** Null for a question whose answer is made anew each time: about some of the roles, or about more than the files say. */
function answerKey(context: CommandContext, question: StatusQuestion): StatusKey | null {
  const { paths, build, invokedAs } = context;
  const { role, filter, unsaved, json, brief } = question;
  if (build === null || paths.shared !== undefined || role !== undefined || filter !== undefined || unsaved)
    return null;
  return { build, invokedAs, json, brief };
}

/** The answer of an earlier status, where nothing that it says can have changed since. */
function knownAnswer(context: CommandContext, key: StatusKey): Report | null {
  const memo = recallStatus(context.paths, key, inPassing);
  if (memo === null) return null;
  const { text, notes, from, until, owners } = memo;
  const now = context.now().getTime();
  if (now < from || (until !== null && now >= until)) return null;
  const asBefore = owners.every(([process = "", life]) => ownerLife({ ownerProcess: process }) === life);
  return asBefore ? answerReport(text, notes, key.json) : null;
}
