import type { DoctorFacts } from "./facts.ts";
import type { Finding } from "./finding.ts";

/** One look at the facts. */
export interface Check {
  /** Kebab-case, stable. */
  readonly id: string;
  /** What is as it should be where there is no finding. */
  readonly summary: string;
  /** What is said in its place where there was nothing to look at; null where there was. */
  readonly nothing?: (facts: DoctorFacts) => string | null;
  readonly check: (facts: DoctorFacts) => readonly Finding[];
}
