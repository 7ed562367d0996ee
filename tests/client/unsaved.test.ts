import { expect, test } from "vitest";
import { AUTO_COMPACT, FULL } from "./harness/auto-compact.ts";
import { executeProject, runCommand, workingFile } from "./harness/calls.ts";
import { converse } from "./harness/conversation.ts";
import { elements, lastDocument } from "./harness/documents.ts";
import { makeProject, ROLE } from "./harness/project.ts";
import { ask, setStage } from "./harness/stage.ts";

test("where nothing was saved before an automatic compaction, the trail carries the work", async () => {
  const project = makeProject();
  const stage = await setStage({ project, env: { HIVEMIND_ROLE: ROLE, ...AUTO_COMPACT } });
  stage.model.willSay(
    ...executeProject(project, "24-demo"),
    { call: [runCommand(`node -e "console.error('error: no rule for parser'); process.exit(2)"`)] },
    { say: "I look into it.", call: [runCommand("ls 02-projects")], ...FULL },
    { call: [runCommand(`./context recover ${ROLE}`)] },
    { say: "I am back." },
  );
  expect(await ask(stage, "continue project 24, please")).toMatchObject({ failed: false, result: "I am back." });

  const [summary] = stage.model.summaries();
  expect(summary?.asked).toContain(`role is ${ROLE}`);
  expect(summary?.asked).toContain("NOT saved");
  expect(summary?.asked).toMatch(/^- Unanswered errors: .*no rule for parser/m);

  const request = stage.model.turns().find(({ text }) => text.includes("SUMMARY-OF-THE-STAND-IN"));
  const [trail] = elements(lastDocument(request), "work-trail");
  for (const words of [workingFile("24-demo"), "no rule for parser", "continue project 24, please"]) {
    expect(trail?.text).toContain(words);
  }
  // What `recover` prints has the same trail, and says that there was no save.
  const back = stage.model.turns().at(-1)?.asked;
  for (const words of ["No save is recorded", workingFile("24-demo"), "no rule for parser"]) {
    expect(back).toContain(words);
  }
  expect(project.state(ROLE)).toMatchObject({ COMPACTIONS: "1", UNSAVED: "1" });
});

test("what runs in the background is not to be started again after a compaction", async () => {
  const stage = await setStage({
    args: ["--allowedTools", "Bash,Read,Edit,Write,Skill,Monitor,Workflow,CronCreate,ToolSearch"],
  });
  const talk = converse(stage);
  const script =
    'export const meta = { name: "look", description: "Look", phases: [] };\nawait new Promise((done) => setTimeout(done, 9000));';
  stage.model.willSay(
    ...executeProject(stage.project, "24-demo"),
    { call: [{ name: "ToolSearch", input: { query: "select:Monitor,CronCreate" } }] },
    { call: [{ name: "Monitor", input: { description: "Watch", command: "echo up; sleep 9", timeout_ms: 60_000 } }] },
    { call: [{ name: "CronCreate", input: { cron: "7 7 * * *", prompt: "Check the deploy.", recurring: true } }] },
    { call: [runCommand("sleep 1")] },
    { call: [{ name: "Workflow", input: { script } }] },
  );
  await talk.say("continue project 24");
  await talk.say("/compact");
  await talk.say("go on");
  const [summary] = stage.model.summaries();
  const running = /^- Still running.*$/m.exec(summary?.asked ?? "")?.[0];
  const [trail] = elements(lastDocument(stage.model.turns().at(-1)), "work-trail");
  for (const text of [running, trail?.text]) {
    for (const words of ["echo up; sleep 9", "Check the deploy.", 'name: "look"']) expect(text).toContain(words);
  }
  await talk.end();
});
