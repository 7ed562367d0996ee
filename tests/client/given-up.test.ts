import { expect, test } from "vitest";
import { runCommand } from "./harness/calls.ts";
import { converse } from "./harness/conversation.ts";
import { makeProject, ROLE } from "./harness/project.ts";
import { setStage } from "./harness/stage.ts";

test("an agent whose compaction came to nothing saves its role as before", async () => {
  const project = makeProject();
  project.role(ROLE);
  const stage = await setStage({ project, env: { HIVEMIND_ROLE: ROLE } });
  const { model } = stage;
  const save = { call: [runCommand(`./context lifecycle.save ${ROLE}`)] };
  const talk = converse(stage);
  // Nothing was said yet: there is nothing to compact.
  await talk.say("/compact");
  expect(project.state(ROLE)).toMatchObject({ CURRENT: "compacting" });
  model.willSay(save);
  await talk.say("save");
  expect(model.turns().at(-1)?.asked).toContain(`${ROLE}: compacting -> active -> saving -> saved`);

  // The client may ask once more.
  model.willSummarise({ say: "" }, { say: "" });
  await talk.say("/compact");
  model.willSay(save);
  await talk.say("save again");
  expect(model.summaries().length).toBeGreaterThan(0);
  expect(model.turns().at(-1)?.asked).toContain(`${ROLE}: compacting -> active -> saving -> saved`);
  expect(await talk.end()).toMatchObject({ code: 0, stderr: "" });
});
