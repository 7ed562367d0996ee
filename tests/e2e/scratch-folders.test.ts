import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Ran, runProgram } from "../helpers/run-program.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

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

describe("a place for temporary folders", () => {
  /** A file system of its own as the workspace's `tmp`; null where none may be mounted. */
  function mounted(workspace: Workspace, options: string): ((command: string) => Ran) | null {
    workspace.write("tmp/none", "");
    const tmp = workspace.path("tmp");
    if (runProgram("mount", ["-t", "tmpfs", "-o", options, "tmpfs", tmp], { cwd: "/" }).code !== 0) return null;
    onTestFinished(() => {
      runProgram("umount", [tmp], { cwd: "/" });
    });
    return (command) => workspace.context(command, { env: { TMPDIR: tmp } });
  }

  test("that is full is named, and is no fault of this program", ({ skip }) => {
    const workspace = makeWorkspace();
    expect(workspace.context("init --yes").code).toBe(0);
    const run = mounted(workspace, "size=1m,nr_inodes=3");
    skip(run === null, "no file system may be mounted here");
    const full = " cannot be written: no space left on the device (ENOSPC).";
    const way = "Name a folder that can be written in TMPDIR.";
    const played = run?.("demo");
    expect(played?.code).toBe(1);
    expect(played?.stderr).toContain(`${full}\n  ${way}\n`);
    const looked = run?.("doctor");
    expect(looked?.code).toBe(0);
    expect(looked?.stdout).toMatch(/^warn {2}answers: \d+ warnings?$/m);
    expect(looked?.stdout).toContain("warn hook-not-run: The hooks were not run. ");
    expect(looked?.stdout).toContain(`${full}\n      ${way}\n`);
    expect(workspace.list("tmp")).toEqual([]);
  });

  test("where no program may be run is to be another one, before anybody reports a fault", ({ skip }) => {
    const workspace = makeWorkspace();
    const run = mounted(workspace, "noexec");
    skip(run === null, "no file system may be mounted here");
    const played = run?.("demo");
    expect(played?.code).toBe(1);
    expect(played?.stderr).toContain("  Name another folder in TMPDIR; if that changes nothing, ");
  });
});

test.skipIf(process.platform !== "linux")(
  "doctor that may open few files tells of that, and not that Node is missing",
  () => {
    const workspace = makeWorkspace();
    expect(workspace.context("init --yes").code).toBe(0);
    const options = { cwd: workspace.root };
    const within = (files: number): Ran =>
      runProgram("sh", ["-c", `ulimit -n ${files}; exec ./context doctor`], options);
    // How many Node itself needs differs by its version.
    let files = 20;
    let ran = within(files);
    while (!isOurs(ran) && files < 30) ran = within(++files);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain("exit code none, expected 0. It says: spawn /bin/sh EMFILE");
    expect(ran.stdout).not.toContain("node-missing");
  },
);

/** Whether the program got as far as to say something: with too few files Node crashes, or ends with words of its own. */
function isOurs(ran: Ran): boolean {
  return ran.stdout !== "" || ran.stderr.startsWith("context: ");
}
