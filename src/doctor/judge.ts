import type { Severity } from "./catalogue.ts";
import type { Check } from "./check.ts";
import { answers } from "./checks/answers.ts";
import { limits } from "./checks/limits.ts";
import { programs } from "./checks/programs.ts";
import { registered } from "./checks/registered.ts";
import { sessions } from "./checks/sessions.ts";
import { settings } from "./checks/settings.ts";
import { setup, unexplained } from "./checks/setup.ts";
import { state } from "./checks/state.ts";
import { store } from "./checks/store.ts";
import { switches } from "./checks/switches.ts";
import { twice } from "./checks/twice.ts";
import type { DoctorFacts } from "./facts.ts";
import type { Finding } from "./finding.ts";

/** In the order in which a person reads them: what keeps the client from reading comes before what it would read. */
export const CHECKS: readonly Check[] = [
  settings,
  switches,
  registered,
  twice,
  limits,
  setup,
  programs,
  answers,
  sessions,
  store,
  state,
];

export interface CheckResult {
  readonly id: string;
  readonly summary: string;
  readonly result: "ok" | Severity;
  readonly findings: readonly Finding[];
}

/** Every check with its findings, those that fail first. */
export function judge(facts: DoctorFacts): readonly CheckResult[] {
  const found = CHECKS.map((check) => ({ check, findings: check.check(facts) }));
  const all = found.flatMap(({ findings }) => findings);
  return found.map(({ check, findings }) => {
    const more = check === setup ? unexplained(facts, all) : [];
    return toResult(check, [...findings, ...more], facts);
  });
}

function toResult(check: Check, findings: readonly Finding[], facts: DoctorFacts): CheckResult {
  const fails = findings.filter(({ severity }) => severity === "fail");
  const warns = findings.filter(({ severity }) => severity === "warn");
  const result = fails.length > 0 ? "fail" : warns.length > 0 ? "warn" : "ok";
  const summary = (result === "ok" ? check.nothing?.(facts) : null) ?? check.summary;
  return { id: check.id, summary, result, findings: [...fails, ...warns] };
}
