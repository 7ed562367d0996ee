import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Numbers of Linux, as `errno.h` has them. */
const ERRNO = { EPERM: 1, EIO: 5, EACCES: 13, EINVAL: 22, EMFILE: 24, ENOSPC: 28, EROFS: 30, killed: 0 } as const;

export type FaultName = keyof typeof ERRNO;
/** A call of the C library; `change` is any that changes a file. */
export type FaultCall =
  | "open"
  | "read"
  | "write"
  | "fsync"
  | "chmod"
  | "rename"
  | "link"
  | "unlink"
  | "mkdir"
  | "change";

/** The compiled shim, or null where there is no compiler or no Linux. */
export function buildShim(
  source = fileURLToPath(new URL("shim.c", import.meta.url)),
): { readonly path: string; readonly remove: () => void } | null {
  if (process.platform !== "linux") return null;
  const folder = mkdtempSync(join(tmpdir(), "context-shim-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const path = join(folder, "shim.so");
  if (spawnSync("cc", ["-shared", "-fPIC", "-O1", "-o", path, source, "-ldl"]).status === 0) return { path, remove };
  remove();
  return null;
}

/** The environment in which `call` fails below `root`, from its `at`th time on. */
export function faultEnv(
  shim: string,
  root: string,
  { call, name, at = 1 }: { readonly call: FaultCall; readonly name: FaultName; readonly at?: number },
): Readonly<Record<string, string>> {
  return {
    LD_PRELOAD: shim,
    FAULT_ROOT: `${root}/`,
    FAULT_CALL: call,
    FAULT_ERRNO: String(ERRNO[name]),
    FAULT_AT: String(at),
  };
}
