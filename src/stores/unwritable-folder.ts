import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { plural } from "../base/plural.ts";
import { describeErrno, errnoOf } from "../platform/fs-error.ts";
import { statOf } from "../platform/stat-of.ts";
import { obstacleTo } from "./setup-file.ts";

/** A lock, a state and its history are a block of 4 kB each, and each is written beside the one that it replaces. */
const ROOM_BYTES = 32 * 1024;
/** Each of them is a file for a while, and so is what a hook remembers. */
const ROOM_FILES = 8;

/** Why a folder, or a file, cannot be written to. */
export interface Unwritable {
  /** The end of a sentence that begins with the folder. */
  readonly message: string;
  /** What to do, an order without its full stop; `%` stands for the folders that it is about, where it is about any. */
  readonly way: string;
}

/** Looks at a folder of `root`, or at the nearest one above it that is there; null where it can be written to. */
export function whyUnwritable(folder: string, root: string, shown: (path: string) => string): Unwritable | null {
  // Then from above: a file may stand where `CONFIG_PATH` says.
  const obstacle = obstacleTo({ path: folder, root }, "folder") ?? obstacleTo({ path: folder, root: "/" }, "folder");
  if (obstacle !== null) {
    const { path, message, way } = obstacle;
    const what = path === folder ? message : `cannot be written: ${shown(path)} ${message}`;
    return { message: what, way: way.replace("%", () => shown(path)) };
  }
  let at = folder;
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  return refusal(() => {
    accessSync(at, constants.W_OK | constants.X_OK);
    const { bavail, blocks, bsize, ffree, files } = statfsSync(at);
    // Some file systems do not count.
    if (files > 0 && ffree < ROOM_FILES) {
      return {
        message: `is on a disk with room for ${plural(ffree, "more file")}`,
        way: "Delete files on the disk of %",
      };
    }
    if (blocks === 0 || bavail * bsize >= ROOM_BYTES) return null;
    return { message: `is on a disk with ${bavail * bsize} bytes left`, way: "Free space on the disk of %" };
  });
}

/** What stands where a file of `root` is to be; null for a file, or nothing. */
export function whyNoFile(path: string, root: string): Unwritable | null {
  const obstacle = obstacleTo({ path, root }, "file");
  if (obstacle !== null) return obstacle;
  const stat = statOf(path);
  if (stat === null || stat.isFile()) return null;
  return { message: `is ${stat.isDirectory() ? "a folder" : "no regular file"}, expected a file`, way: "Move % away" };
}

/** As `whyNoFile` of one that is added to. */
export function whyUnwritableFile(path: string, root: string): Unwritable | null {
  const other = whyNoFile(path, root);
  if (other !== null || !existsSync(path)) return other;
  return refusal(() => {
    accessSync(path, constants.R_OK | constants.W_OK);
    return null;
  });
}

function refusal(look: () => Unwritable | null): Unwritable | null {
  try {
    return look();
  } catch (error) {
    const code = errnoOf(error);
    if (code === null) throw error;
    const way =
      code === "EROFS"
        ? "Mount the file system of % so that it can be written"
        : "Give this user the rights to write to %";
    return { message: `cannot be written: ${describeErrno(code)}`, way };
  }
}
