import { expect, test } from "vitest";
import { contextText } from "../helpers/context-text.ts";
import { AUTO_COMPACT, FULL } from "./harness/auto-compact.ts";
import { executeProject, runCommand, writeFile } from "./harness/calls.ts";
import { NEWEST, VERSIONS } from "./harness/client-version.ts";
import { converse } from "./harness/conversation.ts";
import { elements, lastDocument } from "./harness/documents.ts";
import { makeProject, ROLE } from "./harness/project.ts";
import { setStage } from "./harness/stage.ts";

// 2.0.76 does not say whose compaction it is: the main line waits.
test.each(VERSIONS)(
  "a sub-agent that compacts in %s is told nothing of the role, and the role stays where it is",
  async (version) => {
    const project = makeProject();
    project.role(ROLE, contextText({ role: ROLE }));
    const stage = await setStage({
      version,
      project,
      args: ["--allowedTools", "Bash,Read,Edit,Write,Skill,Agent,Task"],
      env: { HIVEMIND_ROLE: ROLE, ...AUTO_COMPACT },
    });
    const talk = converse(stage);
    const input = { description: "Look around", prompt: "Look around.", subagent_type: "general-purpose" };
    stage.model.willSay(
      ...executeProject(project, "24-demo"),
      { call: [runCommand(`./context lifecycle.save ${ROLE}`)] },
      {
        call: [
          version === NEWEST
            ? { name: "Agent", input: { ...input, run_in_background: false } }
            : { name: "Task", input },
        ],
      },
      { call: [runCommand("echo one")], ...FULL },
      { call: [runCommand("echo two")], ...FULL },
      { say: "I looked around." },
    );
    await talk.say("continue project 24");
    expect(await talk.end()).toMatchObject({ code: 0 });

    const summaries = stage.model.summaries();
    expect(summaries.length).toBeGreaterThan(0);
    for (const { asked } of summaries) expect(asked).not.toContain(ROLE);
    for (const { asked } of stage.model.turns().slice(1)) expect(asked).not.toContain("<nexus-context");
    expect(project.state(ROLE)).toMatchObject({ CURRENT: "saved", COMPACTIONS: "0" });
    expect(project.exists("session/.cache/gate.pending")).toBe(false);
  },
);

test.each(VERSIONS)("in %s what a sub-agent changed is told at a compaction and after it", async (version) => {
  const stage = await setStage({ version, args: ["--allowedTools", "Bash,Read,Edit,Write,Skill,Agent,Task"] });
  const talk = converse(stage);
  const input = { description: "Write the notes", prompt: "Write the notes.", subagent_type: "general-purpose" };
  const delegate = { name: version === NEWEST ? "Agent" : "Task", input };
  const notes = "02-projects/24-demo/02-working/notes.md";
  const deeper = "02-projects/24-demo/02-working/deeper.md";
  stage.model.willSay(
    ...executeProject(stage.project, "24-demo"),
    { call: [version === NEWEST ? { ...delegate, input: { ...input, run_in_background: false } } : delegate] },
    { call: [writeFile(stage.project, notes, "# Notes\n")] },
    { call: [runCommand(`echo more > ${deeper}`)] },
    { say: "I wrote the notes." },
    { say: "It is done." },
  );
  await talk.say("continue project 24");
  await talk.say("/compact");
  await talk.say("go on");
  const [summary] = stage.model.summaries();
  const [trail] = elements(lastDocument(stage.model.turns().at(-1)), "work-trail");
  for (const text of [summary?.asked, trail?.text]) for (const words of [notes, deeper]) expect(text).toContain(words);
  expect(trail?.text).toContain(`created ${notes} (by a sub-agent, `);
  await talk.end();
});
