import type { FindingCode } from "../catalogue.ts";
import type { Check } from "../check.ts";
import type { DoctorFacts, PlannedChange } from "../facts.ts";
import { type Finding, fileOnly, finding } from "../finding.ts";
import { allHooks } from "../hooks-of.ts";

/** What `init` would write is there, byte for byte. */
export const setup: Check = {
  id: "setup",
  summary: "scripts and folders are as this version writes them",
  check: (facts) => {
    const { plan, blocked } = facts;
    if (blocked !== null) return [finding("setup-blocked", blocked)];
    // Where nothing is registered there is one finding to act on, and it brings the scripts along.
    if (allHooks(facts).length === 0) return [];
    return (plan ?? []).flatMap((change) => lookAt(facts, change));
  },
};

const SCRIPT: ReadonlyMap<PlannedChange["action"], readonly [code: FindingCode, message: string]> = new Map([
  ["create", ["script-missing", "The hook script is not there: the client's shell finds nothing to run."]],
  [
    "change",
    ["script-stale", "The hook script is not what this version writes: it is of another version, or was edited."],
  ],
  ["make-runnable", ["script-not-runnable", "The hook script has no run bit: the client's shell may not start it."]],
  ["delete", ["script-twice", "The hook script stands under both of the names that it can have."]],
]);

function lookAt(facts: DoctorFacts, { action, shown, kind }: PlannedChange): readonly Finding[] {
  const hint = `Run ${facts.init}.`;
  if (kind === "folder" && action === "create-folder") {
    const message = "The folder for the roles' context files is not there.";
    return [finding("agents-folder-missing", { place: fileOnly(shown), message, hint })];
  }
  // A person may have put it elsewhere and changed the lines: what these start is another check's.
  const isNamed = allHooks(facts).some(({ command, gone }) => command.includes(shown) || gone.includes(shown));
  if (action === "create" && !isNamed) return [];
  const known = kind === "script" ? SCRIPT.get(action) : undefined;
  return known === undefined ? [] : [finding(known[0], { place: fileOnly(shown), message: known[1], hint })];
}

/** What `init` would change in a settings file, where no other finding says why. */
export function unexplained({ plan, init }: DoctorFacts, findings: readonly Finding[]): readonly Finding[] {
  if (findings.some(({ code }) => code === "not-registered")) return [];
  const explained = new Set(findings.filter(({ fixable }) => fixable).map(({ place }) => place?.file));
  return (plan ?? []).flatMap(({ kind, shown }) =>
    kind !== "settings" || explained.has(shown)
      ? []
      : [
          finding("registration-old", {
            place: fileOnly(shown),
            message: "The hooks are registered otherwise than this version does it here.",
            hint: `Run ${init} --dry-run to see the difference.`,
          }),
        ],
  );
}
