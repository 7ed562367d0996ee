import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { makeWorkspace } from "../helpers/workspace.ts";

describe("a command that works in a temporary folder", () => {
  test.each([
    ["demo", "SIGINT"],
    ["demo", "SIGTERM"],
    ["demo", "SIGHUP"],
    ["doctor", "SIGINT"],
    ["doctor", "SIGTERM"],
  ] as const)("%s leaves none where %s ends it, and ends by that signal", async (command, signal) => {
    const workspace = makeWorkspace();
    expect(workspace.context("init --yes").code).toBe(0);
    workspace.write("tmp/kept", "");
    const { child, ended } = workspace.start([command], {
      cwd: workspace.root,
      env: { TMPDIR: workspace.path("tmp") },
    });
    while (workspace.list("tmp").length === 1 && child.exitCode === null) await wait(5);
    child.kill(signal);
    expect(await ended).toMatchObject({ code: null, signal, stdout: "" });
    expect(workspace.list("tmp")).toEqual(["kept"]);
  });

  test.each(["demo", "doctor"])("%s leaves none where it is done", (command) => {
    const workspace = makeWorkspace();
    workspace.write("tmp/kept", "");
    expect(workspace.context(command, { env: { TMPDIR: workspace.path("tmp") } }).stdout).not.toBe("");
    expect(workspace.list("tmp")).toEqual(["kept"]);
  });
});
