import { describe, expect, it } from "vitest";
import { summariserGuidance } from "../../src/trail/guidance.ts";
import { renderTrail } from "../../src/trail/render.ts";
import { REFUSED, Session } from "./session.ts";

describe("requests", () => {
  it("are a person's prompts and own commands, newest first, the first one marked", () => {
    const trail = new Session()
      .prompt("build it")
      .prompt("<command-name>/compact</command-name>")
      .prompt("<command-name>/deploy</command-name>\n<command-args>staging</command-args>")
      .prompt("<local-command-stdout>x</local-command-stdout>")
      .add({ type: "user", isMeta: true, message: { content: "Caveat" } })
      .prompt("thanks")
      .trail();
    expect(trail.requests.map(({ text, kind, first }) => [text, kind, first])).toEqual([
      ["thanks", "prompt", false],
      ["/deploy staging", "command", false],
      ["build it", "prompt", true],
    ]);
  });

  it("have no first one where only the end of a session was read, and neither has the guidance", () => {
    const trail = new Session().prompt("and the tabs").says("…").prompt("now the docs").trail({ whole: false });
    expect(trail.requests.map(({ text, first }) => [text, first])).toEqual([
      ["now the docs", false],
      ["and the tabs", false],
    ]);
    const facts = { projectId: null, phase: null, currentTask: null, openTasks: [], recoverCommand: null };
    expect(summariserGuidance(trail, facts)).toBe(
      "Keep these in the summary:\n- The person's last request: now the docs\n",
    );
    expect(renderTrail(trail, { format: "md", budget: 500 }).text).not.toContain("first request");
  });

  it("have no first one where the transcript begins with a summary, as a fork's does", () => {
    const trail = new Session().compacted().prompt("go on").trail();
    expect(trail.requests.map(({ text, first }) => [text, first])).toEqual([["go on", false]]);
    const later = new Session().prompt("build it").compacted().prompt("go on").trail();
    expect(later.requests.map(({ first }) => first)).toEqual([false, true]);
  });

  it("are told no more once a person took them back, and neither is what came of them", () => {
    const trail = new Session()
      .add({ type: "user", uuid: "a", parentUuid: "p", message: { content: "the old way" } })
      .write("old.ts")
      .bash("npm test", { failed: true })
      .add({ type: "user", uuid: "b", parentUuid: "p", message: { content: "the new way" } })
      .write("new.ts")
      .trail();
    expect(trail).toMatchObject({ requests: [{ text: "the new way", first: true }], files: [{ path: "new.ts" }] });
    expect(trail).toMatchObject({ failures: [], commands: [] });
  });

  it("hold the remark with which a person refused a call, which is a stop too", () => {
    const says = `${REFUSED} To tell you how to proceed, the user said:\nuse pnpm instead`;
    const trail = new Session().prompt("go").bash("npm i", { failed: true, says }).interrupted().trail();
    expect(trail.requests[0]).toMatchObject({ kind: "remark", text: "use pnpm instead" });
    expect(trail.stops).toMatchObject([{ kind: "rejected", what: "Bash npm i" }]);
    expect(trail.commands).toMatchObject([{ outcome: "rejected" }]);
  });

  it("hold the client's own commands that hand out work", () => {
    const typed = ["review", "init", "model"].map((name) => `<command-name>/${name}</command-name>`);
    const trail = typed.reduce((session, text) => session.prompt(text), new Session()).trail();
    expect(trail.requests.map(({ text }) => text.trim())).toEqual(["/init", "/review"]);
  });

  it("hold what was typed while the agent worked", () => {
    const attachment = {
      type: "queued_command",
      prompt: "and the docs",
      commandMode: "prompt",
      origin: { kind: "human" },
    };
    const trail = new Session().prompt("go").bash("ls").add({ type: "attachment", attachment }).trail();
    expect(trail.requests.map(({ text }) => text)).toEqual(["and the docs", "go"]);
  });

  it("are told once where the same is said again at once", () => {
    const trail = new Session().prompt("go").prompt("go").says("…").prompt("on").prompt("go").trail();
    expect(trail.requests.map(({ text, first, row }) => [text, first, row])).toEqual([
      ["go", false, 4],
      ["on", false, 3],
      ["go", true, 1],
    ]);
  });

  it("leave out a sub-agent's", () => {
    const trail = new Session()
      .prompt("go")
      .add({ type: "user", isSidechain: true, message: { content: "Look it up" } })
      .trail();
    expect(trail.requests).toHaveLength(1);
  });
});

describe("stops", () => {
  it("tell an interruption with what was under way", () => {
    const trail = new Session()
      .prompt("go")
      .bash("sleep 100", { open: true })
      .interrupted()
      .prompt("stop that")
      .trail();
    expect(trail.stops).toMatchObject([{ kind: "interrupted", what: "Bash sleep 100" }]);
    expect(trail.inFlight).toMatchObject([{ state: "cut-off" }]);
  });
});

describe("a call that the person stopped", () => {
  it("is an interruption, not a refusal, and no failure", () => {
    const says = "[Request interrupted by user for tool use]";
    const trail = new Session().prompt("go").bash("npm test", { failed: true, says }).prompt(says).prompt("no").trail();
    expect(trail.stops).toMatchObject([{ kind: "interrupted", what: "Bash npm test" }]);
    expect(trail.commands).toMatchObject([{ outcome: "stopped" }]);
    expect([...trail.failures, ...trail.tests]).toEqual([]);
  });
});

describe("links and issues named by the person", () => {
  it("are found once each, newest first", () => {
    const trail = new Session()
      .prompt("see https://example.com/a_(b)?x=1#y, and #12 and acme/app#34.")
      .says("https://not.the.person/ and #99")
      .prompt("PROJ-7 (https://example.com/c) and #12 again; UTF-8, SHA-256, v1.2-3, C#7, foo-1")
      .trail();
    expect(trail.references.map(({ text }) => text)).toEqual(
      ["#12", "PROJ-7", "https://example.com/c", "acme/app#34", "https://example.com/a_(b)?x=1#y"].map((text) => text),
    );
  });
});

describe("what was pasted", () => {
  it("is no issue, though the client numbers it", () => {
    const trail = new Session().prompt("[Image #1] [Pasted text #2 +30 lines] fix #3").trail();
    expect(trail.references.map(({ text }) => text)).toEqual(["#3"]);
  });
});

describe("questions", () => {
  const asked = { questions: [{ question: "Which one?", header: "Pick", options: [{ label: "A" }, { label: "B" }] }] };

  it("asked with the tool have the person's answer, from the note or the text", () => {
    const trail = new Session()
      .call("AskUserQuestion", asked, { note: { answers: { "Which one?": "B" } } })
      .call("AskUserQuestion", asked, {
        says: 'User has answered your questions: "Which one?"="A". You can now continue.',
      })
      .call("AskUserQuestion", asked, { failed: true, says: REFUSED })
      .call("AskUserQuestion", asked, { open: true })
      .trail();
    expect(trail.questions.map(({ question, answer, state }) => [question, answer, state])).toEqual([
      ["Which one?", null, "open"],
      ["Which one?", null, "declined"],
      ["Which one?", "A", "answered"],
      ["Which one?", "B", "answered"],
    ]);
  });

  it("at the end of a turn are answered by the next prompt", () => {
    const trail = new Session()
      .says("I looked.\n\nShall I use XML?")
      .prompt("yes, XML it is")
      .says("Is this an aside? I go on.")
      .bash("ls")
      .prompt("ok")
      .says("Which?\n1. One\n2. Two")
      .trail();
    expect(trail.questions.map(({ question, answer, state }) => [question, answer, state])).toEqual([
      ["Which? 1. One 2. Two", null, "open"],
      ["Shall I use XML?", "yes, XML it is", "answered"],
    ]);
  });
});
