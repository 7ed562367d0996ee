import { cpSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PROGRAM_ROOT } from "../helpers/program-under-test.ts";
import type { Workspace } from "../helpers/workspace.ts";
import { NEWEST, VERSIONS, type Version } from "./harness/client-version.ts";
import { converse } from "./harness/conversation.ts";
import { fieldOf } from "./harness/model-request.ts";
import { makeProject } from "./harness/project.ts";
import { setStage } from "./harness/stage.ts";

/** The launcher of a clone in which nothing was built. */
function unbuilt(project: Workspace): void {
  rmSync(project.path("context"));
  cpSync(join(PROGRAM_ROOT, "context"), project.path("context"));
}

type Fault = readonly [name: string, version: Version, harm: (project: Workspace) => void];

const OF_BOTH: readonly Fault[] = VERSIONS.flatMap((version): readonly Fault[] => [
  ["the build is missing", version, unbuilt],
  ["the program is gone", version, (project) => rmSync(project.path("context"))],
  ["the hook scripts are gone", version, (project) => rmSync(project.path(".claude/hooks"), { recursive: true })],
]);

const OF_NEWEST: readonly Fault[] = [
  ["the configuration is no YAML", NEWEST, (project) => project.write("context.yaml", "layout: [\n\t: {")],
  [
    "the folder of our own files is a file",
    NEWEST,
    (project) => {
      rmSync(project.path("session"), { recursive: true });
      project.write("session", "not a folder\n");
    },
  ],
];

describe("the client goes on undisturbed", () => {
  test.each([...OF_BOTH, ...OF_NEWEST])("where %s, %s", async (_name, version, harm) => {
    const project = makeProject();
    harm(project);
    const stage = await setStage({ version, project, env: { HIVEMIND_ROLE: "oosh-expert" } });
    const talk = converse(stage);
    for (const prompt of ["hello", "/compact", "go on"]) {
      const printed = await talk.say(prompt);
      expect(printed.map((event) => fieldOf(event, "is_error")).filter((flag) => flag !== undefined)).toEqual([false]);
    }
    expect(await talk.end()).toMatchObject({ code: 0, stderr: "" });
    expect(stage.model.summaries()).toHaveLength(1);
    expect(stage.model.turns().map(({ asked }) => asked.trim().split("\n").at(-1))).toEqual(["hello", "go on"]);
  });

  // 2.0.76 takes no prompt any more in a folder that is gone, hooks or not.
  test("where the project's folder goes away in the middle", async () => {
    const stage = await setStage();
    const talk = converse(stage);
    await talk.say("hello");
    mkdirSync(`${stage.project.root} moved`);
    renameSync(stage.project.root, `${stage.project.root} moved/x`);
    await talk.say("/compact");
    await talk.say("go on");
    const ran = await talk.end();
    mkdirSync(stage.project.root);
    rmSync(`${stage.project.root} moved`, { recursive: true });
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(stage.model.turns().at(-1)?.asked).toContain("go on");
  });
});
