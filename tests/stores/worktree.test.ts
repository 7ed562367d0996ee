import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readText } from "../../src/platform/read-text.ts";
import { worktreesOf } from "../../src/stores/worktree.ts";
import { cpuTime } from "../helpers/cpu-time.ts";

test("hundreds of worktrees that were deleted, of which git still knows, cost little more than to read what git says", () => {
  const main = mkdtempSync(join(tmpdir(), "worktrees-"));
  onTestFinished(() => rmSync(main, { recursive: true, force: true }));
  const links = Array.from({ length: 1000 }, (_, index) => {
    const entry = join(main, ".git", "worktrees", `task-${index}`);
    mkdirSync(entry, { recursive: true });
    const link = join(entry, "gitdir");
    writeFileSync(link, `${join(main, ".claude", "worktrees", `task-${index}`, ".git")}\n`);
    return link;
  });
  const read = (): unknown => links.map((link) => readText(link, 8192));
  const list = (): readonly string[] => worktreesOf(main);
  expect(list()).toEqual([]);
  read();
  const used = (work: () => unknown): number => {
    const before = cpuTime();
    work();
    return cpuTime() - before;
  };
  const least = (work: () => unknown): number => Math.min(...[1, 2, 3].map(() => used(work)));
  expect(least(list)).toBeLessThan(4 * least(read));
});
