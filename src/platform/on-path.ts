import { accessSync, constants, existsSync } from "node:fs";
import { basename, delimiter, dirname } from "node:path";
import { isFsError } from "./fs-error.ts";

/**
 * The file that a shell with this PATH starts by the name; null where there is none. `npm run` and `npx` put the folders of
 * packages on the PATH, and Yarn one of its own that goes with what it runs: what they start has them, and no shell of a person's.
 */
export function findOnPath(name: string, path: string): string | null {
  for (const folder of path.split(delimiter)) {
    const candidate = `${folder}/${name}`;
    if (folder !== "" && isRunnable(candidate) && !holdsPackages(folder)) return candidate;
  }
  return null;
}

function holdsPackages(folder: string): boolean {
  const name = basename(folder);
  return (name === ".bin" && basename(dirname(folder)) === "node_modules") || /^xfs-[0-9a-f]{8}$/.test(name);
}

/** A file that this user may run. Asked for without a look at its numbers, and without an error where it is not there: hooks ask. */
export function isRunnable(path: string): boolean {
  // A folder may be entered by the same right; a file has nothing below it.
  if (!existsSync(path) || existsSync(`${path}/.`)) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    if (isFsError(error)) return false;
    throw error;
  }
}
