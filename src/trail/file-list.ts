import { merged } from "../base/merged.ts";
import { type Call, placeOf, type Step, type TrailContext } from "./context.ts";
import type { FileWork } from "./model.ts";

interface Change {
  readonly step: Step;
  readonly call: Call;
}

/** The files that were changed; paths are resolved ones. */
export interface FileList {
  readonly write: (path: string, change: Change & { readonly by: FileWork["by"]; readonly isNew: boolean }) => void;
  /** `movedTo`: where the file, or the folder with all in it, went. */
  readonly remove: (path: string, change: Change & { readonly movedTo: string | null }) => void;
  /** The file, or all in the folder, is as it was committed last: an edit or a removal since then is no change any more. */
  readonly restore: (path: string) => void;
  readonly commit: () => void;
  readonly newestFirst: () => readonly FileWork[];
}

/** Linux's own limit, PATH_MAX. */
const LONGEST_PATH = 4096;

/** An empty list; changes come in the order of the session. */
export function fileList(context: TrailContext): FileList {
  // Inserted anew with each change, so that the order is that of the last one.
  const files = new Map<string, FileWork>();
  const there = pathIndex();
  // What was edited or deleted, and not made, since the last commit, and before that was no change.
  const uncommitted = pathIndex();

  const record = (path: string, work: Omit<FileWork, "path">): void => {
    const before = files.get(path);
    files.delete(path);
    files.set(path, merged({ path: context.shown(path) }, work));
    if (work.change === "deleted") there.remove(path);
    else if (before === undefined || before.change === "deleted") there.add(path);
  };
  return {
    write: (path, { step, call, by, isNew }) => {
      const before = files.get(path);
      const gone = before?.change === "deleted";
      if (before === undefined && !isNew) uncommitted.add(path);
      record(path, {
        ...placeOf(call),
        change: isNew || gone || before?.change === "created" ? "created" : "edited",
        by: by === "tool" || before?.by === "tool" ? "tool" : "shell",
        times: (before?.times ?? 0) + 1,
        movedTo: null,
        subAgent: !step.main,
      });
    },
    remove: (path, { step, call, movedTo }) => {
      const place = placeOf(call);
      const inside = there.at(path).filter((each) => each !== path);
      for (const each of inside) {
        const work = files.get(each);
        const to = movedTo === null ? null : context.shown(movedTo + each.slice(path.length));
        if (work !== undefined) record(each, { ...work, ...place, change: "deleted", movedTo: to });
      }
      const before = files.get(path);
      if (before === undefined && (inside.length > 0 || (movedTo === null && isDerived(path)))) return;
      if (before === undefined) uncommitted.add(path);
      record(path, {
        ...place,
        change: "deleted",
        by: before?.by ?? "shell",
        times: before?.times ?? 0,
        movedTo: movedTo === null ? null : context.shown(movedTo),
        subAgent: !step.main,
      });
    },
    restore: (path) => {
      for (const each of uncommitted.at(path)) {
        uncommitted.remove(each);
        files.delete(each);
        there.remove(each);
      }
    },
    commit: () => uncommitted.clear(),
    newestFirst: () => [...files.values()].reverse(),
  };
}

/** Whether a path is what tools make and anybody may throw away: that it went tells nothing. */
function isDerived(resolved: string): boolean {
  return DERIVED.has(resolved.slice(resolved.lastIndexOf("/") + 1));
}

const DERIVED: ReadonlySet<string> = new Set(
  "node_modules dist build coverage target .next .turbo .cache __pycache__ .pytest_cache .mypy_cache .ruff_cache".split(
    " ",
  ),
);

/** Paths by themselves and by each folder that they lie in, so that a folder is not looked for in all of them. */
function pathIndex() {
  const sets = new Map<string, Set<string>>();
  return {
    /** The path, where it is one of them, and those that lie in it. */
    at: (path: string): readonly string[] => [...(sets.get(path) ?? [])],
    add: (path: string): void => {
      for (const place of placesOf(path)) {
        const paths = sets.get(place);
        if (paths === undefined) sets.set(place, new Set([path]));
        else paths.add(path);
      }
    },
    remove: (path: string): void => {
      for (const place of placesOf(path)) sets.get(place)?.delete(path);
    },
    clear: (): void => sets.clear(),
  };
}

function placesOf(path: string): readonly string[] {
  const places = [path];
  // No file has such a path: with each of its folders written out it would fill the memory.
  if (path.length > LONGEST_PATH) return places;
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) places.push(path.slice(0, end));
  return places;
}
