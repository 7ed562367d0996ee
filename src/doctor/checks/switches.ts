import type { Check } from "../check.ts";
import type { DoctorFacts } from "../facts.ts";
import { type Finding, fileOnly, finding } from "../finding.ts";

/** What keeps every hook from running, whoever registered it. */
export const switches: Check = {
  id: "switches",
  summary: "nothing switches the hooks off",
  check: (facts) => [...disabled(facts), ...managedOnly(facts), ...others(facts)],
};

/** The file that has the last word of those that say anything. */
function disabled({ levels }: DoctorFacts): readonly Finding[] {
  const last = levels.findLast(({ disableAllHooks }) => disableAllHooks !== null);
  if (last?.disableAllHooks !== true) return [];
  return [
    finding("hooks-disabled", {
      place: fileOnly(last.shown),
      message: "It sets disableAllHooks: no hook runs, whoever registered it.",
      hint: last.level === "managed" ? "Ask who administers this machine." : "Take disableAllHooks out of it.",
    }),
  ];
}

function managedOnly({ levels }: DoctorFacts): readonly Finding[] {
  const managed = levels.find(({ level, managedHooksOnly }) => level === "managed" && managedHooksOnly);
  const ours = levels.filter(({ level, hooks }) => level !== "managed" && hooks.length > 0);
  if (managed === undefined) return [];
  const kept = ours.length === 0 ? "" : ` Those in ${ours.map(({ shown }) => shown).join(" and ")} do not.`;
  return [
    finding("managed-hooks-only", {
      place: fileOnly(managed.shown),
      message: `It sets allowManagedHooksOnly: only hooks that stand in it run.${kept}`,
      hint: "Ask who administers this machine to register the hooks there.",
    }),
  ];
}

function others({ levels, disabledByEnv, plugin, invokedAs }: DoctorFacts): readonly Finding[] {
  const findings: Finding[] = [];
  if (disabledByEnv) {
    const file = levels.findLast(({ env }) => env.CONTEXT_DISABLED !== undefined);
    findings.push(
      finding("switched-off", {
        place: file === undefined ? null : fileOnly(file.shown),
        message: "CONTEXT_DISABLED=1 is set: a client that is started from here runs the hooks, and they do nothing.",
        hint: file === undefined ? "Unset CONTEXT_DISABLED." : "Take CONTEXT_DISABLED out there.",
      }),
    );
  }
  if (plugin !== null && !plugin.files) {
    findings.push(
      finding("plugin-missing", {
        place: plugin.enabledBy,
        message: `The plugin ${plugin.name} is switched on here, and its files are not where the client keeps plugins.`,
        hint: `Run claude plugin install ${plugin.name}, or switch it off and run ${invokedAs} init.`,
      }),
    );
  }
  return findings;
}
