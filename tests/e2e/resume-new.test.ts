import { spawnSync } from "node:child_process";
import { renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { makeAcme, manifestText } from "../helpers/acme-project.ts";

const PLANNING = "02-projects/24-demo/01-planning";
const MANIFEST = `${PLANNING}/resume-context.md`;

test("writes a manifest that every other command takes as it is", () => {
  const workspace = makeAcme();
  rmSync(workspace.path(MANIFEST));
  const ran = workspace.context("resume.new 24");
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(ran.stdout).toBe(
    `${MANIFEST} is written.\nNext: see which files it lists, and what its gate asks: ./context resume.show 24-demo\n`,
  );
  expect(statSync(workspace.path(MANIFEST)).mode & 0o777).toBe(0o644);
  expect(workspace.context("resume.validate 24-demo").stdout).toBe("1 manifest, 0 invalid: no findings\n");
  expect(workspace.context("resume.update 24-demo").stdout).toBe(`${MANIFEST}: nothing to change.\n`);
  const { stdout } = workspace.context("resume.show 24-demo");
  for (const line of [/^Phase +execution$/m, /^Progress +3\/6 tasks complete$/m, /^Gate +5 questions$/m]) {
    expect(stdout).toMatch(line);
  }
  expect(stdout.match(/^ {2}present {2}/gm)).toHaveLength(3);
  expect(workspace.list(PLANNING)).toEqual(["01-overview.md", "03-plan.md", "04-steps.md", "resume-context.md"]);
});

test("makes the planning folder of a project that has none", () => {
  const workspace = makeAcme();
  workspace.write("02-projects/30-bare/notes.md", "# Notes\n");
  expect(workspace.context("resume.new 30-bare")).toMatchObject({ code: 0, stderr: "" });
  expect(workspace.context("resume.show 30-bare").stdout).toMatch(/^Phase +planning$/m);
});

test("writes over nothing, and says what is there", () => {
  const workspace = makeAcme();
  const mine = manifestText("24-demo");
  expect(workspace.context("resume.new 24-demo")).toMatchObject({
    code: 1,
    stdout: "",
    stderr: `context: ${MANIFEST} is already there.\n  ./context resume.update 24-demo brings it up to date.\n`,
  });
  expect(workspace.read(MANIFEST)).toBe(mine);
  workspace.write(MANIFEST, mine.replace("---\n", ""));
  expect(workspace.context("resume.new 24-demo")).toMatchObject({
    code: 1,
    stderr: `context: ${MANIFEST} is already there.\n  ./context resume.validate 24-demo says what is wrong with it.\n`,
  });
  renameSync(workspace.path(MANIFEST), workspace.path(`${PLANNING}/_resume.md`));
  expect(workspace.context("resume.new 24-demo")).toMatchObject({
    code: 1,
    stderr: `context: ${PLANNING}/_resume.md is already there.\n  ./context resume.migrate 24-demo makes a whole manifest of it.\n`,
  });
  rmSync(workspace.path(`${PLANNING}/_resume.md`));
  symlinkSync("nowhere.md", workspace.path(MANIFEST));
  expect(workspace.context("resume.new 24-demo").code).toBe(1);
  expect(workspace.list(PLANNING)).not.toContain("nowhere.md");
});

test.each(["resume.show", "resume.update", "resume.validate"])(
  "is what %s says to run where there is none",
  (command) => {
    const workspace = makeAcme();
    rmSync(workspace.path(MANIFEST));
    const ran = workspace.context([command, "24-demo"]);
    expect(ran.code).toBe(1);
    const [, line = ""] = /^ *(\S+ resume\.new 24-demo) writes one\.$/m.exec(ran.stderr) ?? [];
    expect(spawnSync("sh", ["-c", line], { cwd: workspace.root, encoding: "utf8" })).toMatchObject({ status: 0 });
    expect(workspace.context([command, "24-demo"]).code).toBe(0);
  },
);
