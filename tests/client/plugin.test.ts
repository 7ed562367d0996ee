import { resolve } from "node:path";
import { expect, test } from "vitest";
import { partsIn } from "./harness/documents.ts";
import { makeProject } from "./harness/project.ts";
import { ask, setStage } from "./harness/stage.ts";

const PLUGIN = ["--plugin-dir", resolve("plugin")];

test("the plugin alone gives a project that was never set up its document, once", async () => {
  const project = makeProject();
  project.context(["init", "--remove", "--yes"]);
  expect(project.exists(".claude/settings.json")).toBe(false);
  const stage = await setStage({ project, args: PLUGIN });
  expect(await ask(stage, "hello")).toMatchObject({ failed: false, result: "Done." });
  expect(partsIn(stage.model.turns()[0]).map(({ part, of }) => [part, of])).toEqual([[1, 1]]);
});

test("the plugin beside the project's own hooks: each part of the document comes once", async () => {
  const project = makeProject();
  project.write("00-system/core/orchestrator.md", `# Orchestrator\n\n${"Ask the user first.\n".repeat(900)}`);
  const stage = await setStage({ project, args: PLUGIN });
  expect(await ask(stage, "hello")).toMatchObject({ failed: false, result: "Done." });
  const parts = partsIn(stage.model.turns()[0]);
  const of = parts[0]?.of ?? 0;
  expect(of).toBeGreaterThan(1);
  expect(parts.map(({ part }) => part).toSorted()).toEqual(Array.from({ length: of }, (_, at) => at + 1));
});
