import type { RoleName } from "../../lifecycle/role.ts";
import { recordOf } from "../../stores/machine-store.ts";
import type { CommandContext } from "../command-context.ts";
import { machineReport } from "../lifecycle/machine-report.ts";
import { failed, type Report } from "../report.ts";
import type { Passage } from "./await-passage.ts";
import { type FoundPane, paneName } from "./find-pane.ts";
import type { Limits } from "./input.ts";
import type { Objection } from "./occupant.ts";
import type { StepLog, StepName } from "./step-log.ts";
import type { Typist } from "./typing.ts";

/** What the client does on this command is the compaction; the client takes it on an empty input line only. */
export const COMPACT = "/compact";

/** One round of one role. */
export interface Round {
  readonly context: CommandContext;
  readonly role: RoleName;
  readonly typist: Typist;
  readonly found: FoundPane;
  /** What is typed to ask for a save; null where there is nothing to ask for. */
  readonly ask: string | null;
  readonly limits: Limits;
  readonly log: StepLog;
  readonly tell: (note: string) => void;
}

/** The facts of a round so far, for a program. */
export function roundData(round: Round): Readonly<Record<string, unknown>> {
  const { context, role, typist, found, log } = round;
  const record = recordOf(context.paths, role);
  return {
    role,
    pane: {
      id: typist.pane.id,
      address: typist.pane.addresses[0] ?? null,
      server: typist.pane.server,
      found_by: found.by,
    },
    steps: log.steps,
    state: record?.state ?? null,
    revision: record?.revision ?? null,
    compactions: record?.compactions ?? null,
  };
}

export function doneReport(round: Round): Report {
  return { outcome: "done", parts: [], notes: [], data: { dry_run: false, ...roundData(round) } };
}

const TIMED_OUT: ReadonlySet<string> = new Set(["timed-out", "agent-busy"]);

/** The report of a step that something stood in the way of. */
export function objected(round: Round, step: StepName, { code, message, hint }: Objection): Report {
  const isLate = TIMED_OUT.has(code);
  round.log.add(step, isLate ? "timed-out" : "failed", message);
  const problem = { code: isLate ? "timed-out" : code, message, ...(hint === undefined ? {} : { hint }) };
  const outcome = isLate ? "timed-out" : code === "store-unreachable" ? "unreachable" : "failed";
  return failed(problem, { outcome, data: roundData(round) });
}

/** The report of a state that was waited for and did not come. */
export function notReached(
  round: Round,
  step: "save" | "recover",
  passed: Exclude<Passage, { kind: "reached" }>,
): Report {
  const { context, role, typist, limits } = round;
  const pane = paneName(typist.pane);
  switch (passed.kind) {
    case "broken":
      return machineReport(context, role, passed.error);
    case "stopped":
      return objected(round, step, { code: "interrupted", message: "Interrupted; what was typed was sent off." });
    case "vain":
      return objected(round, step, {
        code: "agent-ended",
        message: `The client of ${role} ended while it was waited for.`,
        hint: `Look at pane ${pane}.`,
      });
    case "timed-out": {
      const now = recordOf(context.paths, role)?.state ?? "without a machine";
      const isSave = step === "save";
      const message = isSave
        ? `${role} has not saved within ${limits.saveMs / 1000} s after it was asked; it is ${now}.`
        : `${role} has not come back within ${limits.compactMs / 1000} s after /compact; it is ${now}.`;
      const hint = isSave
        ? `Look at pane ${pane}: it was asked, and may still save; then run this again. --save-timeout waits longer.`
        : now === "compacting"
          ? `Wait on: ${context.invokedAs} lifecycle.wait ${role} --for recovering,active. --compact-timeout waits longer.`
          : `Look at pane ${pane}. The hooks move ${role} only where HIVEMIND_ROLE names it to the agent: ${context.invokedAs} doctor.`;
      return objected(round, step, { code: "timed-out", message, hint });
    }
    default:
      return passed satisfies never;
  }
}
