import type { Outcome } from "../commands/report.ts";

/** The contract's exit codes. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  "timed-out": 3,
  locked: 4,
  unreachable: 4,
} satisfies Record<Outcome, number>;

/** A fault of ours. */
export const EXIT_FAULT = 70;
