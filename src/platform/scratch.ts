import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { err, ok, type Result } from "../base/result.ts";
import { describeErrno, isFsError } from "./fs-error.ts";
import { beforeStop } from "./stop-signals.ts";

interface NoFolder {
  readonly message: string;
  readonly hint: string;
}

/**
 * What `work` gives in a new folder, which is gone when it is done, when it throws, and when a signal ends this process.
 * Where it cannot be removed it stays with the system's other temporary files: that takes nothing from what was found.
 */
export async function inScratch<T>(prefix: string, work: (folder: string) => Promise<T>): Promise<Result<T, NoFolder>> {
  let folder: string | null = null;
  const remove = (): void => {
    try {
      if (folder !== null) rmSync(folder, { recursive: true, force: true });
    } catch {
      // No more files may be opened, or a program that a hook left behind writes there still. Newer versions of Node throw no `errno` here.
    }
  };
  // First: a signal between the two would leave the folder.
  const release = beforeStop(remove);
  try {
    const made = makeScratch(prefix);
    if (!made.ok) return made;
    folder = made.value;
    return ok(await work(folder));
  } catch (error) {
    // A disk that is full, say; anything else that fails is a fault of ours.
    if (folder === null || !isFsError(error) || !error.message.includes(folder)) throw error;
    return unusable(`${folder} cannot be written: ${describeErrno(error.code)}.`);
  } finally {
    release();
    remove();
  }
}

/** Where temporary files go, or in /tmp where `TMPDIR` names no such place. */
function makeScratch(prefix: string): Result<string, NoFolder> {
  for (const folder of [tmpdir(), "/tmp"]) {
    try {
      return ok(mkdtempSync(join(folder, prefix)));
    } catch (error) {
      if (!isFsError(error)) throw error;
    }
  }
  return unusable(`No folder can be made in ${tmpdir()} or /tmp.`);
}

function unusable(message: string): Result<never, NoFolder> {
  return err({ message, hint: "Name a folder that can be written in TMPDIR." });
}
