import { readFileSync } from "node:fs";
import { orNull } from "./fs-error.ts";

/** What `/proc/<pid>/stat` says of a process. */
export interface ProcStat {
  /** Field 2, without its parentheses: at most 15 bytes, the kernel keeps no more. */
  readonly name: string;
  /** Field 3 and those behind it. */
  readonly fields: readonly string[];
}

/** Null where the process is gone, or the system does not tell. */
export function procStat(pid: number): ProcStat | null {
  const text = readProc(`/proc/${pid}/stat`);
  if (text === null) return null;
  // The name may hold blanks and parentheses, so the fields are counted from the last one.
  const end = text.lastIndexOf(")");
  return { name: text.slice(text.indexOf("(") + 1, end), fields: text.slice(end + 2).split(" ") };
}

/** A file of `/proc`; null where there is none, or it may not be read. */
export function readProc(path: string): string | null {
  return orNull(() => readFileSync(path, "utf8"));
}
