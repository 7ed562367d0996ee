/** What a file system call throws; `code` is the errno name, such as `ENOENT`. */
export type FsError = Error & { readonly code: string };

export function isFsError(error: unknown): error is FsError {
  return error instanceof Error && "code" in error && typeof error.code === "string" && /^E[A-Z0-9]+$/.test(error.code);
}

/** The errno name of a file system error, or null for anything else. */
export function errnoOf(error: unknown): string | null {
  return isFsError(error) ? error.code : null;
}

/** What a call of the file system gives; null where the system refuses it. Anything else that it throws is a fault of ours. */
export function orNull<T>(call: () => T): T | null {
  try {
    return call();
  } catch (error) {
    if (!isFsError(error)) throw error;
    return null;
  }
}

const SENTENCES: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  ENOENT: "no such file or folder",
  ENOTDIR: "a part of the path is not a folder",
  EISDIR: "it is a folder",
  ENOSPC: "no space left on the device",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file would be larger than allowed",
  EROFS: "the file system is read-only",
  EMFILE: "too many open files",
  ENFILE: "too many open files on this system",
  ELOOP: "too many symbolic links",
  ENAMETOOLONG: "the name is too long",
  EIO: "an input/output error",
  EBUSY: "it is a mount of its own, or in use",
  EXDEV: "the link crosses file systems",
  ENXIO: "nothing reads the other end of the pipe",
};

/** An errno as a person reads it: `permission denied (EACCES)`. */
export function describeErrno(code: string): string {
  const sentence = SENTENCES[code];
  return sentence === undefined ? code : `${sentence} (${code})`;
}
