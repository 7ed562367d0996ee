import { printableLine } from "../../base/printable.ts";

/** `ask`: the save is asked for; `save`: it is done; `compact`: /compact is typed; `recover`: the agent is back. */
export type StepName = "ask" | "save" | "compact" | "recover";

export interface StepDone {
  readonly step: StepName;
  readonly outcome: "done" | "skipped" | "timed-out" | "failed";
  /** ISO 8601. */
  readonly at: string;
  /** Milliseconds since the step before. */
  readonly ms: number;
  readonly detail: string;
}

/** What was done, each step told as it is done. */
export interface StepLog {
  readonly steps: readonly StepDone[];
  readonly add: (step: StepName, outcome: StepDone["outcome"], detail: string) => void;
}

/** A log that writes a line for each step; times come from `clock`. */
export function openStepLog(clock: () => Date, write: (line: string) => void): StepLog {
  const steps: StepDone[] = [];
  let last = clock().getTime();
  return {
    steps,
    add: (step, outcome, detail) => {
      const now = clock();
      const done = { step, outcome, at: now.toISOString(), ms: Math.max(0, now.getTime() - last), detail };
      last = now.getTime();
      steps.push(done);
      write(stepText(done));
    },
  };
}

function stepText({ step, outcome, at, ms, detail }: StepDone): string {
  const how = outcome === "done" ? detail : `${outcome}: ${detail}`;
  return `${at}  ${step.padEnd(7)}  ${`${(ms / 1000).toFixed(1)} s`.padStart(8)}  ${printableLine(how)}\n`;
}
