import { expect, test } from "vitest";
import { isOurScript, isWrittenByUs } from "../../src/install/hook-scripts.ts";
import { foldersMadeFor, USER_SCRIPT, userScript } from "../../src/install/user-script.ts";

test("the script for all projects looks where the program was, then on the PATH, and nowhere in a project", () => {
  const loop = (program: string | null) => /^for context in (.*); do$/m.exec(userScript(program, 0))?.[1];
  expect(loop(null)).toBe("context");
  expect(loop("/opt/context")).toBe("'/opt/context' context");
  expect(loop("/home/o'hara/my tools/context")).toBe("'/home/o'\\''hara/my tools/context' context");
  expect(userScript("/opt/context", 0)).not.toMatch(/root|CLAUDE_PROJECT_DIR|node_modules\/\.bin/);
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
