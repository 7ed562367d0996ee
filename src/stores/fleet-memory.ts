import { join } from "node:path";
import { isObject, parseJson } from "../base/json-value.ts";
import type { RoleName } from "../lifecycle/role.ts";
import { writeWhole } from "../platform/atomic-write.ts";
import { CHANGED, lastChange, marksOf, NUMBERS, SETTLED_MS } from "../platform/file-marks.ts";
import { readText } from "../platform/read-text.ts";
import type { ProjectPaths } from "./paths.ts";
import { BOTH, type RoleMarks } from "./role-marks.ts";

/**
 * What the files of many roles said at the last look, by what they were then. It saves reading and parsing, never the
 * look at the files themselves, and can be deleted at any time.
 */
export interface FleetMemory {
  /** All that was remembered, in one flat list: at ten thousand roles every object more is felt. */
  readonly values: readonly unknown[];
  /**
   * Where in `values` begins what is remembered of a role, the `index`th of those that were looked at, if those of its files
   * that were have not changed since; null where that is not sure.
   */
  readonly recall: (role: RoleName, index: number) => number | null;
  /** What was read of the role's files after they had been looked at. */
  readonly remember: (role: RoleName, index: number, values: readonly unknown[]) => void;
  /** Writes it for the next look, if anything is new. Where it cannot be written the next look is slower, no more. */
  readonly save: () => void;
}

export interface FleetMemoryOptions {
  /** Names this program's build: another one may find other things in the same file. */
  readonly build: string;
  /** How many values each role has. */
  readonly width: number;
  /** When this look began, in milliseconds since the epoch: what changed shortly before is not remembered. */
  readonly began: number;
  readonly marks: RoleMarks;
}

const VERSION = 3;
/** A hundred thousand roles take half of it. */
const MOST_BYTES = 64 * 1024 * 1024;
/** The role and its marks. */
const HEAD = 1 + BOTH;

/** Roles are to be asked for in byte order, as they stand in it. */
export function openFleetMemory(paths: ProjectPaths, { build, width, began, marks }: FleetMemoryOptions): FleetMemory {
  const file = join(paths.cache, "status.json");
  const step = HEAD + width;
  const before = readValues(file, build, step);
  const { values: now, stride } = marks;
  const settled = began - SETTLED_MS;
  const kept: (number | readonly unknown[])[] = [];
  let at = 0;
  let changed = false;
  let foldersChanged: number | null = null;
  return {
    values: before,
    recall: (role, index) => {
      // What is passed over belongs to roles that are gone.
      while (isBefore(before[at], role)) at += step;
      if (before[at] !== role) return null;
      const row = at;
      at += step;
      const own = index * stride;
      for (let each = 0; each < stride; each++) if (before[row + 1 + each] !== now[own + each]) return null;
      kept.push(row);
      return row + HEAD;
    },
    remember: (role, index, values) => {
      const own = index * stride;
      const machine = now[own + CHANGED] ?? 0;
      const context = now[own + NUMBERS + CHANGED] ?? 0;
      // Of what is not there, the folder that would hold it tells when it went.
      foldersChanged ??= lastChange(marksOf([paths.machines, paths.agents]));
      const last = machine === 0 || context === 0 ? foldersChanged : Math.max(machine, context);
      if (stride !== BOTH || values.length !== width || last > settled) return;
      kept.push([role, ...now.subarray(own, own + stride), ...values]);
      changed = true;
    },
    save: () => {
      if (!changed && kept.length * step === before.length) return;
      const values = kept.flatMap((row) => (typeof row === "number" ? before.slice(row, row + step) : row));
      const text = JSON.stringify({ version: VERSION, build, values });
      writeWhole(file, text, { mode: 0o600, root: paths.root, folderMode: 0o700, durable: false });
    },
  };
}

function isBefore(name: unknown, role: string): boolean {
  return typeof name === "string" && name < role;
}

function readValues(path: string, build: string, step: number): readonly unknown[] {
  const file = readText(path, MOST_BYTES, "refuse");
  if (!file.ok) return [];
  const value = parseJson(file.value.text);
  // Edited, or of another program: as good as none.
  if (!isObject(value) || value.version !== VERSION || value.build !== build) return [];
  const values = Array.isArray(value.values) ? value.values : [];
  return values.length % step === 0 ? values : [];
}
