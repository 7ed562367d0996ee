import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { runProgram } from "../helpers/run-program.ts";
import { HAS_TMUX } from "../helpers/tmux-server.ts";
import { runCommand } from "./harness/calls.ts";
import { NEWEST } from "./harness/client-version.ts";
import { makeProject, ROLE } from "./harness/project.ts";
import { setStage } from "./harness/stage.ts";
import { openTerminal } from "./harness/terminal.ts";

describe.skipIf(!HAS_TMUX)("lifecycle.compact", () => {
  test("asks the client in its pane to save, has it compact, and brings it back", async () => {
    const project = makeProject();
    project.role(ROLE);
    const stage = await setStage({ version: NEWEST, project, env: { HIVEMIND_ROLE: ROLE } });
    const { model } = stage;
    const terminal = openTerminal(stage);
    const socket = join(stage.home.root, "tmux");
    const tmux = (...words: readonly string[]) =>
      runProgram("tmux", ["-u", "-S", socket, ...words], { cwd: project.root, env: stage.env }).stdout;
    const start = (...words: readonly string[]) =>
      project.start(["lifecycle.compact", ROLE, "--socket", socket, ...words], { cwd: project.root }).ended;
    model.willSay({ say: "Ready to work." });
    await terminal.say("good morning", (screen) => screen.includes("Ready to work."));
    tmux("set-option", "-p", "-t", "client", "@role", ROLE);
    // The answer stands there before the client's turn is over, and only then is its input line to be seen.
    const screen = () => tmux("capture-pane", "-p", "-t", "client");
    for (let before = "", still = 0; still < 4; still = screen() === before ? still + 1 : 0) {
      before = screen();
      await sleep(250);
    }

    model.willSay({ call: [runCommand(`./context lifecycle.save ${ROLE}`)] }, { say: "It is saved." });
    const ran = await start("--json", "--compact-timeout", "60s");
    expect(ran, ran.stdout).toMatchObject({ code: 0, stderr: "" });
    const json: unknown = JSON.parse(ran.stdout);
    expect(json).toMatchObject({ ok: true, state: "recovering", compactions: 1 });
    expect(model.summaries()).toHaveLength(1);
    expect(
      model.turns().some(({ asked }) => asked.includes(`then run ./context lifecycle.save ${ROLE} and stop`)),
    ).toBe(true);
    // The session that saved is the pane's own: it is found without the option from now on.
    tmux("set-option", "-p", "-u", "-t", "client", "@role");
    expect(project.state(ROLE)).toMatchObject({ UNSAVED: "0", OWNER_PANE: expect.stringContaining("@") });

    tmux("send-keys", "-t", "client", "-l", "--", "half a sentence");
    // The client may be at work still, and draw it later.
    for (const end = Date.now() + 30_000; !screen().includes("half a sentence") && Date.now() < end; ) await sleep(100);
    const busy = await start();
    expect(busy).toMatchObject({ code: 1 });
    expect(busy.stderr).toContain("Text stands on the input line");
    tmux("send-keys", "-t", "client", "C-u");

    model.willSay({ call: [{ name: "WebFetch", input: { url: "http://example.com/x", prompt: "y" } }] });
    await terminal.say("please fetch", (screen) => screen.includes("1. Yes"));
    const asked = await start();
    expect(asked).toMatchObject({ code: 1 });
    expect(asked.stderr).toContain("No input line is to be seen");
    expect(tmux("capture-pane", "-p", "-t", "client")).toContain("1. Yes");
  });
});
