import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { type RootQuery, resolveRoot } from "../../src/stores/root.ts";
import { remove, temporaryFolder } from "../platform/scripts.ts";

let top = "";
const at = (path: string) => join(top, path);

beforeEach(() => {
  top = realpathSync(temporaryFolder());
  for (const path of [
    "option",
    "context",
    "claude",
    "plain/deep",
    "home/code",
    "project/session/agents",
    "project/a/b",
    "git/.git",
    "git/a",
    "client/.claude",
    "client/a",
  ])
    mkdirSync(at(path), { recursive: true });
  return () => remove(top);
});

function root(query: Partial<RootQuery>): string {
  const result = resolveRoot({ option: undefined, env: { HOME: at("home") }, cwd: at("plain"), hook: false, ...query });
  return result.ok ? result.value.replace(`${top}/`, "") : `error: ${result.error.replace(`${top}/`, "")}`;
}

const env = (values: Record<string, string>) => ({ HOME: at("home"), ...values });

test("the option comes first, then CONTEXT_ROOT, then for a hook CLAUDE_PROJECT_DIR, then the project around, then the folder", () => {
  const all = env({ CONTEXT_ROOT: at("context"), CLAUDE_PROJECT_DIR: at("claude") });
  const cwd = at("project/a/b");
  expect(root({ cwd, option: at("option"), env: all, hook: true })).toBe("option");
  expect(root({ cwd, env: all, hook: true })).toBe("context");
  expect(root({ cwd, env: env({ CLAUDE_PROJECT_DIR: at("claude") }), hook: true })).toBe("claude");
  expect(root({ cwd, env: env({ CLAUDE_PROJECT_DIR: at("claude") }), hook: false })).toBe("project");
  expect(root({ cwd })).toBe("project");
  expect(root({ cwd: at("plain/deep") })).toBe("plain/deep");
});

test("where the working directory is in no project, a hook's is the one in which its client says that the agent stands", () => {
  const stands = at("project/a/b");
  expect(root({ stands, hook: true })).toBe("project");
  expect(root({ stands, hook: true, cwd: at("git/a") })).toBe("git");
  expect(root({ stands, hook: true, env: env({ CLAUDE_PROJECT_DIR: at("claude") }) })).toBe("claude");
  for (const other of [at("plain/deep"), at("project/gone"), "", null]) {
    expect(root({ stands: other, hook: true })).toBe("plain");
  }
});

test("what is named empty is not named", () => {
  const cwd = at("project");
  expect(root({ cwd, option: "", env: env({ CONTEXT_ROOT: "", CLAUDE_PROJECT_DIR: "" }), hook: true })).toBe("project");
});

test("a relative name counts from the working directory", () => {
  expect(root({ option: "../option" })).toBe("option");
  expect(root({ env: env({ CONTEXT_ROOT: "../context/" }) })).toBe("context");
});

test("a name that is no folder is refused and not passed over", () => {
  writeFileSync(at("file"), "");
  expect(root({ option: at("nowhere") })).toBe("error: --root names nowhere, which is no folder.");
  expect(root({ option: at("file") })).toBe("error: --root names file, which is no folder.");
  expect(root({ option: at("file/x") })).toBe("error: --root names file/x, which is no folder.");
  expect(root({ env: env({ CONTEXT_ROOT: at("nowhere") }) })).toBe(
    "error: CONTEXT_ROOT names nowhere, which is no folder.",
  );
  const gone = { env: env({ CLAUDE_PROJECT_DIR: at("nowhere") }), hook: true };
  expect(root(gone)).toBe("error: CLAUDE_PROJECT_DIR names nowhere, which is no folder.");
});

test.each([
  ["project/a/b", "project"],
  ["project/session/agents", "project"],
  ["git/a", "git"],
  ["client/a", "client"],
  ["client", "client"],
])("from %s the nearest mark upwards is in %s", (cwd, expected) => {
  expect(root({ cwd: at(cwd) })).toBe(expected);
});

test("the nearest mark counts, whichever it is; a worktree's file is one", () => {
  mkdirSync(at("project/a/inner"));
  writeFileSync(at("project/a/inner/.git"), "gitdir: x\n");
  expect(root({ cwd: at("project/a/inner") })).toBe("project/a/inner");
});

test("the home folder's settings do not make it a project, its own project does", () => {
  mkdirSync(at("home/.claude"));
  expect(root({ cwd: at("home/code") })).toBe("home/code");
  expect(root({ cwd: at("home") })).toBe("home");
  mkdirSync(at("home/code/.claude"));
  expect(root({ cwd: at("home/code") })).toBe("home/code");
  mkdirSync(at("home/other"));
  expect(root({ cwd: at("home/other") })).toBe("home/other");
  mkdirSync(at("home/session/agents"), { recursive: true });
  expect(root({ cwd: at("home/other") })).toBe("home");
});

test.each(["home/", "link-to-home", "home/../home"])(
  "the home folder is known by what it is, not by its name: %s",
  (home) => {
    mkdirSync(at("home/.claude"));
    symlinkSync(at("home"), at("link-to-home"));
    expect(root({ cwd: at("home/code"), env: { HOME: `${top}/${home}` } })).toBe("home/code");
  },
);

test("a folder that is gone has no project around it but those above", () => {
  expect(root({ cwd: at("project/gone/deep") })).toBe("project");
  expect(root({ cwd: at("plain/gone") })).toBe("error: There is no folder plain/gone any more.");
});
