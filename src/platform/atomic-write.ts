import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, unlinkSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { err, ok, type Result } from "../base/result.ts";
import { realPathInside } from "./contain.ts";
import { describeErrno, errnoOf, isFsError, orNull } from "./fs-error.ts";
import { giveToOwner } from "./give-to-owner.ts";
import { makeFolders } from "./make-folders.ts";
import { uniqueToken } from "./process-identity.ts";
import { sweepAbandoned } from "./sweep.ts";

export interface WriteError {
  readonly path: string;
  /** What went wrong, as the end of a sentence that begins with the path. */
  readonly message: string;
  /** The errno, such as `ENOSPC`, where the system refused it. */
  readonly code?: string;
}

export interface WriteOptions {
  /** Permission bits of a new file; an existing file's own bits are the caller's to pass. */
  readonly mode: number;
  /** The folder that a link may not lead out of. */
  readonly root: string;
  /** Permission bits of folders that have to be made. */
  readonly folderMode?: number;
  /**
   * False for what can be made again and is checked when it is read: after a power loss such a file may be empty or hold
   * zeros, and a flush costs as much as all the rest of a write, or many times that. The name is not flushed:
   * a power loss within seconds may bring the old file back, whole.
   */
  readonly durable?: boolean;
  /** Where root writes it, it belongs to whom this does; without one, to whom its folder does. */
  readonly like?: string | undefined;
  /** False for a folder of thousands of files, which would be listed at each writing; its owner sweeps it. */
  readonly sweep?: boolean;
}

/**
 * Writes a whole file or nothing: a temporary file in the same folder, flushed to the disk, renamed over the old one. What
 * killed writers of the same file left is removed, a minute after.
 */
export function writeWhole(
  path: string,
  content: string | Uint8Array,
  options: WriteOptions,
): Result<void, WriteError> {
  const written = writeWholeIf(path, content, options, () => true);
  return written.ok ? ok(undefined) : written;
}

/**
 * As `writeWhole`, with a last question: `isStillWanted` is asked when the bytes are on the disk, right before the temporary
 * file, whose path it gets, is renamed. Where it says no, the file stays as it is and the value is false.
 */
export function writeWholeIf(
  path: string,
  content: string | Uint8Array,
  options: WriteOptions,
  isStillWanted: (temporary: string) => boolean,
): Result<boolean, WriteError> {
  const target = realPathInside(options.root, path);
  if (target === null) return err({ path, message: `is a link that leads out of ${options.root}; it is not written` });
  const folder = dirname(target);
  const temporary = join(folder, `${temporaryPrefix(target)}${uniqueToken()}.tmp`);
  let fd: number | null = null;
  try {
    makeFolders(folder, options.folderMode);
    const written = openSync(temporary, "wx", options.mode);
    fd = written;
    // Some mounts refuse it: they keep no such bits, and others than asked for above are none to fail for.
    orNull(() => fchmodSync(written, options.mode));
    // Root trusts no other's where it can be made again.
    if (options.durable !== false) giveToOwner(written, options.like ?? folder);
    writeAll(written, typeof content === "string" ? Buffer.from(content) : content);
    // Without it a power loss after the rename can leave a file of the right name and no bytes.
    if (options.durable !== false) flush(written);
    // Not to be closed again where closing fails: the number may be another file's by then.
    fd = null;
    closeSync(written);
    const wanted = isStillWanted(temporary);
    if (wanted) renameSync(temporary, target);
    else tryUnlink(temporary);
    if (options.sweep !== false) sweepAbandoned(folder, basename(target), new Date());
    return ok(wanted);
  } catch (error) {
    if (fd !== null) closeSync(fd);
    tryUnlink(temporary);
    return err(writeError(path, error));
  }
}

/** Temporary files of `path` begin with this name: what is left of a killed writer can be told from another file's. */
export function temporaryPrefix(path: string): string {
  return `.${basename(path)}.`;
}

/** Writes every byte, however many calls it takes: at `position`, or where the file stands. */
export function writeAll(fd: number, bytes: Uint8Array, position: number | null = null): void {
  let written = 0;
  while (written < bytes.length) {
    const at = position === null ? null : position + written;
    written += writeSync(fd, bytes, written, bytes.length - written, at);
  }
}

const NO_FLUSH = new Set(["EINVAL", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"]);

/** Has the bytes of an open file written to the disk, but where its file system can do nothing of the kind, as some mounts. */
export function flush(fd: number): void {
  try {
    fsyncSync(fd);
  } catch (error) {
    if (!NO_FLUSH.has(errnoOf(error) ?? "")) throw error;
  }
}

/** What the system refused: `done` is what could not be done to the file, as `written`. Throws what is no such refusal. */
export function writeError(path: string, error: unknown, done = "written"): WriteError {
  if (!isFsError(error)) throw error;
  return { path, message: `cannot be ${done}: ${describeErrno(error.code)}`, code: error.code };
}

/** Makes one change to a file or folder; `done` as in `writeError`. */
export function attempt(path: string, done: string, change: () => void): Result<void, WriteError> {
  try {
    change();
    return ok(undefined);
  } catch (error) {
    return err(writeError(path, error, done));
  }
}

/** Where it fails, the file was never made or is gone already; or a folder without rights keeps it, and an earlier error said so. */
export function tryUnlink(path: string): void {
  orNull(() => unlinkSync(path));
}
