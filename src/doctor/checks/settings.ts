import type { Check } from "../check.ts";
import type { SettingsLevel } from "../facts.ts";
import { type Finding, finding } from "../finding.ts";

/** A file that the client cannot read takes every hook in it along, without a word where nobody watches. */
export const settings: Check = {
  id: "settings",
  summary: "the client can read every settings file",
  check: ({ levels }) => levels.flatMap(lookAt),
};

function lookAt({ problem, extension, hooks, newEvents }: SettingsLevel): readonly Finding[] {
  const findings: Finding[] = [];
  if (problem !== null) findings.push(finding("settings-broken", problem));
  if (extension !== null) {
    findings.push(
      finding("settings-dropped", {
        place: extension.place,
        message: `Found ${extension.what}, expected plain JSON: Claude Code drops the whole file, and the hooks in it.`,
        hint: "Take it out.",
      }),
    );
  }
  if (hooks.length > 0) {
    for (const { name, place } of newEvents) {
      const message = `The event "${name}" is not known to every client: 2.0.76 and 2.1.50 drop a file that names it, with our hooks.`;
      findings.push(
        finding("event-unknown", {
          place,
          message,
          hint: "Keep it in another settings file, or use a newer client only.",
        }),
      );
    }
  }
  return findings;
}
