import { expect, test } from "vitest";
import { contextText } from "../helpers/context-text.ts";
import { executeProject, runCommand } from "./harness/calls.ts";
import { converse } from "./harness/conversation.ts";
import { elements, lastDocument } from "./harness/documents.ts";
import { makeProject } from "./harness/project.ts";
import { type Stage, setStage } from "./harness/stage.ts";

const WORK = [
  { id: "24-demo", role: "oosh-expert" },
  { id: "27-xml-context", role: "tester" },
] as const;

type Work = (typeof WORK)[number];

async function round(stage: Stage, { id, role }: Work): Promise<void> {
  const talk = converse(stage);
  stage.model.willSay(...executeProject(stage.project, id), { call: [runCommand(`./context lifecycle.save ${role}`)] });
  await talk.say(`continue project ${id}`);
  await talk.say("/compact");
  stage.model.willSay({ call: [runCommand(`./context recover ${role}`)] });
  await talk.say("go on");
  expect(await talk.end()).toMatchObject({ code: 0, stderr: "" });
}

test("two sessions at once in one workspace keep their own project and role over a compaction", async () => {
  const project = makeProject();
  for (const { role } of WORK) project.role(role, contextText({ role, more: [`- the word of ${role}`] }));
  const stages = await Promise.all(WORK.map(({ role }) => setStage({ project, env: { HIVEMIND_ROLE: role } })));

  await Promise.all(WORK.map((work, at) => round(stages[at] ?? expect.fail(), work)));

  for (const [at, { id, role }] of WORK.entries()) {
    const other = WORK[1 - at];
    const model = stages[at]?.model;
    expect(model?.summaries()).toHaveLength(1);
    const [summary] = model?.summaries() ?? [];
    expect(summary?.asked).toContain(id);
    expect(summary?.asked).toContain(`recover ${role}`);
    expect(summary?.asked).not.toContain(other?.id);
    expect(summary?.asked).not.toContain(`recover ${other?.role}`);
    const document = lastDocument(model?.turns().at(-1));
    expect(elements(document, "resume-project").map(({ attributes }) => attributes.id)).toEqual([id]);
    expect(elements(document, "context-file").map(({ text }) => text.includes(`the word of ${role}`))).toEqual([true]);
    expect(project.state(role)).toMatchObject({ CURRENT: "active", COMPACTIONS: "1", UNSAVED: "0" });
  }
});
