import type { Advanced } from "../../src/lifecycle/advance.ts";
import type { StoredMachine } from "../../src/lifecycle/snapshot.ts";
import type { MachineUpdate } from "../../src/stores/machine-access.ts";

/** The machine behind a step, with the step's transitions. */
export function advanced(stored: StoredMachine, step: Advanced): MachineUpdate {
  return { stored: { ...stored, record: step.record }, history: step.history };
}
