import { countBySeverity } from "../base/diagnostic.ts";
import { plural } from "../base/plural.ts";
import { validateContextFile } from "../context-file/validate.ts";
import type { RoleName } from "../lifecycle/role.ts";
import type { MachineRecord } from "../lifecycle/snapshot.ts";
import type { ReadError } from "../platform/read-text.ts";
import { sha256 } from "../platform/sha256.ts";
import { readContextFile } from "../stores/context-file-store.ts";
import { contextFilePath, shownPath } from "../stores/paths.ts";
import type { CommandContext } from "./command-context.ts";
import type { CheckedFile, Problem } from "./report.ts";

export type ContextCheck =
  | { readonly kind: "unreadable"; readonly missing: boolean; readonly path: string; readonly problem: Problem }
  | {
      readonly kind: "checked";
      readonly valid: boolean;
      readonly errors: number;
      readonly warnings: number;
      readonly checked: CheckedFile;
      readonly sha256: string;
      /** The file's size. */
      readonly bytes: number;
      /** The `**Pane**` and `**Updated**` fields as they stand; null where they do not. */
      readonly pane: string | null;
      readonly updated: string | null;
    };

export type CheckedContext = Extract<ContextCheck, { readonly kind: "checked" }>;

/** A context file that is not read, with what to do: `whenMissing` where there is none. */
export function unread(shown: string, { problem, message }: ReadError, whenMissing: string): Problem {
  const missing = problem === "missing";
  const way =
    problem === "link"
      ? "Replace the link by a file of the project's own."
      : "Make it a UTF-8 text file of at most 1 MB that this user may read.";
  return {
    code: missing ? "context-missing" : "context-unreadable",
    message: `${shown} ${message}.`,
    hint: missing ? whenMissing : way,
  };
}

/** Reads and validates a role's context file: the one check that `save`, `pre.compact`, the hook and `status` share. */
export function checkContext(
  { paths, invokedAs }: CommandContext,
  role: RoleName,
  record: MachineRecord | null,
): ContextCheck {
  const path = shownPath(paths, contextFilePath(paths, role));
  const file = readContextFile(paths, role);
  if (!file.ok) {
    const missing = file.error.problem === "missing";
    const problem = unread(path, file.error, `Write it: ${invokedAs} new ${role}.`);
    return { kind: "unreadable", missing, path, problem };
  }
  const { diagnostics, file: parsed } = validateContextFile(file.value.text, {
    role,
    lastRecovery: record?.recoveredAt ? new Date(record.recoveredAt) : null,
    modified: new Date(file.value.modified),
  });
  const counts = countBySeverity(diagnostics);
  return {
    kind: "checked",
    valid: counts.error === 0,
    errors: counts.error,
    warnings: counts.warning,
    checked: { path, text: file.value.text, diagnostics },
    sha256: sha256(file.value.bytes),
    bytes: file.value.bytes.length,
    pane: parsed.data.pane,
    updated: parsed.data.updated,
  };
}

/** Whether the file was read and has no error: a role with it may be marked saved. */
export function isGood(check: ContextCheck): check is CheckedContext & { readonly valid: true } {
  return check.kind === "checked" && check.valid;
}

/** Whether the file is there and holds nothing: of an agent's memory as little is left as without it. */
export function isBlank(check: ContextCheck): boolean {
  return check.kind === "checked" && check.checked.text.replace(/^\uFEFF/, "").trim() === "";
}

/** "2 errors, 1 warning"; a count of none is left out. */
export function countText(errors: number, warnings: number): string {
  const parts = [errors === 0 ? "" : plural(errors, "error"), warnings === 0 ? "" : plural(warnings, "warning")];
  return parts.filter((part) => part !== "").join(", ") || "no findings";
}
