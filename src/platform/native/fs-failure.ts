import "./host.ts";

/** What Node says of the failures that people see. */
const SENTENCES: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EBADF: "bad file descriptor",
  EEXIST: "file already exists",
  EISDIR: "illegal operation on a directory",
  ELOOP: "too many symbolic links encountered",
  ENOENT: "no such file or directory",
  ENOSPC: "no space left on device",
  ENOTDIR: "not a directory",
  ENOTEMPTY: "directory not empty",
  EPERM: "operation not permitted",
  EROFS: "read-only file system",
  EXDEV: "cross-device link not permitted",
};

/** What a call of `node:fs` throws: `result` is a negative errno. One without a name here is for Node to report. */
export function failure(result: number, syscall: string, path?: string): Error {
  const code = host.errno(-result);
  if (code === undefined) return host.handOver();
  const place = path === undefined ? "" : ` '${path}'`;
  const error = new Error(`${code}: ${SENTENCES[code] ?? "failed"}, ${syscall}${place}`);
  return Object.assign(error, { errno: result, code, syscall, ...(path === undefined ? {} : { path }) });
}

/** A path as the system takes it: a NUL would end it early, so Node refuses one, with a code that is no errno. */
export function pathOf(path: string): string {
  if (!path.includes("\0")) return path;
  const error = new TypeError("The argument 'path' must be a string, Uint8Array, or URL without null bytes.");
  throw Object.assign(error, { code: "ERR_INVALID_ARG_VALUE" });
}
