import { statOf } from "./stat-of.ts";

/** A file's size now, in bytes; null where there is no such file, or it cannot be looked at. */
export function fileSize(path: string): number | null {
  const stat = statOf(path);
  return stat?.isFile() === true ? stat.size : null;
}
