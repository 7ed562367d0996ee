import { createTwoFilesPatch } from "diff";
import { printable } from "../../base/printable.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { WriteError } from "../../platform/atomic-write.ts";
import {
  makeFolder,
  makeRunnable,
  removeEmptyFolder,
  removeSetupFile,
  writeSetupFile,
} from "../../stores/settings-store.ts";
import { readSetupFile, type SetupFile } from "../../stores/setup-file.ts";

/** One thing that setting up does. Texts are whole files: what is shown is what is written. */
export type Change =
  | {
      readonly action: "create";
      readonly file: SetupFile;
      readonly shown: string;
      readonly after: string;
      readonly mode: number;
    }
  | {
      readonly action: "change";
      readonly file: SetupFile;
      readonly shown: string;
      readonly before: string;
      readonly after: string;
      readonly mode: number;
    }
  | { readonly action: "delete"; readonly file: SetupFile; readonly shown: string; readonly before: string }
  | { readonly action: "make-runnable"; readonly file: SetupFile; readonly shown: string; readonly mode: number }
  | { readonly action: "create-folder" | "delete-folder"; readonly file: SetupFile; readonly shown: string };

/** A unified diff of a change, or null where no text changes. It can be applied with `git apply` or `patch -p1`. */
export function diffOf(change: Change): string | null {
  const { shown } = change;
  switch (change.action) {
    case "create":
      return patch(null, shown, "", change.after);
    case "change":
      return patch(shown, shown, change.before, change.after);
    case "delete":
      return patch(shown, null, change.before, "");
    case "make-runnable":
    case "create-folder":
    case "delete-folder":
      return null;
    default:
      return change satisfies never;
  }
}

function patch(from: string | null, to: string | null, before: string, after: string): string {
  const name = (side: string, path: string | null): string =>
    path === null ? "/dev/null" : `${side}/${path.replace(/^\//, "")}`;
  const whole = createTwoFilesPatch(name("a", from), name("b", to), before, after, "", "", { context: 3 });
  // Its first line is a rule of equals signs, and a tab follows each name.
  return whole.replace(/^=+\n/, "").replace(/^(--- .*|\+\+\+ .*)\t$/gm, "$1");
}

/** A diff for a terminal: controls are escaped, and a line's carriage return and the BOM before it stay what they are. */
export function printableDiff(diff: string): string {
  return diff
    .split("\n")
    .map((line) => {
      const start = /^[-+ ]\uFEFF/.test(line) ? 2 : 0;
      const end = line.endsWith("\r") ? line.length - 1 : line.length;
      return line.slice(0, start) + printable(line.slice(start, end)) + line.slice(end);
    })
    .join("\n");
}

/** Does it; an error where the file is no longer what the plan was made from. */
export function applyChange(change: Change): Result<void, WriteError> {
  const { file } = change;
  switch (change.action) {
    case "create":
    case "change": {
      const isSame = () => isStill(file, change.action === "create" ? null : change.before);
      const first = isSame();
      if (!first.ok) return first;
      const written = writeSetupFile(file, change.after, change.mode, () => isSame().ok);
      if (!written.ok) return written;
      if (!written.value) return changedMeanwhile(file);
      return (change.mode & 0o100) === 0 ? ok(undefined) : makeRunnable(file, change.mode);
    }
    case "delete": {
      const still = isStill(file, change.before);
      return still.ok ? removeSetupFile(file) : still;
    }
    case "make-runnable":
      return makeRunnable(file, change.mode);
    case "create-folder":
      return makeFolder(file.root, file.path);
    case "delete-folder":
      return removeEmptyFolder(file.path);
    default:
      return change satisfies never;
  }
}

function isStill(file: SetupFile, before: string | null): Result<void, WriteError> {
  const now = readSetupFile(file);
  if (!now.ok) return now;
  if ((now.value?.text ?? null) === before) return ok(undefined);
  return changedMeanwhile(file);
}

function changedMeanwhile({ path }: SetupFile): Result<never, WriteError> {
  return err({ path, message: "was changed by somebody else meanwhile" });
}

/** What is done, and what is planned, in a word or two. */
export const ACTIONS = {
  create: ["created", "to create"],
  change: ["changed", "to change"],
  delete: ["deleted", "to delete"],
  "make-runnable": ["made runnable", "to make runnable"],
  "create-folder": ["created", "to create"],
  "delete-folder": ["deleted", "to delete"],
} as const satisfies Record<Change["action"], readonly [done: string, planned: string]>;
