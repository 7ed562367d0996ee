import { join } from "node:path";
import type { RoleName } from "../lifecycle/role.ts";
import { writeWhole } from "../platform/atomic-write.ts";
import { CHANGED, lastChange, mark, marksOf, NUMBERS, SETTLED_MS } from "../platform/file-marks.ts";
import { readText } from "../platform/read-text.ts";
import { type ProjectPaths, roleFiles } from "./paths.ts";

/**
 * What the files of many roles said at the last look, by what they were then. It saves reading and parsing, never the
 * look at the files themselves, and can be deleted at any time.
 */
export interface FleetMemory {
  /** All that was remembered, in one flat list: at ten thousand roles every object more is felt. */
  readonly values: readonly unknown[];
  /** Where in `values` a role's own begin, if its two files have not changed since; null where that is not sure. */
  readonly recall: (role: RoleName) => number | null;
  /** The same where only the machine's file matters: the context file is not looked at. */
  readonly recallMachine: (role: RoleName) => number | null;
  /** What was read after `recall` had looked at the role's files. */
  readonly remember: (role: RoleName, values: readonly unknown[]) => void;
  /** Writes it for the next look, if anything is new. Where it cannot be written the next look is slower, no more. */
  readonly save: () => void;
}

export interface FleetMemoryOptions {
  /** Whose findings these are; another version of this program may find other things in the same file. */
  readonly edition: string;
  /** How many values each role has. */
  readonly width: number;
  /** When this look began, in milliseconds since the epoch: what changed shortly before is not remembered. */
  readonly began: number;
}

const VERSION = 2;
/** A hundred thousand roles take half of it. */
const MOST_BYTES = 64 * 1024 * 1024;
/** A role's machine and its context file. */
const MARKS = 2 * NUMBERS;
/** The role and its marks. */
const HEAD = 1 + MARKS;

/** Roles are to be asked for in byte order, as they stand in it. */
export function openFleetMemory(paths: ProjectPaths, { edition, width, began }: FleetMemoryOptions): FleetMemory {
  const file = join(paths.cache, "status.json");
  const files = roleFiles(paths);
  const step = HEAD + width;
  const before = readValues(file, edition, step);
  const now = new Float64Array(MARKS);
  const settled = began - SETTLED_MS;
  const kept: (number | readonly unknown[])[] = [];
  let at = 0;
  let changed = false;
  let foldersChanged: number | null = null;
  /** Where a role's marks begin, if the first `count` of them are those of `now`. */
  const find = (role: RoleName, count: number): number | null => {
    // What is passed over belongs to roles that are gone.
    while (isBefore(before[at], role)) at += step;
    if (before[at] !== role) return null;
    const first = at + 1;
    at += step;
    for (let index = 0; index < count; index++) if (before[first + index] !== now[index]) return null;
    return first;
  };
  return {
    values: before,
    recall: (role) => {
      mark(files.machine(role), now, 0);
      mark(files.context(role), now, NUMBERS);
      const first = find(role, MARKS);
      if (first === null) return null;
      kept.push(first - 1);
      return first + MARKS;
    },
    recallMachine: (role) => {
      mark(files.machine(role), now, 0);
      const first = find(role, NUMBERS);
      return first === null ? null : first + MARKS;
    },
    remember: (role, values) => {
      const machine = now[CHANGED] ?? 0;
      const context = now[NUMBERS + CHANGED] ?? 0;
      // Of what is not there, the folder that would hold it tells when it went.
      foldersChanged ??= lastChange(marksOf([paths.machines, paths.agents]));
      const last = machine === 0 || context === 0 ? foldersChanged : Math.max(machine, context);
      if (values.length !== width || last > settled) return;
      kept.push([role, ...now, ...values]);
      changed = true;
    },
    save: () => {
      if (!changed && kept.length * step === before.length) return;
      const values = kept.flatMap((row) => (typeof row === "number" ? before.slice(row, row + step) : row));
      const text = JSON.stringify({ version: VERSION, edition, values });
      writeWhole(file, text, { mode: 0o600, root: paths.root, folderMode: 0o700, durable: false });
    },
  };
}

function isBefore(name: unknown, role: string): boolean {
  return typeof name === "string" && name < role;
}

function readValues(path: string, edition: string, step: number): readonly unknown[] {
  const file = readText(path, MOST_BYTES, "refuse");
  if (!file.ok) return [];
  let value: unknown;
  try {
    value = JSON.parse(file.value.text);
  } catch {
    // Edited, or of another program: as good as none.
    return [];
  }
  if (typeof value !== "object" || value === null || !("version" in value) || value.version !== VERSION) return [];
  if (!("edition" in value) || value.edition !== edition) return [];
  const values = "values" in value && Array.isArray(value.values) ? value.values : [];
  return values.length % step === 0 ? values : [];
}
