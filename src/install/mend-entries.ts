import { applyEdits } from "../base/text-edit.ts";
import { type CommandEntry, commandEntries, unknownVerb } from "./hook-entries.ts";
import { ourCommand } from "./our-hooks.ts";
import { parsed } from "./settings-document.ts";
import { withoutHook } from "./settings-edit.ts";

export interface MendRequest {
  /** Names of scripts in `.claude/hooks` that are not ours. */
  readonly foreign: ReadonlySet<string>;
  /** Names of this program's commands. */
  readonly verbs: readonly string[];
  /** The time-out that an entry of ours should have, in seconds; null where its own is well. */
  readonly timeoutOf: (entry: CommandEntry) => number | null;
}

/**
 * Settings in which our entries have time-outs that let them run, and no entry calls this program with a command that it
 * does not have. Null: nothing but such entries stood in the file. Every other byte stays.
 */
export function mendEntries(text: string, request: MendRequest): string | null {
  let current = text;
  for (;;) {
    const document = parsed(current);
    const entry = commandEntries(document).findLast(({ command }) => unknownVerb(command, request.verbs) !== null);
    if (entry === undefined) break;
    const next = withoutHook(document, entry);
    if (next === null) return null;
    current = next;
  }
  const edits = commandEntries(parsed(current)).flatMap((entry) => {
    const seconds = ourCommand(entry.command, request.foreign) === null ? null : request.timeoutOf(entry);
    return seconds === null || entry.timeoutSpan === null ? [] : [{ span: entry.timeoutSpan, text: String(seconds) }];
  });
  return edits.length === 0 ? current : applyEdits(current, edits);
}
