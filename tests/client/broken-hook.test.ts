import { cpSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PROGRAM_ROOT } from "../helpers/program-under-test.ts";
import type { Workspace } from "../helpers/workspace.ts";
import { NEWEST } from "./harness/client-version.ts";
import { type Conversation, converse } from "./harness/conversation.ts";
import { fieldOf } from "./harness/model-request.ts";
import { makeProject } from "./harness/project.ts";
import { type Stage, setStage } from "./harness/stage.ts";

/** The launcher of a clone in which nothing was built. */
function unbuilt(project: Workspace): void {
  rmSync(project.path("context"));
  cpSync(join(PROGRAM_ROOT, "context"), project.path("context"));
}

type Fault = readonly [name: string, harm: (project: Workspace) => void];

const MISSING: readonly Fault[] = [
  ["the build is missing", unbuilt],
  ["the program is gone", (project) => rmSync(project.path("context"))],
  ["the hook scripts are gone", (project) => rmSync(project.path(".claude/hooks"), { recursive: true })],
];

const BROKEN: readonly Fault[] = [
  ["the configuration is no YAML", (project) => project.write("context.yaml", "layout: [\n\t: {")],
  [
    "the folder of our own files is a file",
    (project) => {
      rmSync(project.path("session"), { recursive: true });
      project.write("session", "not a folder\n");
    },
  ],
];

/** One prompt after another, each answered without an error. */
async function sayAll(talk: Conversation, prompts: readonly string[]): Promise<void> {
  for (const prompt of prompts) {
    const printed = await talk.say(prompt);
    expect(printed.map((event) => fieldOf(event, "is_error")).filter((flag) => flag !== undefined)).toEqual([false]);
  }
}

const lastLines = (stage: Stage): readonly unknown[] =>
  stage.model.turns().map(({ asked }) => asked.trim().split("\n").at(-1));

describe("the client goes on undisturbed", () => {
  test.each([...MISSING, ...BROKEN])("where %s", async (_name, harm) => {
    const project = makeProject();
    harm(project);
    const stage = await setStage({ version: NEWEST, project, env: { HIVEMIND_ROLE: "oosh-expert" } });
    const talk = converse(stage);
    await sayAll(talk, ["hello", "/compact", "go on"]);
    expect(await talk.end()).toMatchObject({ code: 0, stderr: "" });
    expect(stage.model.summaries()).toHaveLength(1);
    expect(lastLines(stage)).toEqual(["hello", "go on"]);
  });

  // In one session: 2.0.76 takes two seconds of a processor to start.
  test("where one after the other is missing, 2.0.76", async () => {
    const project = makeProject();
    const stage = await setStage({ version: "2.0.76", project, env: { HIVEMIND_ROLE: "oosh-expert" } });
    const talk = converse(stage);
    for (const [name, harm] of MISSING) {
      harm(project);
      await sayAll(talk, [name, "/compact", "go on"]);
    }
    expect(await talk.end()).toMatchObject({ code: 0, stderr: "" });
    expect(stage.model.summaries()).toHaveLength(MISSING.length);
    expect(lastLines(stage)).toEqual(MISSING.flatMap(([name]) => [name, "go on"]));
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
