import { lstatSync, readdirSync } from "node:fs";
import { parse } from "node:path";
import { err, ok, type Result } from "../base/result.ts";
import { realPathInside } from "../platform/contain.ts";
import { describeErrno, isFsError } from "../platform/fs-error.ts";

/** Names in a folder in byte order, the same on every file system; none where the folder does not exist. */
export function listFolder(path: string): Result<readonly string[], { path: string; message: string }> {
  try {
    const names = readdirSync(path);
    // What is plain ASCII is in byte order by its characters too, and ten thousand names are compared a hundred thousand times.
    return ok(names.every((name) => /^[\u0000-\u007F]*$/.test(name)) ? names.sort() : names.sort(byteOrder));
  } catch (error) {
    if (!isFsError(error)) throw error;
    if (error.code === "ENOENT") {
      // A disk that is not mounted: what is behind the link is not to be seen, and is not nothing.
      if (realPathInside(parse(path).root, path) !== null) return ok([]);
      const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
      return err({ path, message: isLink ? "is a link to nothing" : "lies behind a link to nothing" });
    }
    return err({ path, message: `cannot be listed: ${describeErrno(error.code)}` });
  }
}

function byteOrder(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
