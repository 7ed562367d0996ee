import { stringAt } from "../base/json-value.ts";
import { callEffects, serverEffects } from "./call-effects.ts";
import type { ShellCall } from "./command-text.ts";
import { type Call, placeOf, type Step, type TrailContext } from "./context.ts";
import { fileList } from "./file-list.ts";
import type { FileRead, FileWork } from "./model.ts";
import type { ShellEffect } from "./shell-effects.ts";

export interface FileTrail {
  readonly files: readonly FileWork[];
  readonly reads: readonly FileRead[];
}

/**
 * What calls did to files. Sub-agents' work counts: the files are changed, whoever did it. `shells` holds the reading of
 * each shell call, by the step's index.
 */
export function fileTrail(
  steps: readonly Step[],
  shells: ReadonlyMap<number, ShellCall>,
  context: TrailContext,
): FileTrail {
  const files = fileList(context);
  const reads = new Map<string, FileRead>();
  const seen = new Set<string>();
  const apply = (effect: ShellEffect, step: Step, call: Call, by: FileWork["by"]): void => {
    const resolved = context.resolve(effect.path, effect.base);
    const to = effect.to === null ? null : context.resolve(effect.to, effect.base);
    // What came before is gone through too: it tells which files are new.
    if (step.inside) {
      const isNew = effect.makes && !seen.has(resolved);
      if (effect.kind === "write") files.write(resolved, { step, call, by, isNew });
      else if (effect.kind === "restore") files.restore(resolved);
      else files.remove(resolved, { step, call, movedTo: to });
      if (to !== null) files.write(to, { step, call, by, isNew: !seen.has(to) });
    }
    seen.add(resolved);
    if (to !== null) seen.add(to);
  };

  for (const step of steps) {
    const call = step.activity;
    if (call.kind !== "tool-call") continue;
    const cwd = context.cwdOf(call);
    const shell = shells.get(step.index);
    if (shell !== undefined) {
      // Which folder `cd "$(mktemp -d)"` leads to is not told.
      for (const effect of callEffects(shell, call, cwd))
        if (!effect.base.includes("$")) apply(effect, step, call, "shell");
      if (shell.commits) files.commit();
      continue;
    }
    if (call.outcome !== "ok") continue;
    for (const effect of serverEffects(call, cwd)) apply(effect, step, call, "tool");
    const path = pathOf(call);
    if (path === null) continue;
    const resolved = context.resolve(path, cwd);
    if (step.inside && EDITING_TOOLS.has(call.name)) {
      files.write(resolved, { step, call, by: "tool", isNew: madeBy(call, seen, resolved) });
    } else if (step.inside && READING_TOOLS.has(call.name)) {
      const times = (reads.get(resolved)?.times ?? 0) + 1;
      reads.delete(resolved);
      reads.set(resolved, { path: context.shown(resolved), ...placeOf(call), times });
    }
    seen.add(resolved);
  }
  return { files: files.newestFirst(), reads: [...reads.values()].reverse() };
}

/** The file that an editing or reading tool works on; null for all others. */
export function pathOf(call: Call): string | null {
  if (!EDITING_TOOLS.has(call.name) && !READING_TOOLS.has(call.name)) return null;
  return stringAt(call.input, "file_path") ?? stringAt(call.input, "notebook_path");
}

/** The client's tools that change a file named in their input. */
export const EDITING_TOOLS: ReadonlySet<string> = new Set(["Write", "Edit", "MultiEdit", "NotebookEdit"]);
const READING_TOOLS: ReadonlySet<string> = new Set(["Read", "NotebookRead"]);

/** The client says it beside the result and in its text; where it says neither, a file not met before is new. */
function madeBy(call: Call, seen: ReadonlySet<string>, resolved: string): boolean {
  if (call.note?.change != null) return call.note.change === "create";
  if (/^File created successfully/.test(call.result)) return true;
  if (/^The file .{1,4096} has been updated/s.test(call.result)) return false;
  return call.name === "Write" && !seen.has(resolved);
}
