import { describe, expect, test } from "vitest";
import { executeProject, readFile, useSkill, writeFile } from "./harness/calls.ts";
import { converse } from "./harness/conversation.ts";
import { elements, lastDocument } from "./harness/documents.ts";
import type { Turn } from "./harness/model-answer.ts";
import { type Stage, setStage } from "./harness/stage.ts";

const REPORT = "04-workspace/weekly-report.md";

/** Talks, compacts, and goes on; what the model is given after the compaction. */
async function compacted(stage: Stage, talk: readonly (readonly [prompt: string, turns: readonly Turn[]])[]) {
  const client = converse(stage);
  for (const [prompt, turns] of talk) {
    stage.model.willSay(...turns, { say: "Done with that." });
    await client.say(prompt);
  }
  await client.say("/compact");
  await client.say("go on");
  expect(await client.end()).toMatchObject({ code: 0, stderr: "" });
  expect(stage.model.summaries()).toHaveLength(1);
  return lastDocument(stage.model.turns().at(-1));
}

const weeklyReport = (stage: Stage): readonly Turn[] => [
  { call: [useSkill("weekly-report")] },
  { call: [readFile(stage.project, "03-skills/weekly-report/SKILL.md")] },
  { call: [writeFile(stage.project, REPORT, "# Report\n")] },
];

describe("after a compaction no project is forced on", () => {
  test("a chat without one", async () => {
    const stage = await setStage();
    const document = await compacted(stage, [
      ["what is a monad?", []],
      ["and a functor?", []],
    ]);
    expect(document[0]?.mode).toBe("startup");
    expect(elements(document, "resume-project")).toEqual([]);
    expect(elements(document, "action").map(({ text }) => text)).toContain("continue_working");
    expect(stage.model.summaries()[0]?.asked).not.toContain("24-demo");
  });

  test("a skill that was begun after the work on one", async () => {
    const stage = await setStage();
    const document = await compacted(stage, [
      ["continue project 24", executeProject(stage.project, "24-demo")],
      ["now write my weekly report", weeklyReport(stage)],
    ]);
    expect(stage.project.exists(REPORT)).toBe(true);
    expect(document[0]?.mode).toBe("startup");
    expect(elements(document, "resume-project")).toEqual([]);
    expect(elements(document, "action").map(({ text }) => text)).toContain("continue_working");
  });

  test("but work on one that came after the skill is kept", async () => {
    const stage = await setStage();
    const document = await compacted(stage, [
      ["write my weekly report", weeklyReport(stage)],
      ["continue project 24", executeProject(stage.project, "24-demo")],
    ]);
    expect(document[0]?.mode).toBe("compact");
    expect(elements(document, "resume-project").map(({ attributes }) => attributes.id)).toEqual(["24-demo"]);
  });
});
