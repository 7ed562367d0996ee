import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { contextText } from "../helpers/context-text.ts";
import { sharedLauncher } from "../helpers/program-under-test.ts";
import { runProgram } from "../helpers/run-program.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const FILE = "session/agents/oosh-expert.context.md";

/** What can stand where a context file is expected, and how it is told. */
const STRANGE: readonly [what: string, told: string, make: (workspace: Workspace) => void][] = [
  ["a folder", "is a folder, expected a file", (workspace) => mkdirSync(workspace.path(FILE))],
  [
    "a pipe that nobody writes to",
    "is no regular file",
    (workspace) => runProgram("mkfifo", [workspace.path(FILE)], { cwd: workspace.root }),
  ],
  ["a file with NULs", "holds NUL bytes, expected text", (workspace) => workspace.write(FILE, "# a\0b\n")],
  ["a file that is not UTF-8", "is not UTF-8", (workspace) => workspace.write(FILE, Buffer.from([0x23, 0x20, 0xe9]))],
  [
    "a file of 100 MB",
    "holds 104857600 bytes, expected at most 1048576",
    (workspace) => {
      workspace.write(FILE, "");
      truncateSync(workspace.path(FILE), 100 * 1024 * 1024);
    },
  ],
  [
    "a link that leads out of the project",
    "is a link that leads out of",
    (workspace) => symlinkSync("/etc/passwd", workspace.path(FILE)),
  ],
  [
    "a link to itself",
    "is a link that leads",
    (workspace) => symlinkSync("oosh-expert.context.md", workspace.path(FILE)),
  ],
  ["a device", "is a link that leads out of", (workspace) => symlinkSync("/dev/zero", workspace.path(FILE))],
];

describe("in place of a context file", () => {
  test.each(STRANGE)("%s is refused with its path, in every command, and nothing waits for it", (_what, told, make) => {
    const workspace = makeWorkspace();
    make(workspace);
    workspace.role("good-role");

    for (const words of ["validate oosh-expert", `validate ${FILE}`, "lifecycle.save oosh-expert"]) {
      const ran = workspace.context(words);
      expect(ran).toMatchObject({ code: 1, signal: null });
      expect(ran.stderr).toContain(`context: ${FILE} ${told}`);
      const way = told.includes("link")
        ? "Replace the link by a file of the project's own."
        : "Make it a UTF-8 text file of at most 1 MB that this user may read.";
      expect(ran.stderr, words).toContain(`\n  ${way}\n`);
    }
    expect(workspace.state("oosh-expert")).toMatchObject({ CURRENT: "saving" });

    const all = workspace.context("validate.all");
    expect(all.code).toBe(1);
    expect(all.stdout).toContain(`${FILE} ${told}`);
    expect(all.stdout).toContain("2 files, 1 invalid");

    const recovered = workspace.context("recover oosh-expert");
    expect(recovered.code).toBe(1);
    expect(recovered.stdout).toContain(`${FILE} ${told}`);
    expect(recovered.stdout).not.toContain("root:");
    expect(recovered.stdout).toContain("is not complete: the context file cannot be read.");

    expect(workspace.context("lifecycle.status").stdout).toContain("unreadable");
    expect(workspace.context("new oosh-expert")).toMatchObject({ code: 1 });

    const hook = workspace.context("pre-compact", { env: { HIVEMIND_ROLE: "oosh-expert" } });
    expect(hook).toMatchObject({ code: 0, stdout: "{}\n" });
    expect(hook.stderr).toContain(`Context not saved: ${FILE} ${told}`);
    expect(workspace.state("oosh-expert")).toMatchObject({ CURRENT: "compacting", UNSAVED: "1" });
  });

  test("an empty file is not saved, and stays empty", () => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert", "");
    for (const words of ["validate oosh-expert", "validate --fix oosh-expert", "lifecycle.save oosh-expert"]) {
      const ran = workspace.context(words);
      expect(ran.code).toBe(1);
      expect(ran.stdout).toContain("The file is empty");
    }
    expect(workspace.read(FILE)).toBe("");
    expect(workspace.state("oosh-expert")).toMatchObject({ CURRENT: "saving" });
  });

  test("a link to a file inside the project is the file", () => {
    const workspace = makeWorkspace();
    workspace.write("notes/real.md", contextText({ title: "# OOSH Expert Agent - Context" }));
    symlinkSync("../../notes/real.md", workspace.path(FILE));
    expect(workspace.context("validate --fix oosh-expert")).toMatchObject({ code: 0 });
    expect(workspace.read("notes/real.md")).toBe(contextText());
  });

  test("standard input that is no text, or too much of it, is refused", () => {
    const workspace = makeWorkspace();
    for (const input of [Buffer.from([0xff, 0xfe]), "a\0b", "x".repeat(1024 * 1024 + 1)]) {
      const ran = workspace.context("validate -", { input });
      expect(ran).toMatchObject({ code: 1 });
      expect(ran.stderr).toContain("Standard input is no UTF-8 text of at most 1048576 bytes.");
    }
  });
});

describe("a folder that cannot be read", () => {
  const asOther = process.getuid?.() === 0 ? 65_534 : undefined;
  const run = (workspace: Workspace, words: string) =>
    runProgram(sharedLauncher(), ["-C", workspace.root, ...words.split(" ")], { cwd: "/", as: asOther });

  test("is not taken for one without files", () => {
    const workspace = makeWorkspace();
    expect(run(workspace, "validate.all")).toMatchObject({
      code: 0,
      stdout: "No context files in session/agents.\n",
      stderr: `The project is ${workspace.root}; -C names another.\n`,
    });
    workspace.role("oosh-expert");
    chmodSync(workspace.path("session/agents"), 0o000);
    const ran = run(workspace, "validate.all");
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toContain("session/agents cannot be listed: permission denied");
    const json: unknown = JSON.parse(run(workspace, "validate.all --json").stdout);
    expect(json).toMatchObject({ ok: false, error: { code: "folder-unreadable" } });
    // Nor its file for one that is missing, or there.
    expect(run(workspace, "validate oosh-expert").stderr).toContain(`${FILE} cannot be read: permission denied`);
    const made = run(workspace, "new oosh-expert").stderr;
    expect(made).toContain(`${FILE} cannot be read: permission denied`);
    expect(made).toContain("that this user may read.");
    expect(run(workspace, "recover oosh-expert").stdout).toContain(`${FILE} cannot be read: permission denied`);
  });

  test.each([
    ["session/agents", "validate.all"],
    ["session/stateMachines", "lifecycle.status"],
    ["session/stateMachines", "lifecycle.export"],
    ["02-projects", "projects"],
  ])("%s that is a link to a disk which is not there is not taken for one without files by %s", (folder, command) => {
    const workspace = makeWorkspace();
    rmSync(workspace.path(folder), { recursive: true, force: true });
    symlinkSync("/nowhere/of/ours", workspace.path(folder));
    const ran = workspace.context(["-C", workspace.root, command]);
    expect(ran.stderr).toContain(`${folder} is a link to nothing.\n`);
    expect(ran.code).toBe(command === "projects" ? 0 : 1);
  });

  test("nor is one behind such a link", () => {
    const workspace = makeWorkspace();
    rmSync(workspace.path("session"), { recursive: true, force: true });
    symlinkSync("/nowhere/of/ours", workspace.path("session"));
    for (const command of ["validate.all", "lifecycle.status"]) {
      const ran = workspace.context(["-C", workspace.root, command]);
      expect(ran.stderr).toContain(" lies behind a link to nothing.\n");
      expect(ran.code).toBe(1);
    }
  });

  test("no folder at all is no fault", () => {
    const workspace = makeWorkspace();
    runProgram("rmdir", [workspace.path("session/agents")], { cwd: workspace.root });
    const ran = workspace.context(["-C", workspace.root, "validate.all"]);
    expect(ran).toMatchObject({ code: 0, stdout: "No context files in session/agents.\n" });
    // Whoever adds them up finds them where there is nothing to add as well.
    expect(JSON.parse(workspace.context(["-C", workspace.root, "validate.all", "--json"]).stdout)).toMatchObject({
      files: [],
      invalid: 0,
      errors: 0,
      warnings: 0,
    });
  });

  test("the states' folder is not taken for an empty one", () => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert");
    workspace.context("lifecycle.save oosh-expert");
    chmodSync(workspace.path("session/stateMachines"), 0o000);
    const ran = run(workspace, "lifecycle.status");
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toContain("session/stateMachines cannot be listed: permission denied");
  });
});
