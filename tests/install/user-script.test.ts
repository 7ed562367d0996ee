import { chmodSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { isOurScript, isWrittenByUs } from "../../src/install/hook-scripts.ts";
import { foldersMadeFor, placeInUserScript, USER_SCRIPT, userScript } from "../../src/install/user-script.ts";
import { BARE_ENV, runProgram } from "../helpers/run-program.ts";
import { SHELLS } from "../helpers/shells.ts";
import { makeWorkspace } from "../helpers/workspace.ts";

test("the script for all projects looks where the program was, then on the PATH, and nowhere in a project", () => {
  const loop = (program: string | null) => /^for context in (.*); do$/m.exec(userScript(program, 0))?.[1];
  expect(loop(null)).toBe("context");
  expect(loop("/opt/context")).toBe("'/opt/context' context");
  expect(loop("/home/o'hara/my tools/context")).toBe("'/home/o'\\''hara/my tools/context' context");
  expect(userScript("/opt/context", 0)).not.toMatch(/root|node_modules\/\.bin/);
});

test("the script for all projects says where it looks first, and another does not", () => {
  for (const place of [null, "/opt/context", "/home/o'hara/my tools/context", "/opt/\u2028/context"])
    expect(placeInUserScript(userScript(place, 1))).toBe(place);
  expect(placeInUserScript("#!/bin/sh\ncontext gate\n")).toBeUndefined();
});

test("the script for all projects is known again as one of ours, and as none of a project's hooks", () => {
  const text = userScript("/opt/context", 0);
  expect(USER_SCRIPT).toBe("agent-context.sh");
  expect(text.startsWith("#!/bin/sh\n# Starts agent-context for the hooks of all projects.\n")).toBe(true);
  expect(text.endsWith('"$context" "$@"\nexit 0\n')).toBe(true);
  expect(text).toContain("`context init --user --remove` takes it away.");
  expect(text).toContain("neither where it was nor on the PATH");
  expect(isWrittenByUs(text)).toBe(true);
  expect(isOurScript("gate", text)).toBe(true);
});

test("the script for all projects says how many folders were made for it, and nothing where there were some", () => {
  for (const folders of [0, 1, 2]) expect(foldersMadeFor(userScript("/opt/context", folders))).toBe(folders);
  expect(userScript("/opt/context", 0)).not.toContain("Folders");
});

test.each(SHELLS.map((shell) => [shell.join(" "), shell] as const))(
  "in %s the script for all projects runs no program of a project, however the PATH names its folder",
  (_, shell) => {
    const workspace = makeWorkspace();
    const place = (file: string) => chmodSync(workspace.write(file, `#!/bin/sh\necho "${file} $*, $PATH"\n`), 0o755);
    for (const folder of ["a project", "a project/node_modules/.bin", "home/bin"]) place(`${folder}/context`);
    workspace.write("agent-context.sh", userScript(null, 0));
    const project = workspace.path("a project");
    const bin = `${project}/node_modules/.bin`;
    const own = `${workspace.path("home/bin")}:${BARE_ENV.PATH}`;
    const run = (path: string, root = project) => {
      const [file = "", ...first] = shell;
      const env = { PATH: path, HOME: workspace.path("home"), CLAUDE_PROJECT_DIR: root };
      const words = [...first, workspace.path("agent-context.sh"), "gate"];
      return runProgram(file, words, { cwd: project, env }).stdout;
    };
    for (const theirs of [".", "", "node_modules/.bin", "./node_modules/.bin"]) {
      expect(run(`${theirs}:${own}`)).toBe(`home/bin/context gate, ${own}\n`);
    }
    // A project's own Node may be the only one.
    for (const theirs of [project, bin])
      expect(run(`${theirs}:${own}`)).toBe(`home/bin/context gate, ${own}:${theirs}\n`);
    expect(run(`${bin}:${BARE_ENV.PATH}`)).toBe("");
    expect(run(`${bin}:${own}`, `${project}/`)).toBe(`home/bin/context gate, ${own}:${bin}\n`);
    symlinkSync(".", workspace.path("link"));
    for (const theirs of [
      bin.replace("a project", "link/a project"),
      `/${bin}`,
      bin.replace("a project", "/a project"),
    ])
      expect(run(`${theirs}:${own}`)).toBe(`home/bin/context gate, ${own}:${theirs}\n`);
    expect(run(own, "/")).toBe(`home/bin/context gate, ${own}\n`);
    // By hand, without the client.
    expect(run(own, "")).toBe(`home/bin/context gate, ${own}\n`);
    // A name with such a sign is a folder's own, and no pattern.
    expect(run(`${workspace.path("home/b?n")}:${BARE_ENV.PATH}`)).toBe("");
    // A client that was started in the home folder.
    for (const root of [workspace.root, workspace.path("link"), workspace.path("link/home")])
      expect(run(own, root)).toBe(`home/bin/context gate, ${own}\n`);
  },
);
