import { chmodSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { sharedLauncher } from "../helpers/program-under-test.ts";
import { runProgram } from "../helpers/run-program.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const ROLE = "oosh-expert";
const CONTEXT = `session/agents/${ROLE}.context.md`;

/** A project like a clone of a stranger's, and a person whose client knows other folders. */
function stranger(): { readonly clone: Workspace; readonly run: (words: string) => void } {
  const clone = makeWorkspace();
  const home = makeWorkspace();
  rmSync(clone.path("context"));
  clone.role(ROLE);
  home.write(".claude.json", JSON.stringify({ projects: { "/elsewhere": { hasTrustDialogAccepted: true } } }));
  const run = (words: string): void => {
    const env = { HOME: home.root };
    expect(runProgram(sharedLauncher(), words.split(" "), { cwd: clone.root, env }).code, words).not.toBe(70);
  };
  return { clone, run };
}

/** A program that tells that it ran. */
function plant(clone: Workspace, name: string): void {
  chmodSync(clone.write(name, `#!/bin/sh\necho ${name} >> '${clone.path("ran")}'\nexit 1\n`), 0o755);
}

test("no program of a folder that the client was not told to trust is run by init or doctor", () => {
  const { clone, run } = stranger();
  run("init --yes");
  for (const name of ["context", "node_modules/.bin/context", "bin/node", ".claude/hooks/session-start.sh"])
    plant(clone, name);
  clone.write(".claude/settings.json", '{ "env": { "PATH": "bin:/usr/bin:/bin" } }');
  run("doctor");
  run("init --check");
  expect(clone.exists("ran")).toBe(false);
});

test("a worktree of a repository that the client trusts is no stranger's, one that says that it is such a worktree is", () => {
  const main = makeWorkspace();
  const git = (...words: string[]): void => {
    const all = ["-c", "user.name=t", "-c", "user.email=t@example.org", ...words];
    expect(runProgram("git", all, { cwd: main.root }).code).toBe(0);
  };
  git("init", "-q");
  git("commit", "-q", "--allow-empty", "-m", "x");
  git("worktree", "add", "-q", "side");
  const home = makeWorkspace();
  home.write(".claude.json", JSON.stringify({ projects: { [main.root]: { hasTrustDialogAccepted: true } } }));
  const clone = makeWorkspace();
  clone.write(".git", main.read("side/.git"));
  for (const [root, trusted] of [
    [main.path("side"), true],
    [clone.root, false],
  ] as const) {
    // Below the main checkout a worktree is in a trusted folder already.
    const cwd = trusted ? join(dirname(main.root), `${basename(main.root)}-side`) : root;
    if (trusted) git("worktree", "move", "side", cwd);
    expect(runProgram(sharedLauncher(), ["init", "--yes"], { cwd, env: { HOME: home.root } }).code).toBe(0);
    const told = runProgram(sharedLauncher(), ["doctor"], { cwd, env: { HOME: home.root } }).stdout;
    expect(told.includes("warn untrusted"), cwd).toBe(!trusted);
    if (trusted) rmSync(cwd, { recursive: true });
  }
});

test("nothing is removed where a link leads that stands in the place of the caches", () => {
  const { clone } = stranger();
  const other = makeWorkspace();
  const past = new Date(Date.now() - 60 * 24 * 3_600_000);
  const names = ["session-start.xml.mine", "mine.memo", ".mine.999999999-a-b.tmp", "mine.corrupt-20250101T000000Z"];
  for (const name of names) utimesSync(other.write(`theirs/${name}`, "x"), past, past);
  symlinkSync(other.path("theirs"), clone.path("session/.cache"));
  const payload = { session_id: "s-1", hook_event_name: "SessionStart", source: "startup", cwd: clone.root };
  const options = { cwd: clone.root, input: JSON.stringify(payload), env: { HIVEMIND_ROLE: ROLE } };
  const ran = runProgram(sharedLauncher(), ["session-start"], options);
  expect(ran.stderr).toContain("a link that leads out of");
  runProgram(sharedLauncher(), ["doctor", "--fix"], { ...options, env: { HOME: other.root } });
  expect(other.list("theirs")).toEqual(names.toSorted());
});

test("no program that a repository's own configuration names is run", () => {
  const { clone, run } = stranger();
  const git = (...words: string[]): string => {
    const ran = runProgram("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...words], {
      cwd: clone.root,
    });
    expect(ran.code).toBe(0);
    return ran.stdout.trim();
  };
  git("init", "-q");
  git("add", "session/agents");
  git("commit", "-qm", "one");
  const blob = git("rev-parse", `HEAD:${CONTEXT}`);
  rmSync(clone.path(`.git/objects/${blob.slice(0, 2)}`), { recursive: true });
  rmSync(clone.path(CONTEXT));
  plant(clone, "evil");
  for (const [key = "", value = ""] of [
    ["core.fsmonitor", clone.path("evil")],
    ["core.repositoryformatversion", "1"],
    ["extensions.partialclone", "origin"],
    ["remote.origin.url", clone.root],
    ["remote.origin.promisor", "true"],
    ["remote.origin.uploadpack", `'${clone.path("evil")}'`],
  ])
    git("config", key, value);
  for (const words of [`recover ${ROLE}`, `lifecycle.save ${ROLE}`, `validate ${ROLE}`, "init --yes", "doctor"])
    run(words);
  expect(clone.exists("ran")).toBe(false);
});
