import { readlinkSync, writeSync } from "node:fs";
import { isAbsolute } from "node:path";
import { describeErrno, errnoOf } from "./fs-error.ts";
import { isTerminal } from "./is-terminal.ts";
import { sleepSync } from "./sleep.ts";
import type { Output, World } from "./world.ts";

/** This process as a world. The clock is read once: one run has one time. */
export function processWorld(): World {
  const now = new Date();
  return {
    argv: process.argv.slice(2),
    program: process.argv[1] ?? "",
    system: `node ${process.version}, ${process.platform} ${process.arch}`,
    interpreter: process.execPath,
    env: process.env,
    cwd: currentFolder(),
    stdout: outputTo(1),
    stderr: outputTo(2),
    now: () => now,
  };
}

/** The working directory can have been removed under a running shell; what is above it may still be the project. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    const { PWD = "" } = process.env;
    return isAbsolute(PWD) ? PWD : removedFolder();
  }
}

/** A shell that starts in such a folder, as dash does for a script, leaves PWD empty; Linux knows what it was called. */
function removedFolder(): string {
  try {
    return readlinkSync("/proc/self/cwd").replace(/ \(deleted\)$/, "");
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return "/";
  }
}

/** Synchronous writes: `process.stdout` would load the network modules for a pipe, and lose its end on an early exit. */
function outputTo(fd: number): Output {
  let gone = false;
  let failure: string | null = null;
  return {
    write: (text) => {
      if (gone || text === "") return;
      const bytes = Buffer.from(text);
      for (let offset = 0; offset < bytes.length; ) {
        try {
          offset += writeSync(fd, bytes, offset);
        } catch (error) {
          const code = errnoOf(error);
          if (code === null) throw error;
          if (code !== "EAGAIN") {
            gone = true;
            // EPIPE: nobody reads any more. EBADF: closed from the start. Neither is ours to complain about.
            if (code !== "EPIPE" && code !== "EBADF") failure = describeErrno(code);
            return;
          }
          sleepSync(1);
        }
      }
    },
    isGone: () => gone,
    failure: () => failure,
    isTerminal: () => {
      try {
        return isTerminal(fd);
      } catch {
        return false;
      }
    },
  };
}
