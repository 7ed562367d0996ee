import { rmSync } from "node:fs";

/**
 * Removes a folder with all that is in it, also while a process that was asked to end writes a last file there: Node's own
 * retries ask for the folder alone again, and fail each time at what came in meanwhile.
 */
export function removeFolder(path: string): void {
  for (let tries = 1; ; tries += 1) {
    try {
      rmSync(path, { recursive: true, force: true });
      return;
    } catch (error) {
      if (tries === 20) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
  }
}
