import { fchownSync, lchownSync, statSync } from "node:fs";
import { orNull } from "./fs-error.ts";

/**
 * What root makes in a folder is given to whom that belongs: what `sudo` or a container had saved, that user could not read any
 * more. An open file by its number: its name could be another's by now.
 */
export function giveToOwner(file: number | string, folder: string): void {
  if (process.geteuid?.() !== 0) return;
  // Some mounts keep no owners.
  orNull(() => {
    const { uid, gid } = statSync(folder);
    if (typeof file === "number") fchownSync(file, uid, gid);
    else lchownSync(file, uid, gid);
  });
}
