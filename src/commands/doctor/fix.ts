import { existsSync } from "node:fs";
import type { Result } from "../../base/result.ts";
import { LONGEST_SECONDS } from "../../doctor/checks/limits.ts";
import type { Finding } from "../../doctor/finding.ts";
import { type MendRequest, mendEntries } from "../../install/mend-entries.ts";
import { editSettings } from "../../install/settings-edit.ts";
import type { WriteError } from "../../platform/atomic-write.ts";
import { wayToWrite } from "../../platform/way-to-write.ts";
import { loadConfig } from "../../stores/config-store.ts";
import { ignoreCache } from "../../stores/git-exposure.ts";
import { releaseStaleLock, removeTemporaries, writtenFolders } from "../../stores/leftovers-store.ts";
import { inRoot } from "../../stores/paths.ts";
import { readSetupFile } from "../../stores/setup-file.ts";
import type { CommandContext } from "../command-context.ts";
import { ACTIONS, applyChange, type Change } from "../init/change.ts";
import type { SettingsFile } from "../init/plan-settings.ts";
import type { Gathered } from "./gather.ts";

/** One thing that was done, or why it was not. */
export interface Fixed {
  readonly done: boolean;
  /** A sentence without its full stop. */
  readonly text: string;
  /** What lets it be done after all, an order without its full stop; where the system said why it was not. */
  readonly way?: string;
}

/** Mends what can be mended: the setup as `init` does it, then what init leaves alone. Stops at nothing: each step stands for itself. */
export async function fix(
  context: CommandContext,
  gathered: Gathered,
  findings: readonly Finding[],
  verbs: readonly string[],
): Promise<readonly Fixed[]> {
  const fixable = findings.filter((finding) => finding.fixable);
  const has = (...codes: readonly string[]): boolean => fixable.some(({ code }) => codes.includes(code));
  const done: Fixed[] = [];
  // The plan was made from the files as they are: what changes them besides comes behind it.
  for (const change of gathered.plan?.changes ?? []) done.push(applied(change));
  if (has("registered-twice", "registered-again")) {
    for (const file of gathered.redundant) done.push(...edited(file, (text) => withoutOurs(text, file.foreign)));
  }
  if (has("timeout-short", "timeout-long", "unknown-verb")) {
    const request = { verbs, timeoutOf: timeoutFor(gathered) };
    for (const file of gathered.editable) {
      done.push(...edited(file, (text) => mendEntries(text, { ...request, foreign: file.foreign })));
    }
  }
  for (const { code, place } of fixable) {
    if (code !== "stale-lock" || place === null) continue;
    done.push(outcome(releaseStaleLock(inRoot(context.paths, place.file)), `released ${place.file}`));
  }
  if (has("leftovers")) {
    const { value } = await loadConfig(context.paths);
    removeTemporaries(writtenFolders(context.paths, value), context.now());
    for (const { code, place } of fixable) {
      if (code !== "leftovers" || place === null) continue;
      const stays = existsSync(inRoot(context.paths, place.file));
      done.push({ done: !stays, text: stays ? `${place.file} cannot be deleted` : `deleted ${place.file}` });
    }
  }
  if (has("cache-not-ignored")) done.push(outcome(ignoreCache(context.paths), "created session/.cache/.gitignore"));
  return done;
}

function applied(change: Change): Fixed {
  return outcome(applyChange(change), `${ACTIONS[change.action][0]} ${change.shown}`);
}

function outcome(result: Result<void, WriteError>, text: string): Fixed {
  if (result.ok) return { done: true, text };
  const { path, message, code } = result.error;
  return { done: false, text: `${path} ${message}`, ...(code === undefined ? {} : { way: wayToWrite(code) }) };
}

/** Edits a settings file as it is now; none where the edit changes nothing. */
function edited({ file, shown }: SettingsFile, edit: (text: string) => string | null): readonly Fixed[] {
  const now = readSetupFile(file);
  if (!now.ok) return [{ done: false, text: `${shown} ${now.error.message}` }];
  if (now.value === null) return [];
  const { text: before, mode } = now.value;
  const after = edit(before);
  if (after === before) return [];
  return [
    applied(
      after === null
        ? { action: "delete", file, shown, before }
        : { action: "change", file, shown, before, after, mode },
    ),
  ];
}

function withoutOurs(text: string, foreign: ReadonlySet<string>): string | null {
  const edit = editSettings(text, { wanted: [], rest: "remove", foreign });
  return edit.ok ? edit.value.text : text;
}

function timeoutFor({ facts }: Gathered): MendRequest["timeoutOf"] {
  return ({ event, command, timeout }) => {
    if (timeout === null) return null;
    const entry = facts.levels
      .flatMap(({ hooks }) => hooks)
      .find((hook) => hook.event === event && hook.command === command);
    const hook = entry?.hook ?? facts.expected.find((expected) => expected.event === event)?.hook;
    const wanted = facts.expected.find((expected) => expected.event === event && expected.hook === hook)?.timeout;
    if (wanted === undefined) return null;
    return timeout < wanted / 2 || timeout > LONGEST_SECONDS ? wanted : null;
  };
}
