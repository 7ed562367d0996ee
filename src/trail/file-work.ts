import { stringAt } from "../transcript/json-value.ts";
import { type Call, placeOf, type Step, type TrailContext } from "./context.ts";
import type { FileRead, FileWork } from "./model.ts";
import { type ShellEffect, shellEffects } from "./shell-effects.ts";

export interface FileTrail {
  readonly files: readonly FileWork[];
  readonly reads: readonly FileRead[];
}

/** What calls that succeeded did to files. Sub-agents' work counts: the files are changed, whoever did it. */
export function fileTrail(steps: readonly Step[], context: TrailContext): FileTrail {
  // Inserted anew with each change, so that the order is that of the last one.
  const files = new Map<string, FileWork>();
  const reads = new Map<string, FileRead>();
  const seen = new Set<string>();

  const record = (resolved: string, work: Omit<FileWork, "path">): void => {
    files.delete(resolved);
    files.set(resolved, { path: context.shown(resolved), ...work });
  };
  const write = (resolved: string, step: Step, call: Call, byTool: boolean, made: boolean): void => {
    const before = files.get(resolved);
    const gone = before?.change === "deleted";
    record(resolved, {
      ...placeOf(call),
      change: made || gone || before?.change === "created" ? "created" : "edited",
      by: byTool || before?.by === "tool" ? "tool" : "shell",
      times: (before?.times ?? 0) + 1,
      movedTo: null,
      subAgent: !step.main,
    });
  };
  const remove = (resolved: string, step: Step, call: Call, movedTo: string | null): void => {
    const place = placeOf(call);
    const inside = [...files].filter(([path, work]) => path.startsWith(`${resolved}/`) && work.change !== "deleted");
    for (const [path, work] of inside) {
      const to = movedTo === null ? null : context.shown(movedTo + path.slice(resolved.length));
      record(path, { ...work, ...place, change: "deleted", movedTo: to });
    }
    const before = files.get(resolved);
    if (before === undefined && inside.length > 0) return;
    record(resolved, {
      ...place,
      change: "deleted",
      by: before?.by ?? "shell",
      times: before?.times ?? 0,
      movedTo: movedTo === null ? null : context.shown(movedTo),
      subAgent: !step.main,
    });
  };
  const apply = (effect: ShellEffect, step: Step, call: Call): void => {
    const resolved = context.resolve(effect.path, effect.base);
    const to = effect.to === null ? null : context.resolve(effect.to, effect.base);
    if (effect.kind === "write") write(resolved, step, call, false, !seen.has(resolved));
    else remove(resolved, step, call, to);
    seen.add(resolved);
    if (to !== null) write(to, step, call, false, !seen.has(to));
  };

  for (const step of steps) {
    const call = step.activity;
    if (call.kind !== "tool-call" || call.outcome !== "ok") continue;
    const cwd = context.cwdOf(call);
    if (call.name === "Bash") {
      // What came before is gone through too: it tells which files are new.
      for (const effect of shellEffects(stringAt(call.input, "command") ?? "", cwd, context)) {
        if (step.inside) apply(effect, step, call);
        else for (const path of [effect.path, effect.to ?? effect.path]) seen.add(context.resolve(path, effect.base));
      }
      continue;
    }
    const path = pathOf(call);
    if (path === null) continue;
    const resolved = context.resolve(path, cwd);
    if (step.inside && EDITING_TOOLS.has(call.name)) write(resolved, step, call, true, madeBy(call, seen, resolved));
    else if (step.inside && READING_TOOLS.has(call.name)) {
      const times = (reads.get(resolved)?.times ?? 0) + 1;
      reads.delete(resolved);
      reads.set(resolved, { path: context.shown(resolved), ...placeOf(call), times });
    }
    seen.add(resolved);
  }
  return { files: [...files.values()].reverse(), reads: [...reads.values()].reverse() };
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
