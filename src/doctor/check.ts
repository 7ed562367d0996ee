import type { DoctorFacts } from "./facts.ts";
import type { Finding } from "./finding.ts";

/** One look at the facts. */
export interface Check {
  /** Kebab-case, stable. */
  readonly id: string;
  /** What is as it should be where there is no finding. */
  readonly summary: string;
  readonly check: (facts: DoctorFacts) => readonly Finding[];
}
