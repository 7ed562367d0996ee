import { plural } from "../../base/plural.ts";
import { isUsualEvent } from "../../install/our-hooks.ts";
import type { Check } from "../check.ts";
import type { DoctorFacts, ExpectedHook, HookEntry } from "../facts.ts";
import { type Finding, finding } from "../finding.ts";
import { allHooks, expectedByHook, type Group, groupBy } from "../hooks-of.ts";

/** Every hook stands at its event, with the words that this version gives it. */
export const registered: Check = {
  id: "registered",
  summary: "every hook is registered at its event, with its options",
  check: (facts) => [
    ...missing(facts),
    ...misplaced(facts),
    ...otherWords(facts),
    ...unknownVerbs(facts),
    ...sharedPaths(facts),
  ],
};

function missing(facts: DoctorFacts): readonly Finding[] {
  if (facts.plugin !== null && !facts.plugin.files) return [];
  const hooks = allHooks(facts);
  const fixable = facts.plan !== null;
  // What a broken file registers is not known; that it is broken is a finding of its own.
  const other = facts.levels.some(({ problem }) => problem !== null) ? "other " : "";
  const hint = facts.blocked?.hint ?? `Run ${facts.init}.`;
  const absent = expectedByHook(facts).filter(
    ([{ event, hook }]) => !hooks.some((entry) => entry.event === event && entry.hook === hook),
  );
  if (other === "" && hooks.length === 0 && absent.length > 0) {
    const events = [...new Set(absent.map(([{ event }]) => event))].join(" and ");
    const message = `No settings file registers a hook of context: nothing happens at ${events}.`;
    return [finding("not-registered", { message, hint, fixable })];
  }
  return absent.map(([{ event, hook }]) =>
    finding("not-registered", {
      message: `No ${other}settings file registers ${hook} at ${event}.`,
      hint,
      fixable,
    }),
  );
}

function misplaced(facts: DoctorFacts): readonly Finding[] {
  const strays = allHooks(facts).filter(({ event, hook }) => !isUsualEvent(event, hook));
  return groupBy(strays, ({ event, hook, place }) => `${event} ${hook} ${place.file}`).map(
    ([{ event, hook, place, plain }]) => {
      const fixable = plain && changes(facts, place.file);
      return finding("misplaced", {
        place,
        message: `${hook} is registered at ${event}, where it is of no use.`,
        hint: fixable ? `Run ${facts.init}.` : "Take the entry out.",
        fixable,
      });
    },
  );
}

function otherWords(facts: DoctorFacts): readonly Finding[] {
  return expectedByHook(facts).flatMap((expected) => {
    const [{ event, hook }] = expected;
    const entries = allHooks(facts).filter((entry) => entry.event === event && entry.hook === hook);
    return groupBy(entries, ({ place }) => place.file).flatMap((group) => lookAtWords(facts, expected, group));
  });
}

function lookAtWords(
  facts: DoctorFacts,
  expected: readonly ExpectedHook[],
  entries: Group<HookEntry>,
): readonly Finding[] {
  const [first] = entries;
  const fixable = first.plain && first.matcher === null && changes(facts, first.place.file);
  const { place, event } = first;
  const hint = fixable ? `Run ${facts.init}.` : `Change it by hand, or take it out and run ${facts.init}.`;
  const want = expected.map(({ words }) => words.join(" "));
  const have = entries.map(({ words }) => words.join(" "));
  if (want.some((words) => words.startsWith("--part "))) {
    const lacking = want.filter((words) => !have.some((found) => found.includes(words)));
    const surplus = have.filter((found) => !want.some((words) => found.includes(words)));
    if (lacking.length === 0 && surplus.length === 0) return [];
    const found = [
      ...(lacking.length === 0 ? [] : [`${lacking.join(", ")} ${lacking.length === 1 ? "is" : "are"} missing`]),
      ...(surplus.length === 0
        ? []
        : [`found ${surplus.map((words) => words || "an entry without --part").join(", ")}`]),
    ];
    const message = `The document is split into ${plural(want.length, "part")} at ${event}: ${found.join("; ")}.`;
    return [finding("parts-differ", { place, message, hint, fixable })];
  }
  if (want.some((words) => words === "--guidance") && !have.some((found) => found.split(" ").includes("--guidance"))) {
    const message = `The hook at ${event} is registered without --guidance: the summary is made without a word about the work in hand.`;
    return [finding("guidance-missing", { place, message, hint, fixable })];
  }
  return [];
}

function unknownVerbs({ levels, init }: DoctorFacts): readonly Finding[] {
  return levels.flatMap(({ unknownVerbs, level }) =>
    unknownVerbs.map(({ verb, event, place }) =>
      finding("unknown-verb", {
        place,
        message: `The entry at ${event} runs "context ${verb}", a command that this version does not have.`,
        hint: `Take the entry out and run ${init}.`,
        fixable: level === "project" || level === "local",
      }),
    ),
  );
}

function sharedPaths(facts: DoctorFacts): readonly Finding[] {
  const shared = allHooks(facts).filter(({ level, machinePath }) => level === "project" && machinePath);
  const [first] = shared;
  if (first === undefined) return [];
  return [
    finding("machine-path-shared", {
      place: first.place,
      message: `The file is shared, and its hooks name a path that only this machine has: ${first.command}`,
      hint: `Run ${facts.invokedAs} init: it puts such a path into .claude/settings.local.json.`,
      fixable: first.plain && changes(facts, first.place.file),
    }),
  ];
}

function changes({ plan }: DoctorFacts, file: string): boolean {
  return plan?.some(({ shown }) => shown === file) ?? false;
}
