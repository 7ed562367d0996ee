import { plural } from "../../base/plural.ts";
import type { FindingCode } from "../catalogue.ts";
import type { Check } from "../check.ts";
import type { DoctorFacts, StateFacts } from "../facts.ts";
import { type Finding, fileOnly, finding } from "../finding.ts";

/** What lies on the disk can be read and written by whoever comes next. */
export const state: Check = {
  id: "state",
  summary: "state, context files and caches are whole",
  check: (facts) => [
    ...files(facts),
    ...named(facts),
    ...roles(facts),
    ...texts(facts),
    ...ignored(facts),
    ...left(facts),
  ],
};

function files({ state: found, invokedAs }: DoctorFacts): readonly Finding[] {
  const findings: Finding[] = [];
  for (const shown of found.setAside) {
    const message = "It could not be read, and was kept aside when its place was needed.";
    findings.push(finding("set-aside", { place: fileOnly(shown), message, hint: "Look into it, and delete it." }));
  }
  for (const { shown, owner } of found.staleLocks) {
    const message = `The lock's owner, ${owner}, has ended.`;
    findings.push(finding("stale-lock", { place: fileOnly(shown), message, hint: fixIt(invokedAs) }));
  }
  for (const shown of found.leftovers) {
    const message = "A temporary file of a writer that was killed.";
    findings.push(finding("leftovers", { place: fileOnly(shown), message, hint: fixIt(invokedAs) }));
  }
  for (const { shown, message, way } of found.unwritable) {
    // All of them in one step: mostly somebody took the rights to the folder above.
    const alike = found.unwritable.filter((folder) => folder.way === way);
    const hint = `${way.replace("%", () => alike.map((folder) => folder.shown).join(", "))}.`;
    findings.push(finding("folder-unwritable", { place: fileOnly(shown), message, hint }));
  }
  return findings;
}

function named({ role }: DoctorFacts): readonly Finding[] {
  if (role === null) return [];
  const { file, message, hint } = role;
  const place = file === null ? null : fileOnly(file);
  return [finding("role-unknown", { place, message: `HIVEMIND_ROLE: ${message}`, hint })];
}

function roles({ state: { machines }, invokedAs }: DoctorFacts): readonly Finding[] {
  return machines.flatMap(({ role, shown, problem, way, stuck, hasContext, removal }) => {
    const place = fileOnly(shown);
    if (problem !== null) {
      const hint = way ?? `Run ${invokedAs} lifecycle.recover ${role}: it sets the file aside and starts over.`;
      return [finding("machine-unreadable", { place, message: `It ${problem}.`, hint })];
    }
    const findings: Finding[] = [];
    if (stuck !== null) {
      const message = `The role ${role} is stuck in "${stuck.state}" since ${stuck.since}.`;
      findings.push(finding("role-stuck", { place, message, hint: `Run ${invokedAs} lifecycle.recover ${role}.` }));
    }
    if (!hasContext) {
      const message = `The role ${role} has a state and no context file: recover has nothing to give it.`;
      const hint = `Run ${invokedAs} validate ${role}; or ${removal}, if nobody has that role any more.`;
      findings.push(finding("recover-impossible", { place, message, hint }));
    }
    return findings;
  });
}

function texts({
  state: { config, precompact, invalidContexts, contexts },
  invokedAs,
}: DoctorFacts): readonly Finding[] {
  const findings: Finding[] = [];
  const [first] = config;
  if (first !== undefined) {
    const more = config.length === 1 ? "" : ` And ${config.length - 1} more.`;
    const hint = "Mend it there: the defaults are used for what is wrong.";
    findings.push(finding("config-invalid", { place: fileOnly("context.yaml"), message: `${first}${more}`, hint }));
  }
  if (precompact !== null) {
    const message = `It ${precompact.message}.`;
    findings.push(
      finding("state-unreadable", {
        place: fileOnly(precompact.shown),
        message,
        hint: "The next compaction sets it aside; or delete it.",
      }),
    );
  }
  const [invalid] = invalidContexts;
  if (invalid !== undefined) {
    const message = `${invalidContexts.length} of ${plural(contexts, "context file")} ${invalidContexts.length === 1 ? "has" : "have"} errors or no role's name: ${invalidContexts.join(", ")}.`;
    const hint = `Run ${invokedAs} validate.all.`;
    findings.push(finding("context-files-invalid", { place: fileOnly(invalid), message, hint }));
  }
  return findings;
}

const IGNORED = {
  cache: ["cache-not-ignored", "Git would take it along, and it names paths of this machine."],
  local: ["local-not-ignored", "Git would take it along, and it names paths of this machine."],
} as const satisfies Record<StateFacts["unignored"][number]["kind"], readonly [FindingCode, string]>;

function ignored({ state: { unignored }, invokedAs }: DoctorFacts): readonly Finding[] {
  return unignored.map(({ shown, kind }) => {
    const [code, message] = IGNORED[kind];
    const hint = kind === "cache" ? fixIt(invokedAs) : `Add ${shown} to .gitignore.`;
    return finding(code, { place: fileOnly(shown), message, hint });
  });
}

function left({ state: { ignored } }: DoctorFacts): readonly Finding[] {
  if (ignored === null) return [];
  const { shown, place, pattern, instead } = ignored;
  const message = `"${pattern}" leaves ${shown} out of commits: what the roles know is on this machine alone.`;
  const hint = `Ignore ${instead.join(" and ")} instead. What is to stay here belongs in .git/info/exclude.`;
  return [finding("contexts-ignored", { place, message, hint })];
}

function fixIt(invokedAs: string): string {
  return `Run ${invokedAs} doctor --fix.`;
}
