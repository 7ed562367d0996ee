import { withoutOptimising } from "../../platform/optimiser.ts";

/** For fewer roles, loading what keeps V8 from optimising costs more than it spares; for more of them faster code pays. */
const PASSING = { least: 300, most: 3000 };

/** Does work on so many roles in the way that is done first. */
export function inPassing<Value>(roles: number, work: () => Value): Value {
  return roles < PASSING.least || roles > PASSING.most ? work() : withoutOptimising(work);
}
