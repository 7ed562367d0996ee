import { expect, test } from "vitest";
import { manifestText } from "../helpers/acme-project.ts";
import { editFile, executeProject, planningFile, readFile } from "./harness/calls.ts";
import { VERSIONS } from "./harness/client-version.ts";
import { converse } from "./harness/conversation.ts";
import { elements, partsIn } from "./harness/documents.ts";
import { makeProject } from "./harness/project.ts";
import { setStage } from "./harness/stage.ts";

const DEMO = "24-demo";
const PLAN = planningFile(DEMO, "03-plan.md");

test.each(VERSIONS)(
  "after a compaction in %s the edits of one message are refused together with the list of what to read, and reading opens it",
  async (version) => {
    const project = makeProject(["--gate"]);
    // What the manifest lists is required; the plan is the one that the document of an execution does not hold.
    const listed = ["01-planning/01-overview.md", "01-planning/03-plan.md", "01-planning/04-steps.md"];
    project.write(planningFile(DEMO, "resume-context.md"), manifestText(DEMO, listed));
    const stage = await setStage({ version, project });
    const { model } = stage;
    const steps = planningFile(DEMO, "04-steps.md");
    const edit = (task: string) => editFile(project, steps, `- [ ] ${task}`, `- [x] ${task}`);
    const edits = ["Parse", "Write", "Test", "Parse the", "Write the"].map(edit);
    const talk = converse(stage);
    model.willSay(...executeProject(project, DEMO), { say: "Written." });
    await talk.say("continue project 24");
    await talk.say("/compact");
    model.willSay(
      { call: edits },
      { call: edits },
      { call: [readFile(project, PLAN)] },
      { call: [edit("Parse")] },
      { say: "Closed." },
    );
    await talk.say("close the steps");
    expect(await talk.end()).toMatchObject({ code: 0, stderr: "" });

    const [first, second, read, edited] = model.turns().slice(-4);
    expect(first?.asked).toContain("1 of 3 required files has not been read");
    expect(first?.asked).toContain(`- ${project.path(PLAN)}`);
    expect(first?.asked).toContain("This is denial 1 of at most 3");
    expect(second?.asked).toContain("This is denial 2 of at most 3");
    expect(read?.asked).toContain("Approach.");
    expect(edited?.asked).not.toContain("required files");
    // Ten edits were asked for, and none went through before the plan was read.
    expect(project.read(steps)).toContain("- [x] Parse the transcript");
    expect(project.read(steps)).toContain("- [ ] Write the state file");

    // A document that fits in one part is given as that one alone.
    const parts = partsIn(model.turns()[0]);
    expect(parts.map(({ part, of }) => [part, of])).toEqual([[1, 1]]);
    expect(elements(parts, "action").map(({ text }) => text)).toContain("display_menu");
  },
);
