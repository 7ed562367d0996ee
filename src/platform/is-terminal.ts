import { fstatSync } from "node:fs";

/**
 * Whether a person may sit at `fd`: a character device other than the memory devices (`/dev/null`, `/dev/zero`), whose
 * major number is 1 on Linux. `node:tty` would load a module for it.
 */
export function isTerminal(fd: number): boolean {
  const stat = fstatSync(fd);
  return stat.isCharacterDevice() && stat.rdev >> 8 !== 1;
}
