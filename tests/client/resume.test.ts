import { describe, expect, test } from "vitest";
import { executeProject, workingFile } from "./harness/calls.ts";
import { VERSIONS } from "./harness/client-version.ts";
import { converse } from "./harness/conversation.ts";
import { elements, lastDocument } from "./harness/documents.ts";
import { fieldOf } from "./harness/model-request.ts";
import { ask, type Stage, setStage } from "./harness/stage.ts";

const DEMO = "24-demo";

/** A session that has worked on the project; its id. */
async function worked(stage: Stage): Promise<string> {
  stage.model.willSay(...executeProject(stage.project, DEMO), { say: "Written." });
  const answer = await ask(stage, "continue project 24");
  expect(answer).toMatchObject({ failed: false, result: "Written." });
  return answer.sessionId;
}

/** What the model was given last, by the source that the document names. */
function given(stage: Stage): {
  readonly mode: string | undefined;
  readonly source: unknown;
  readonly project: unknown;
} {
  const document = lastDocument(stage.model.turns().at(-1));
  const [session] = elements(document, "session");
  const [project] = elements(document, "resume-project");
  return { mode: document[0]?.mode, source: session?.attributes.source, project: project?.attributes.id };
}

function isNamed(event: unknown): event is { readonly session_id: string } {
  return typeof fieldOf(event, "session_id") === "string";
}

describe("a session that goes on", () => {
  function expectProject(stage: Stage): void {
    expect(given(stage)).toEqual({ mode: "compact", source: "resume", project: DEMO });
    const trail = elements(lastDocument(stage.model.turns().at(-1)), "work-trail");
    expect(trail.map(({ text }) => text).join()).toContain(workingFile(DEMO));
  }

  test("by --continue gets its project back", async () => {
    const stage = await setStage();
    const before = await worked(stage);
    const answer = await ask(stage, "and now?", ["--continue"]);
    expect(answer).toMatchObject({ failed: false, sessionId: before });
    expectProject(stage);
  });

  test("by a fork is not broken into by a menu, and by --resume gets its project back beside it", async () => {
    const stage = await setStage();
    const before = await worked(stage);
    // The client names a transcript that it has still to write.
    const fork = await ask(stage, "and now?", ["--resume", before, "--fork-session"]);
    expect(fork.failed).toBe(false);
    expect(fork.sessionId).not.toBe(before);
    expect(given(stage)).toMatchObject({ source: "fork" });
    const last = stage.model.turns().at(-1);
    expect(last?.text).toContain("continue project 24");
    const actions = elements(lastDocument(last), "action").map(({ text }) => text);
    expect(actions).toContain("continue_working");
    expect(actions).not.toContain("display_menu");

    const answer = await ask(stage, "and now?", ["--resume", before]);
    expect(answer).toMatchObject({ failed: false, sessionId: before });
    expectProject(stage);
  });

  // Each has its own way of saying where a fork comes from.
  test.each(VERSIONS)(
    "by a fork of what was compacted has its project after the fork's own compaction, in %s",
    async (version) => {
      const stage = await setStage({ version });
      const before = converse(stage);
      stage.model.willSay(...executeProject(stage.project, DEMO), { say: "Written." });
      await before.say("continue project 24");
      await before.say("/compact");
      const [{ session_id: id } = { session_id: "" }] = await before
        .say("go on")
        .then((events) => events.filter(isNamed));
      await before.end();
      const fork = converse(stage, ["--resume", id, "--fork-session"]);
      await fork.say("and now?");
      // The second one begins with what the first one found.
      for (const _ of [1, 2]) {
        await fork.say("/compact");
        await fork.say("go on");
        expect(given(stage)).toEqual({ mode: "compact", source: "compact", project: DEMO });
      }
      expect(await fork.end()).toMatchObject({ code: 0, stderr: "" });
    },
  );

  test("by /clear begins anew, with nothing of the project", async () => {
    const stage = await setStage();
    const talk = converse(stage);
    stage.model.willSay(...executeProject(stage.project, DEMO), { say: "Written." });
    await talk.say("continue project 24");
    await talk.say("/clear");
    await talk.say("hello");
    expect(await talk.end()).toMatchObject({ code: 0, stderr: "" });
    expect(given(stage)).toEqual({ mode: "startup", source: "clear", project: undefined });
    const last = stage.model.turns().at(-1);
    expect(last?.text).not.toContain("continue project 24");
    // It lists the projects, as it does for any fresh session.
    expect(elements(lastDocument(last), "active-projects")).toHaveLength(1);
  });
});
