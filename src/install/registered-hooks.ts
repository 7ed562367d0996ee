import { type CommandEntry, commandEntries } from "./hook-entries.ts";
import { type OurCommand, ourCommand, usualMatcher } from "./our-hooks.ts";
import type { SettingsDocument } from "./settings-document.ts";

/** A hook of ours that a settings file registers. */
export interface RegisteredHook extends OurCommand, CommandEntry {
  /** Whether the client runs it as this program registers it: in a form that it takes, and with a limit. */
  readonly timed: boolean;
}

/** A line that does more, or a group that is limited to other calls or starts: somebody meant it so. */
export function isCustom({ event, hook, matcher, plain }: RegisteredHook): boolean {
  return !plain || alternatives(matcher) !== alternatives(usualMatcher(event, hook));
}

/** A matcher of the same names in another order is the same one. */
function alternatives(matcher: string | null): string | null {
  return matcher === null ? null : matcher.split("|").sort().join("|");
}

/** Every hook of ours in a settings file, in its order; `foreign` are scripts of our names that are somebody else's. */
export function registeredHooks(document: SettingsDocument, foreign: ReadonlySet<string>): readonly RegisteredHook[] {
  return commandEntries(document).flatMap((entry) => {
    const ours = ourCommand(entry.command, foreign);
    return ours === null ? [] : [{ ...ours, ...entry, timed: entry.fault === null && entry.timeout !== null }];
  });
}
