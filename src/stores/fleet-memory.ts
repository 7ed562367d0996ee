import { type Stats, statSync } from "node:fs";
import { join } from "node:path";
import type { RoleName } from "../lifecycle/role.ts";
import { writeWhole } from "../platform/atomic-write.ts";
import { errnoOf } from "../platform/fs-error.ts";
import { readText } from "../platform/read-text.ts";
import { type ProjectPaths, roleFiles } from "./paths.ts";

/**
 * What the files of many roles said at the last look, by what they were then. It saves reading and parsing, never the
 * look at the files themselves, and can be deleted at any time. Flat rows in the roles' order: at ten thousand roles
 * every object more is felt.
 */
export interface FleetMemory {
  /** What was remembered of a role whose two files have not changed since; null where that is not sure. */
  readonly recall: (role: RoleName) => readonly unknown[] | null;
  /** What was read after `recall` had looked at the files. */
  readonly remember: (values: readonly unknown[]) => void;
  /** Writes it for the next look, if anything is new. Where it cannot be written the next look is slower, no more. */
  readonly save: () => void;
}

/** The times of change and the numbers and sizes of machine and context file; null for each that is not there. */
type Stamp = readonly (number | null)[];

const VERSION = 1;
/** A hundred thousand roles take half of it. */
const MOST_BYTES = 64 * 1024 * 1024;
/** The role, and a stamp of three numbers for each of its two files. */
const HEAD = 7;

/** `edition`: whose findings these are; another version of this program may find other things in the same file. */
export function openFleetMemory(paths: ProjectPaths, edition: string): FleetMemory {
  const file = join(paths.cache, "status.json");
  const files = roleFiles(paths);
  const before = readRows(file, edition);
  const rows: unknown[][] = [];
  let at = 0;
  let changed = false;
  let current: readonly [RoleName, Stamp] | null = null;
  return {
    recall: (role) => {
      const stamp = [...stampOf(files.machine(role)), ...stampOf(files.context(role))];
      current = [role, stamp];
      // Both are in byte order: what is passed over belongs to roles that are gone.
      while (isBefore(before[at], role)) at += 1;
      const row = before[at];
      if (!Array.isArray(row) || row[0] !== role || !stamp.every((value, index) => row[index + 1] === value))
        return null;
      rows.push(row);
      at += 1;
      return row.slice(HEAD);
    },
    remember: (values) => {
      if (current === null) return;
      rows.push([current[0], ...current[1], ...values]);
      changed = true;
    },
    save: () => {
      if (!changed && rows.length === before.length) return;
      const text = JSON.stringify({ version: VERSION, edition, rows });
      writeWhole(file, text, { mode: 0o600, root: paths.root, folderMode: 0o700 });
    },
  };
}

function isBefore(row: unknown, role: string): boolean {
  return Array.isArray(row) && typeof row[0] === "string" && row[0] < role;
}

/** The time of change cannot be set by a program, so it tells a file that got its old time of writing back from what it was. */
function stampOf(path: string): Stamp {
  let stat: Stats | undefined;
  try {
    stat = statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errnoOf(error) === null) throw error;
  }
  return stat === undefined ? [null, null, null] : [stat.ctimeMs, stat.ino, stat.size];
}

function readRows(path: string, edition: string): readonly unknown[] {
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
  return "rows" in value && Array.isArray(value.rows) ? value.rows : [];
}
