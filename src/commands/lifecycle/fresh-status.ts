import type { StatusKey } from "../../stores/status-memo.ts";
import type { CommandContext } from "../command-context.ts";
import { failed, type Report } from "../report.ts";
import { type Fleet, fleetText, readFleet } from "./fleet.ts";
import { inPassing } from "./in-passing.ts";
import { answerKeeper } from "./keep-answer.ts";
import { statusData } from "./status-data.ts";
import type { StatusQuestion } from "./status-question.ts";
import { stuckNotes } from "./status-text.ts";

/** A status made from the files; its answer is kept under `key`, where there is one. */
export async function freshStatus(
  context: CommandContext,
  question: StatusQuestion,
  key: StatusKey | null,
): Promise<Report> {
  const keep = key === null ? null : answerKeeper(context, key);
  const fleet = await readFleet(context, question);
  if (!fleet.ok) return fleet.error;
  const report = reportOf(context, question, fleet.value);
  const { roles, marks } = fleet.value;
  return keep === null || marks === null ? report : keep(report, roles, marks);
}

function reportOf({ paths, invokedAs }: CommandContext, { filter, json }: StatusQuestion, fleet: Fleet): Report {
  const { roles, hidden, notes } = fleet;
  // Each is only made where somebody reads it.
  const text = json ? "" : inPassing(roles.length, () => fleetText(fleet));
  const parts = [{ kind: "text", text }] as const;
  const said = [...notes, ...stuckNotes(roles, invokedAs)];
  const data = json
    ? { root: paths.root, roles: roles.map(statusData), ...(filter === undefined ? {} : { hidden }) }
    : {};
  const [first, ...others] = roles.flatMap((status) => status.problem ?? []);
  if (first === undefined) return { outcome: "done", parts, notes: said, data };
  return failed(first, { parts, notes: [...said, ...others.map((problem) => problem.message)], data });
}
