import { closeSync, constants, openSync, readSync } from "node:fs";
import { parsePlainRecord } from "../lifecycle/plain-record.ts";
import { machineName, type RoleName } from "../lifecycle/role.ts";
import type { MachineRecord } from "../lifecycle/snapshot.ts";
import { realPathInside } from "../platform/contain.ts";
import { errnoOf } from "../platform/fs-error.ts";
import { latin1Text } from "../platform/latin1-text.ts";
import { type ProjectPaths, roleFiles } from "./paths.ts";

/** An env file of ours has about 700 bytes; what fills this is none that is read in haste. */
const PLAIN_BYTES = 8 * 1024;

/** Windows has no such flag. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | NO_FOLLOW;

/**
 * Reads the records of many machines: of files as this program writes them, with three calls to the system each. Null
 * for everything else (a link, a pipe, another program's form, one that is broken): `readMachine` tells what it is.
 */
export function recordReader(paths: ProjectPaths): (role: RoleName) => MachineRecord | null {
  if (paths.shared !== undefined) return () => null;
  if (realPathInside(paths.machinesRoot, paths.machines) === null) return () => null;
  const { machine } = roleFiles(paths);
  const buffer = Buffer.allocUnsafe(PLAIN_BYTES);
  return (role) => {
    const length = readInto(buffer, machine(role));
    if (length === 0 || length === PLAIN_BYTES) return null;
    return parsePlainRecord(latin1Text(buffer, 0, length), machineName(role));
  };
}

/** How many bytes were read; 0 where there are none to be had. */
function readInto(buffer: Buffer, path: string): number {
  let fd: number | null = null;
  try {
    fd = openSync(path, FLAGS);
    return readSync(fd, buffer, 0, buffer.length, null);
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return 0;
  } finally {
    if (fd !== null) closeSync(fd);
  }
}
