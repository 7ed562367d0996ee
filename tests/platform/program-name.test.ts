import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { programName } from "../../src/platform/process-identity.ts";

/** What Node 24 and 26 call every program. */
const OF_ALL = ["MainThread", "node-MainThread"];

test.each(OF_ALL)("a thread's name is the program's, but for the one that Node gives every program: %s", (name) => {
  expect(programName(process.pid, "claude")).toBe("claude");
  expect(programName(2 ** 31 - 1, name)).toBe(name);
});

test.skipIf(!existsSync("/proc/self/cmdline")).each(OF_ALL)(
  "what the system calls %s is named as it was started",
  async (name) => {
    const folder = mkdtempSync(join(tmpdir(), "context é name "));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const program = join(folder, name);
    symlinkSync(process.execPath, program);
    const child = spawn(program, ["-e", "process.stdin.resume(); console.log('up')"], {
      argv0: join(folder, "claude"),
      stdio: ["pipe", "pipe", "inherit"],
    });
    const ended = once(child, "close");
    try {
      await once(child.stdout, "data");
      expect(programName(child.pid ?? 0, name)).toBe("claude");
    } finally {
      child.stdin.end();
      await ended;
    }
  },
);
