import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { readGitHead } from "../../src/platform/git.ts";
import { remove, temporaryFolder } from "./scripts.ts";

let folder = "";
let repo = "";

beforeEach(() => {
  folder = temporaryFolder();
  repo = join(folder, "repo");
  mkdirSync(repo);
  return () => remove(folder);
});

function git(cwd: string, ...args: string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
  const env = { PATH: process.env.PATH ?? "", HOME: folder, GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", [...identity, ...args], { cwd, env, stdio: ["ignore", "pipe", "ignore"] })
    .toString()
    .trim();
}

function init(): void {
  git(repo, "init", "-q", "-b", "main");
  commit("one");
}

const commit = (message: string) => git(repo, "commit", "-q", "--allow-empty", "-m", message);
const head = () => git(repo, "rev-parse", "HEAD");

test("no repository", () => {
  expect(readGitHead(folder)).toBeNull();
  expect(readGitHead(join(folder, "not", "there"))).toBeNull();
});

test("before the first commit there is a branch and no commit", () => {
  git(repo, "init", "-q", "-b", "main");
  expect(readGitHead(repo)).toEqual({ branch: "main", commit: null });
});

test("on a branch, also from a folder below", () => {
  init();
  mkdirSync(join(repo, "a", "b"), { recursive: true });
  expect(readGitHead(repo)).toEqual({ branch: "main", commit: head() });
  expect(readGitHead(join(repo, "a", "b"))).toEqual({ branch: "main", commit: head() });
});

test("a branch whose name holds slashes, dots and more", () => {
  init();
  git(repo, "checkout", "-q", "-b", "feature/é-1.2/x@y'z");
  commit("two");
  expect(readGitHead(repo)).toEqual({ branch: "feature/é-1.2/x@y'z", commit: head() });
});

test("a detached head has no branch", () => {
  init();
  git(repo, "checkout", "-q", "--detach");
  expect(readGitHead(repo)).toEqual({ branch: null, commit: head() });
});

test("packed references, also beside branches whose names end alike, and a tag's further line", () => {
  init();
  git(repo, "branch", "x/main");
  commit("two");
  git(repo, "tag", "-a", "-m", "t", "main-tag");
  git(repo, "pack-refs", "--all");
  expect(readFileSync(join(repo, ".git", "packed-refs"), "utf8")).toContain("^");
  expect(readGitHead(repo)).toEqual({ branch: "main", commit: head() });
});

test("a loose reference counts before the packed one", () => {
  init();
  git(repo, "pack-refs", "--all");
  commit("two");
  expect(readGitHead(repo)).toEqual({ branch: "main", commit: head() });
});

test("a worktree is on its own branch, though its references lie in the main checkout", () => {
  init();
  const tree = join(repo, ".claude", "worktrees", "x-y");
  git(repo, "worktree", "add", "-q", "-b", "side", tree);
  const env = { cwd: tree };
  git(env.cwd, "commit", "-q", "--allow-empty", "-m", "side");
  expect(readGitHead(tree)).toEqual({ branch: "side", commit: git(tree, "rev-parse", "HEAD") });
  expect(readGitHead(repo)).toEqual({ branch: "main", commit: head() });
  git(repo, "pack-refs", "--all");
  expect(readGitHead(tree)?.commit).toBe(git(tree, "rev-parse", "HEAD"));
});

test("a submodule's file names its folder by a relative path", () => {
  init();
  const inner = join(repo, "inner");
  mkdirSync(inner);
  mkdirSync(join(repo, ".git", "modules"));
  git(repo, "init", "-q", "-b", "main", "--separate-git-dir", join(repo, ".git", "modules", "inner"), "inner");
  git(inner, "commit", "-q", "--allow-empty", "-m", "inner");
  writeFileSync(join(inner, ".git"), "gitdir: ../.git/modules/inner\n");
  expect(readGitHead(inner)).toEqual({ branch: "main", commit: git(inner, "rev-parse", "HEAD") });
});

test("an empty folder of that name is passed over, as git does", () => {
  init();
  mkdirSync(join(repo, "sub", ".git"), { recursive: true });
  expect(readGitHead(join(repo, "sub"))).toEqual({ branch: "main", commit: head() });
});

test.each([
  ["an empty head", "HEAD", ""],
  ["a head of rubbish", "HEAD", "\0\x01 rubbish"],
  ["a head that climbs out", "HEAD", "ref: ../../secret\n"],
  ["the head of another format of references", "HEAD", "ref: refs/heads/.invalid\n"],
])("nothing is made up from %s", (_name, file, text) => {
  init();
  writeFileSync(join(repo, ".git", file), text);
  const found = readGitHead(repo);
  expect(found?.branch ?? null).toBeNull();
  expect(found?.commit ?? null).toBeNull();
});

test.each(["rubbish", "ref: refs/heads/main", "0123"])(
  "no commit is made up from a reference that holds %j",
  (text) => {
    init();
    writeFileSync(join(repo, ".git", "refs", "heads", "main"), text);
    expect(readGitHead(repo)).toEqual({ branch: "main", commit: null });
  },
);

test("a pipe and a file that leads nowhere are not waited for", () => {
  init();
  rmSync(join(repo, ".git", "HEAD"));
  execFileSync("mkfifo", [join(repo, ".git", "HEAD")]);
  expect(readGitHead(repo)).toBeNull();
  mkdirSync(join(folder, "w"));
  for (const text of ["", "gitdir:\n", "gitdir: /nonexistent/x\n", "hello\n"]) {
    writeFileSync(join(folder, "w", ".git"), text);
    expect(readGitHead(join(folder, "w"))).toBeNull();
  }
});

test("a file of git's that is larger than any is not read: it would take gigabytes, and end the hook", () => {
  init();
  truncateSync(join(repo, ".git", "HEAD"), 2 ** 30);
  expect(readGitHead(repo)).toBeNull();
});
