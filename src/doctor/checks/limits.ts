import { usualMatcher } from "../../install/our-hooks.ts";
import type { Check } from "../check.ts";
import type { DoctorFacts, HookEntry } from "../facts.ts";
import { type Finding, finding } from "../finding.ts";
import { allHooks, groupBy } from "../hooks-of.ts";

/** A minute: nobody waits longer for a start. */
export const LONGEST_SECONDS = 60;

/** Each entry has a time-out that a person would wait for, runs whenever it is needed, and is waited for. */
export const limits: Check = {
  id: "limits",
  summary: "time-outs and matchers let the hooks run, and no longer than one waits",
  check: (facts) => [
    ...allHooks(facts).flatMap((entry) => (entry.fault === null ? timeout(facts, entry) : [])),
    ...matchers(facts),
    ...unheard(facts),
  ],
};

/** A condition of the gate is a person's to set, and nobody waits for what it says after a call. */
function unheard(facts: DoctorFacts): readonly Finding[] {
  const lost = allHooks(facts).filter(({ event, unheard, fault }) => {
    const isHeard = event === "PostToolUse" || (event === "PreToolUse" && unheard === "if");
    return unheard !== null && fault === null && !isHeard;
  });
  return groupBy(lost, ({ place, event, unheard }) => `${place.file} ${event} ${unheard}`).map(([entry]) => {
    const { place, event, unheard } = entry;
    const message = `The entry at ${event} has "${unheard}": Claude Code 2.1.332 goes on without its answer.`;
    return finding("answer-unheard", { place, message, hint: `Take "${unheard}" out of it.` });
  });
}

function timeout(
  facts: DoctorFacts,
  { event, hook, timeout: seconds, place, plain, matcher, level }: HookEntry,
): readonly Finding[] {
  const wanted = facts.expected.find((expected) => expected.event === event && expected.hook === hook)?.timeout;
  const own = level === "project" || level === "local" || level === "user";
  if (seconds === null) {
    return [
      finding("timeout-missing", {
        place,
        message: `The entry at ${event} has no time-out: a stall of the hook would block the client for minutes.`,
        hint: wanted === undefined ? "Add one." : `Add "timeout": ${wanted}.`,
        fixable: own && plain && matcher === null && facts.plan !== null,
      }),
    ];
  }
  if (wanted === undefined) return [];
  const hint = `Set "timeout": ${wanted}.`;
  if (seconds < wanted / 2) {
    const message = `The entry at ${event} is given ${seconds} s, expected ${wanted}: a busy machine needs longer, and then its answer is lost.`;
    return [finding("timeout-short", { place, message, hint, fixable: own })];
  }
  if (seconds > LONGEST_SECONDS) {
    const message = `The entry at ${event} is given ${seconds} s, expected ${wanted}: for so long a stall would block the client.`;
    return [finding("timeout-long", { place, message, hint, fixable: own })];
  }
  return [];
}

/** What each event has to be handled for, where that is not what it is registered for; its other occasions are a person's to leave out. */
const NEEDED: ReadonlyMap<string, readonly string[]> = new Map([
  ["SessionStart", ["compact"]],
  ["PreCompact", ["manual", "auto"]],
]);

function matchers(facts: DoctorFacts): readonly Finding[] {
  return groupBy(allHooks(facts), ({ event, hook }) => `${event} ${hook}`).flatMap((entries) => {
    const [first] = entries;
    const matchers = entries.flatMap(({ matcher }) => matcher ?? []);
    if (matchers.length < entries.length) return [];
    const needed = NEEDED.get(first.event) ?? usualMatcher(first.event, first.hook)?.split("|") ?? [];
    const lost = needed.filter((occasion) => !matchers.some((matcher) => covers(matcher, occasion)));
    if (lost.length === 0) return [];
    return [
      finding("matcher-narrow", {
        place: first.place,
        message: `The hook at ${first.event} runs for "${first.matcher}" only: nothing happens at ${lost.join(" and ")}.`,
        hint: "Take the matcher out, or add what is missing to it.",
      }),
    ];
  });
}

/** A matcher is one name or several; what else a pattern may mean is not guessed at, and taken to cover everything. */
export function covers(matcher: string, occasion: string): boolean {
  if (!/^[\w\s|,-]+$/.test(matcher)) return true;
  return matcher.split(/[|,]/).some((name) => name.trim() === occasion);
}
