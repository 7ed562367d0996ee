import { describe, expect, it } from "vitest";
import type { Activity } from "../../src/transcript/activity.ts";
import { activityText } from "../../src/transcript/activity-text.ts";
import { bareSkillName, skillOf, toolPaths, toolTalk } from "../../src/transcript/tool-paths.ts";
import { Session } from "./helpers.ts";

function only(session: Session): Activity {
  const [activity] = session.activities();
  if (activity === undefined) throw new Error("expected an activity");
  return activity;
}

function call(name: string, input: object): Extract<Activity, { readonly kind: "tool-call" }> {
  const activity = only(new Session().call(name, input));
  if (activity.kind !== "tool-call") throw new Error("expected a call");
  return activity;
}

function prompt(text: string, patterns: readonly RegExp[] = []): string {
  return activityText(only(new Session().prompt(text)), patterns);
}

describe("an activity in one line", () => {
  it("names a call with what it is for, in a fixed order", () => {
    const input = {
      prompt: "9",
      description: "8",
      args: "7",
      path: "6",
      pattern: "5",
      skill: "4",
      command: "3",
      notebook_path: "2",
      file_path: "1",
      other: "x",
    };
    expect(activityText(call("Tool", input))).toBe("Tool 1 2 3 4 5 6 7 8 9");
    expect(activityText(call("Tool", { file_path: 3 }))).toBe("Tool");
  });

  it.each([
    [new Session().slash("lab", "Bob  and\nAnn"), "/lab Bob and Ann"],
    [new Session().slash("lab"), "/lab"],
    [new Session().prompt(" a\n\n b\t"), "a b"],
    [new Session().add({ type: "user", isCompactSummary: true, message: { content: "So far." } }), "So far."],
  ])("tells what happened: %#", (session, expected) => {
    expect(activityText(only(session))).toBe(expected);
  });

  it("is cut behind 119 characters, not within a pair", () => {
    expect(prompt("a".repeat(120))).toBe("a".repeat(120));
    expect(prompt("a".repeat(121))).toBe(`${"a".repeat(119)}…`);
    expect(prompt(`${"a".repeat(118)}🚀bc`)).toBe(`${"a".repeat(118)}…`);
    expect(prompt(`${"a".repeat(117)}🚀bcd`)).toBe(`${"a".repeat(117)}🚀…`);
    expect(prompt(` ${"a".repeat(120)} `)).toBe("a".repeat(120));
  });

  it("shows no secret, also one that the cut would split, nor one of a person's own kind", () => {
    const key = `ghp_${"a1".repeat(30)}`;
    expect(prompt(`${"x".repeat(90)} ${key}`)).toBe(`${"x".repeat(90)} [REDACTED:github-token]`);
    expect(prompt("acme-1", [/acme-[0-9]/g])).toBe("[REDACTED:custom]");
  });

  it("is made from the first 4 096 characters", () => {
    expect(prompt(`${" ".repeat(4095)}ab`)).toBe("a");
  });
});

describe("the paths of a call", () => {
  it.each([
    ["Read", { file_path: "a" }, ["a"]],
    ["Edit", { file_path: "a" }, ["a!"]],
    ["Write", { file_path: "a" }, ["a!"]],
    ["MultiEdit", { file_path: "a" }, ["a!"]],
    ["NotebookEdit", { notebook_path: "a" }, ["a!"]],
    ["Other", { path: "c", notebook_path: "b", file_path: "a", folder: "d" }, ["a", "b", "c"]],
    ["Bash", { command: "cat a" }, ["a"]],
    ["PowerShell", { command: "cat a" }, ["a"]],
    ["Bash", {}, []],
    ["Glob", { pattern: "*.ts" }, ["*.ts"]],
    ["Glob", { pattern: "*.ts", path: "a" }, ["a", "a/*.ts"]],
    ["Glob", { pattern: "/b/*.ts", path: "a" }, ["a", "/b/*.ts"]],
    ["Grep", { pattern: "x/y", glob: "*.ts" }, ["*.ts"]],
    ["Grep", { pattern: "x/y", path: "a" }, ["a"]],
    ["Other", { pattern: "x", glob: "y" }, []],
    ["Agent", { path: "a" }, []],
    ["Task", { path: "a" }, []],
    ["TodoWrite", { path: "a" }, []],
    ["TaskCreate", { path: "a" }, []],
    ["TaskUpdate", { path: "a" }, []],
    ["Skill", { path: "a" }, []],
    ...["write", "edit", "create", "move", "delete", "append"].map((verb): [string, object, readonly string[]] => [
      `mcp__fs__${verb}_file`,
      { path: "a" },
      ["a!"],
    ]),
    ["mcp__fs__read_file", { path: "a" }, ["a"]],
    ["mcp__credit__read_file", { path: "a" }, ["a"]],
    ["mcp__serena__find_symbol", { relative_path: "a" }, ["a"]],
    ["mcp__serena__replace_symbol_body", { relative_path: "a" }, ["a!"]],
    ["x__mcp__write", { path: "a" }, ["a"]],
  ])("%s with %j works on %j", (name, input, expected) => {
    const found = toolPaths(call(name, input), "/w", { root: "/r", home: null });
    expect(found.map(({ path, writes }) => `${path}${writes ? "!" : ""}`)).toEqual(expected);
    expect(new Set(found.map(({ base }) => base))).toEqual(new Set(found.length === 0 ? [] : ["/w"]));
  });
});

describe("what a call says", () => {
  it.each(["Agent", "Task", "TodoWrite", "TaskCreate", "TaskUpdate"])("%s says all its texts", (name) => {
    expect(toolTalk(call(name, { a: "1", n: 3, list: [{ b: "2" }, "3", null] }))).toBe("1\n2\n3");
  });

  it("of others is nothing", () => {
    expect(toolTalk(call("Read", { file_path: "a" }))).toBe("");
  });

  it("starts a skill, by its bare name", () => {
    expect(skillOf(call("Skill", { skill: "nexus:run", args: "24" }))).toEqual({ name: "run", args: "24" });
    expect(skillOf(call("Skill", { command: "/run" }))).toEqual({ name: "run", args: "" });
    expect(skillOf(call("Skill", { args: "24" }))).toBeNull();
    expect(skillOf(call("Other", { skill: "run" }))).toBeNull();
    expect([" /a:b:c ", "a/b", "x"].map(bareSkillName)).toEqual(["c", "a/b", "x"]);
  });
});
