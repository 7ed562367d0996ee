import type { Check } from "../check.ts";
import type { DoctorFacts, SettingsLevel } from "../facts.ts";
import { type Finding, finding, placeText } from "../finding.ts";
import { groupBy } from "../hooks-of.ts";

/** A file that the client cannot read takes every hook in it along, without a word where nobody watches. */
export const settings: Check = {
  id: "settings",
  summary: "the client can read every settings file, and takes each hook in it",
  check: (facts) => facts.levels.flatMap((level) => lookAt(facts, level)),
};

function lookAt(facts: DoctorFacts, level: SettingsLevel): readonly Finding[] {
  const { problem, dropped, hooks, newEvents } = level;
  const findings: Finding[] = [];
  if (problem !== null) findings.push(finding("settings-broken", problem));
  if (dropped !== null) {
    findings.push(
      finding("settings-dropped", {
        place: dropped.place,
        message: `Found ${dropped.found}, expected ${dropped.expected}: Claude Code drops the whole file, and the hooks in it.`,
        hint: `${dropped.way}.`,
      }),
    );
  }
  findings.push(...leftOut(facts, level));
  if (hooks.length > 0) {
    for (const { name, place } of newEvents) {
      const message = `The event "${name}" is not known to every client: 2.0.76 and 2.1.50 drop a file that names it, with our hooks.`;
      findings.push(
        finding("event-unknown", {
          place,
          message,
          hint: "Where one of those is used, keep it in another settings file; else nothing is to be done.",
        }),
      );
    }
  }
  return findings;
}

/** A hook that the client does not take is registered for whoever reads the file, and never runs. */
function leftOut(facts: DoctorFacts, { hooks, leftOut: others }: SettingsLevel): readonly Finding[] {
  const ours = hooks.flatMap((entry) => (entry.fault === null ? [] : [{ ...entry, fault: entry.fault }]));
  return [
    // A fault of a group is that of each of its hooks.
    ...groupBy(ours, ({ fault }) => placeText(fault.place)).map(([{ event, fault, plain, place }]) =>
      finding("hook-left-out", {
        place: fault.place,
        message: `Found ${fault.found}, expected ${fault.expected}: the client leaves our hook at ${event} out, and 2.0.76 drops the whole file.`,
        hint: `Write ${fault.expected}.`,
        fixable: plain && (facts.plan?.some(({ shown }) => shown === place.file) ?? false),
      }),
    ),
    ...others.map(({ event, place, found, expected }) =>
      finding("other-left-out", {
        place,
        message: `Found ${found}, expected ${expected}: the client leaves that out at ${event}, and 2.0.76 drops the whole file.`,
        hint: `Write ${expected}, or take it out.`,
      }),
    ),
  ];
}
