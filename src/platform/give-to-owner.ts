import { closeSync, constants, fchownSync, fstatSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { orNull } from "./fs-error.ts";

/**
 * What root makes in a folder is given to whom that belongs: what `sudo` or a container had saved, that user could not read any
 * more. An open file by its number: its name could be another's by now.
 */
export function giveToOwner(fd: number, folder: string): void {
  if (process.geteuid?.() !== 0) return;
  // Some mounts keep no owners.
  orNull(() => {
    const { uid, gid } = statSync(folder);
    fchownSync(fd, uid, gid);
  });
}

/**
 * The same of a folder just made. Its name could be a link by now, or a file of the system's: none of these is opened. Or
 * another folder of root's: that is older.
 */
export function giveFolderToOwner(path: string): void {
  const fd = orNull(() => openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW));
  if (fd === null) return;
  if (Date.now() - fstatSync(fd).mtimeMs < JUST_MS) giveToOwner(fd, dirname(path));
  closeSync(fd);
}

/** Clocks of a disk go in steps. */
const JUST_MS = 2000;
