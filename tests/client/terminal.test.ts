import { describe, expect, test } from "vitest";
import { decisionOf } from "../helpers/session-start.ts";
import { HAS_TMUX } from "../helpers/tmux-server.ts";
import { executeProject } from "./harness/calls.ts";
import { VERSIONS } from "./harness/client-version.ts";
import { elements, lastDocument, partsIn } from "./harness/documents.ts";
import { setStage } from "./harness/stage.ts";
import { openTerminal } from "./harness/terminal.ts";

const DEMO = "24-demo";
const START = "session/.cache/session-start.json";

describe.skipIf(!HAS_TMUX)("on a terminal", () => {
  test.each(VERSIONS)("%s is given a document at its start, after /compact and after /clear", async (version) => {
    const stage = await setStage({ version });
    const { model, project } = stage;
    const terminal = openTerminal(stage);
    const said = (words: string) => model.turns().find(({ asked }) => asked.includes(words));
    const started = (source: string) => project.exists(START) && decisionOf(project).source === source;

    const work = executeProject(project, DEMO);
    model.willSay(...work, { say: "Written." });
    await terminal.say("continue project 24", () => model.turns().length > work.length);
    expect(partsIn(model.turns()[0]).map(({ mode }) => mode)).toEqual(["startup"]);

    await terminal.say("/compact", () => model.summaries().length > 0 && started("compact"));
    await terminal.say("where were we?", () => said("where were we?") !== undefined);
    const document = lastDocument(said("where were we?"));
    expect(document[0]?.mode).toBe("compact");
    expect(elements(document, "resume-project").map(({ attributes }) => attributes.id)).toEqual([DEMO]);

    await terminal.say("/clear", () => started("clear"));
    await terminal.say("good morning", () => said("good morning") !== undefined);
    const last = said("good morning");
    expect(partsIn(last).map(({ mode }) => mode)).toEqual(["startup"]);
    expect(elements(partsIn(last), "resume-project")).toEqual([]);
  });
});
