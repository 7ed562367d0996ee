import { expect, test } from "vitest";
import { machineName } from "../../src/lifecycle/role.ts";
import {
  configPath,
  contextFilePath,
  historyPath,
  inRoot,
  lockPath,
  machinePath,
  projectPaths,
  shownPath,
  skillPaths,
} from "../../src/stores/paths.ts";
import { role } from "./projects.ts";

const ROLE = role("scrum-master");
const paths = projectPaths("/p", {});

test("every file of a role has its place", () => {
  expect(contextFilePath(paths, ROLE)).toBe("/p/session/agents/scrum-master.context.md");
  expect(machinePath(paths, ROLE)).toBe("/p/session/stateMachines/scrum_master.states.env");
  expect(historyPath(paths, machineName(ROLE))).toBe("/p/session/stateMachines/scrum_master.history.jsonl");
  expect(lockPath(machinePath(paths, ROLE))).toBe("/p/session/stateMachines/scrum_master.states.env.lock");
  expect(skillPaths(ROLE)).toEqual([".claude/agents/scrum-master/SKILL.md", ".claude/agents/scrum-master.md"]);
  expect(configPath(paths)).toBe("/p/context.yaml");
});

test("a relative CONFIG_PATH counts from the root, wherever the shell stands", () => {
  const moved = projectPaths("/p", { CONFIG_PATH: "../c/./d" });
  expect(moved).toMatchObject({ machines: "/c/d/stateMachines", machinesRoot: "/c/d" });
});

test("CONFIG_PATH moves the machines and nothing else", () => {
  const moved = projectPaths("/p", { CONFIG_PATH: "/c" });
  expect(machinePath(moved, ROLE)).toBe("/c/stateMachines/scrum_master.states.env");
  expect(moved.machinesRoot).toBe("/c");
  expect(contextFilePath(moved, ROLE)).toBe(contextFilePath(paths, ROLE));
  expect(projectPaths("/p", { CONFIG_PATH: "" })).toEqual(paths);
});

test("a path that a file names counts from the root", () => {
  expect(inRoot(paths, "a/b")).toBe("/p/a/b");
  expect(inRoot(paths, "/x")).toBe("/x");
  expect(inRoot(paths, "../x")).toBe("/x");
});

test("a path is shown from the root where it lies below", () => {
  expect(shownPath(paths, "/p/session/x")).toBe("session/x");
  expect(shownPath(paths, "/p")).toBe("/p");
  expect(shownPath(paths, "/px")).toBe("/px");
  expect(shownPath(paths, "/c/x")).toBe("/c/x");
});
