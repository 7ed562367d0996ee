import type { Check } from "../check.ts";
import type { DoctorFacts, HookEntry } from "../facts.ts";
import { type Finding, finding, placeText } from "../finding.ts";
import { allHooks, type Group, groupBy } from "../hooks-of.ts";
import { covers } from "./limits.ts";

/** Two registrations give the agent two documents; the second one tells it nothing and takes its room. */
export const twice: Check = {
  id: "twice",
  summary: "no hook is registered twice",
  check: (facts) =>
    groupBy(allHooks(facts), ({ event, hook }) => `${event} ${hook}`).flatMap((entries) => [
      ...lookAt(facts, entries),
      ...besideMissingPlugin(facts, entries),
    ]),
};

/** What a plugin registers is not to be read while its files are elsewhere; the settings that switch it on are. */
function besideMissingPlugin(
  { plugin, expected, invokedAs }: DoctorFacts,
  [entry]: Group<HookEntry>,
): readonly Finding[] {
  const { event, hook, place } = entry;
  if (plugin === null || plugin.files || !expected.some((each) => each.event === event && each.hook === hook))
    return [];
  const message = `${hook} is registered at ${event} in ${placeText(place)}, and by the plugin ${plugin.name}, which is switched on in ${placeText(plugin.enabledBy)}: where its files are installed, the agent gets everything twice.`;
  const hint = `Switch the plugin off there, or keep it and run ${invokedAs} init --remove.`;
  return [finding("registered-twice", { place, message, hint, fixable: false })];
}

function hasSameWords(one: HookEntry, two: HookEntry): boolean {
  return one.words.join(" ") === two.words.join(" ");
}

/** Whether some start or compaction runs both. */
function meets(one: HookEntry, two: HookEntry): boolean {
  const [a, b] = [one.matcher, two.matcher];
  const covered = (names: string, by: string) => names.split("|").some((name) => covers(by, name));
  return a === null || b === null || covered(a, b) || covered(b, a);
}

function lookAt(facts: DoctorFacts, entries: Group<HookEntry>): readonly Finding[] {
  const [first] = entries;
  const later = (isTwin: typeof meets): HookEntry | undefined =>
    entries.find((entry, index) => entries.slice(0, index).some((one) => meets(one, entry) && isTwin(one, entry)));
  const other = later((one, two) => one.place.file !== two.place.file) ?? later(hasSameWords);
  if (other === undefined) return [];
  const twins = entries.filter((entry) => entry !== other && meets(entry, other));
  const before = twins.find((entry) => hasSameWords(entry, other)) ?? twins[0] ?? first;
  const same = before.command === other.command;
  // So `init` writes them, for clients that look into one of the two alone.
  if (same && other.level === "main") return [];
  const files = [before.place.file, other.place.file];
  const levels = new Set([before.level, other.level]);
  const fixable = files.some(
    (file) => facts.redundant.includes(file) || (facts.plan?.some(({ shown }) => shown === file) ?? false),
  );
  const message = `${first.hook} is registered at ${first.event} in ${placeText(before.place)} and in ${placeText(other.place)}: ${
    same ? "the client runs equal commands once." : "both run, and one is enough."
  }`;
  const hint =
    files.includes(first.place.file) && facts.plugin !== null
      ? `Keep the plugin ${facts.plugin.name} and run ${facts.invokedAs} init --remove, or switch the plugin off.`
      : levels.has("user") && levels.size > 1
        ? `Run ${facts.invokedAs} init --remove to keep the one for all projects, or with --user to keep this project's.`
        : "Keep one of the two.";
  return [finding(same ? "registered-again" : "registered-twice", { place: other.place, message, hint, fixable })];
}
