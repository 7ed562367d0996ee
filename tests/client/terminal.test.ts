import { describe, expect, test } from "vitest";
import { decisionOf } from "../helpers/session-start.ts";
import { HAS_TMUX } from "../helpers/tmux-server.ts";
import { executeProject } from "./harness/calls.ts";
import { NEWEST } from "./harness/client-version.ts";
import { elements, lastDocument, partsIn } from "./harness/documents.ts";
import type { Turn } from "./harness/model-answer.ts";
import { setStage } from "./harness/stage.ts";
import { openTerminal } from "./harness/terminal.ts";

const DEMO = "24-demo";
const START = "session/.cache/session-start.json";

// 2.0.76 takes a slash command for a prompt when it comes too soon after a turn, and nothing on its screen says when that is over.
describe.skipIf(!HAS_TMUX)("on a terminal", () => {
  test("the client is given a document at its start, after /compact and after /clear", async () => {
    const stage = await setStage({ version: NEWEST });
    const { model, project } = stage;
    const terminal = openTerminal(stage);
    const said = (words: string) => model.turns().find(({ asked }) => asked.includes(words));
    const started = (source: string) => project.exists(START) && decisionOf(project).source === source;

    model.willSay(...executeProject(project, DEMO), { say: "Written." });
    await terminal.say("continue project 24", (screen) => screen.includes("Written."));
    expect(partsIn(model.turns()[0]).map(({ mode }) => mode)).toEqual(["startup"]);

    await terminal.say("/compact", () => model.summaries().length > 0 && started("compact"));
    model.willSay({ say: "At the parser." });
    await terminal.say("where were we?", (screen) => screen.includes("At the parser."));
    const document = lastDocument(said("where were we?"));
    expect(document[0]?.mode).toBe("compact");
    expect(elements(document, "resume-project").map(({ attributes }) => attributes.id)).toEqual([DEMO]);

    await terminal.say("/clear", () => started("clear"));
    await terminal.say("good morning", () => said("good morning") !== undefined);
    const last = said("good morning");
    expect(partsIn(last).map(({ mode }) => mode)).toEqual(["startup"]);
    expect(elements(partsIn(last), "resume-project")).toEqual([]);
  });

  test("what a person took back by /rewind is neither in the summary nor in the document", async () => {
    const stage = await setStage({ version: NEWEST });
    const { model, project } = stage;
    const terminal = openTerminal(stage);
    const answer = async (prompt: string, say: string, ...turns: readonly Turn[]) => {
      model.willSay(...turns, { say });
      await terminal.say(prompt, (screen) => screen.includes(say));
    };
    await answer("good morning", "Good day.");
    await answer("continue project 24", "Written.", ...executeProject(project, DEMO));
    await terminal.say("/rewind", (screen) => screen.includes("Restore the code"));
    await terminal.press("Up", (screen) => screen.includes("❯ continue project 24\n    parser.md"));
    await terminal.press("Enter", (screen) => screen.includes("Never mind"));
    await terminal.press("2", (screen) => !screen.includes("Never mind"));
    await answer("how are you?", "Fine.");
    await terminal.say("/compact", () => model.summaries().length > 0 && decisionOf(project).source === "compact");
    await answer("where were we?", "Nowhere.");

    const [summary] = model.summaries();
    expect(summary?.asked).toContain("The person's last request: how are you?");
    for (const words of [DEMO, "parser.md", "continue project"]) expect(summary?.asked).not.toContain(words);
    const document = lastDocument(model.turns().at(-1));
    expect(elements(document, "session").map(({ attributes }) => attributes.source)).toEqual(["compact"]);
    expect(elements(document, "resume-project")).toEqual([]);
  });
});
