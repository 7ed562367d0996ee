import fs, { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { worktreesOf } from "../../src/stores/worktree.ts";

/** The file system's functions that `work` called and that failed: each such error takes as long as ten calls. */
function failures(work: () => void): readonly string[] {
  const failed: string[] = [];
  const real = Object.entries(fs).flatMap(([name, call]) =>
    name.endsWith("Sync") && typeof call === "function" ? [[name, call] as const] : [],
  );
  const watched = real.map(([name, call]) => {
    const apply = (target: typeof call, self: unknown, given: unknown[]): unknown => {
      try {
        return Reflect.apply(target, self, given);
      } catch (error) {
        failed.push(name);
        throw error;
      }
    };
    return [name, new Proxy(call, { apply })];
  });
  const put = (calls: object) => {
    Object.assign(fs, calls);
    syncBuiltinESMExports();
  };
  put(Object.fromEntries(watched));
  try {
    work();
  } finally {
    put(Object.fromEntries(real));
  }
  return failed;
}

test("hundreds of worktrees that were deleted, of which git still knows, cost little more than to read what git says", () => {
  const main = mkdtempSync(join(tmpdir(), "context-worktrees-"));
  onTestFinished(() => rmSync(main, { recursive: true, force: true }));
  for (let index = 0; index < 300; index += 1) {
    const entry = join(main, ".git", "worktrees", `task-${index}`);
    mkdirSync(entry, { recursive: true });
    writeFileSync(join(entry, "gitdir"), `${join(main, ".claude", "worktrees", `task-${index}`, ".git")}\n`);
  }
  expect(failures(() => expect(worktreesOf(main)).toEqual([]))).toEqual([]);
  expect(failures(() => expect(worktreesOf(join(main, "none"))).toEqual([]))).not.toEqual([]);
});
