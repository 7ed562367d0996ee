import { describe, expect, test } from "vitest";
import { contextText } from "../helpers/context-text.ts";
import type { Workspace } from "../helpers/workspace.ts";
import { AUTO_COMPACT, FULL } from "./harness/auto-compact.ts";
import { executeProject, runCommand, workingFile } from "./harness/calls.ts";
import { VERSIONS } from "./harness/client-version.ts";
import { converse } from "./harness/conversation.ts";
import { elements, lastDocument } from "./harness/documents.ts";
import { makeProject, ROLE } from "./harness/project.ts";
import { ask, setStage } from "./harness/stage.ts";

const DEMO = "24-demo";

/** The states that a role went through, oldest first. */
function statesOf(project: Workspace): readonly string[] {
  const ran = project.context(["lifecycle.history", ROLE, "--json"]);
  const { entries }: { entries: { from: string; to: string }[] } = JSON.parse(ran.stdout);
  return entries.map(({ to }) => to);
}

function savedProject(): Workspace {
  const project = makeProject();
  project.role(ROLE);
  expect(project.context(["lifecycle.init", ROLE]).code).toBe(0);
  expect(project.context(["lifecycle.save", ROLE])).toMatchObject({ code: 0, stderr: "" });
  return project;
}

describe.each(VERSIONS)("a compaction in %s", (version) => {
  test.each(["manual", "automatic"] as const)("that is %s brings project and role back", async (kind) => {
    const project = savedProject();
    const env = { HIVEMIND_ROLE: ROLE, ...(kind === "automatic" ? AUTO_COMPACT : {}) };
    const stage = await setStage({ version, project, env });
    const recover = { call: [runCommand(`./context recover ${ROLE}`)] };
    const [first, second, last] = executeProject(project, DEMO);
    if (first === undefined || second === undefined || last === undefined) throw new Error("three turns are needed");
    if (kind === "automatic") {
      // The client writes down what was called within a tenth of a second, and a hook may be quicker.
      const wait = { call: [runCommand("sleep 0.5")], ...FULL };
      stage.model.willSay(first, second, last, wait, recover, { say: "I am back." });
      expect(await ask(stage, "continue project 24")).toMatchObject({ failed: false, result: "I am back." });
    } else {
      const talk = converse(stage);
      stage.model.willSay(first, second, last, { say: "Written." });
      await talk.say("continue project 24");
      await talk.say("/compact");
      stage.model.willSay(recover, { say: "I am back." });
      await talk.say("go on");
      expect(await talk.end()).toMatchObject({ code: 0, stderr: "" });
    }

    expect(stage.model.summaries()).toHaveLength(1);
    const [summary] = stage.model.summaries();
    for (const words of [DEMO, "Parse the transcript", workingFile(DEMO), `./context recover ${ROLE}`]) {
      expect(summary?.asked).toContain(words);
    }

    const request = stage.model.turns().find(({ text }) => text.includes("SUMMARY-OF-THE-STAND-IN"));
    const document = lastDocument(request);
    expect(document.map(({ part, of }) => `${part}/${of}`)).toEqual(
      document.map((_, at) => `${at + 1}/${document.length}`),
    );
    expect(document[0]?.mode).toBe("compact");
    expect(elements(document, "resume-project").map(({ attributes }) => attributes)).toMatchObject([
      { id: DEMO, phase: "execution" },
    ]);
    expect(elements(document, "context-file").map(({ text }) => text.trim())).toEqual([contextText().trim()]);
    expect(
      elements(document, "work-trail")
        .map(({ text }) => text)
        .join(),
    ).toContain(workingFile(DEMO));

    const back = stage.model.turns().at(-1);
    expect(back?.asked).toContain("Task 10: session ids");
    expect(statesOf(project)).toEqual(["saving", "saved", "compacting", "recovering", "active"]);
    expect(project.state(ROLE)).toMatchObject({ CURRENT: "active", COMPACTIONS: "1", UNSAVED: "0" });
  });
});
