import { expect, test } from "vitest";
import { fileKey } from "../../src/gate/file-key.ts";

test.each([
  ["/w/acme", "/w/acme/a/b.md", "a/b.md"],
  ["/w/acme/", "/w/acme/a/b.md", "a/b.md"],
  ["/w/acme", "/w/acme2/a/b.md", "/w/acme2/a/b.md"],
  ["/w/acme", "/elsewhere/b.md", "/elsewhere/b.md"],
  ["/w/acme", "/w/acme/.claude/worktrees/fix-1/a/b.md", "a/b.md"],
  ["/w/acme", "/w/acme/.claude/worktrees/readme.md", ".claude/worktrees/readme.md"],
  ["/w/acme", "/w/acme/.claude/agents/x/SKILL.md", ".claude/agents/x/SKILL.md"],
  ["/w/acme", "/w/acme/x/.claude/worktrees/fix-1/b.md", "x/.claude/worktrees/fix-1/b.md"],
  ["/w/acme", "/w/acme/a\\b.md", "a\\b.md"],
  ["/w/acme", "/w/acme/ab:\\c.md", "ab:\\c.md"],
  ["C:\\w\\acme", "C:\\w\\acme\\a\\b.md", "a/b.md"],
  ["/", "/a/b.md", "a/b.md"],
])("in %s, %s is %s", (root, path, key) => {
  expect(fileKey(root, path)).toBe(key);
});
