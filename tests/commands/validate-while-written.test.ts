import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import type { CommandContext } from "../../src/commands/command-context.ts";
import { validateFile } from "../../src/commands/validate.ts";
import { readText } from "../../src/platform/read-text.ts";
import { contextFilePath, type ProjectPaths } from "../../src/stores/paths.ts";
import { contextText } from "../helpers/context-text.ts";
import { remove } from "../platform/scripts.ts";
import { NOW, project, role } from "../stores/projects.ts";

const ROLE = role();
/** A hyphen where a dash is wanted is mended. */
const MENDABLE = contextText({ title: "# OOSH Expert Agent - Session Context" });
let paths: ProjectPaths;
let path = "";

beforeEach(() => {
  paths = project();
  path = contextFilePath(paths, ROLE);
  writeFileSync(path, MENDABLE);
  return () => remove(paths.root);
});

/** `validate --fix`, while somebody does something after the file was read. */
function fixWhile(meanwhile: () => void) {
  const { root } = paths;
  const rest = { env: {}, cwd: root, now: () => NOW, build: null, installation: "", invokedAs: "./context" };
  const context: CommandContext = { paths, ...rest };
  const read = readText(path, 1024 * 1024);
  meanwhile();
  return validateFile(context, path, read, ROLE, null, true);
}

test("what an agent writes while its file is mended is mended in its turn, and not lost", () => {
  const added = `${MENDABLE}- and what was just written\n`;
  const checked = fixWhile(() => writeFileSync(path, added));
  expect(checked).toMatchObject({ kind: "checked", fixed: 1 });
  expect(readFileSync(path, "utf8")).toBe(added.replace("Agent - Session", "Agent — Session"));
});

test("a file that is removed while it is mended stays away", () => {
  expect(fixWhile(() => rmSync(path))).toMatchObject({ kind: "unreadable", problem: { code: "context-missing" } });
  expect(() => readFileSync(path)).toThrow("ENOENT");
});
