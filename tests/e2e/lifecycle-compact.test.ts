import { rmSync, symlinkSync as symlinkTo } from "node:fs";
import { describe, expect, test } from "vitest";
import { type AgentPane, saveFrom, startAgent } from "../helpers/agent-pane.ts";
import { contextText } from "../helpers/context-text.ts";
import { BARE_ENV, type Ran, runProgram } from "../helpers/run-program.ts";
import { HAS_TMUX } from "../helpers/tmux-server.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const ROLE = "oosh-expert";
const OTHER = "tester";
const ASK = `Role ${ROLE}: your context will be compacted. Bring session/agents/${ROLE}.context.md up to date now, then run ./context lifecycle.save ${ROLE} and stop there, without starting anything else.`;

function project(): Workspace {
  const workspace = makeWorkspace();
  workspace.role(ROLE);
  workspace.role(OTHER, contextText({ role: OTHER }));
  return workspace;
}

function compact(workspace: Workspace, pane: AgentPane, ...words: readonly string[]): Promise<Ran> {
  return workspace.start(["lifecycle.compact", ROLE, ...words], { cwd: workspace.root, env: pane.env }).ended;
}

const claim = (pane: AgentPane, role = ROLE) => pane.tmux("set-option", "-p", "-t", pane.id, "@role", role);

describe.skipIf(!HAS_TMUX)("lifecycle.compact", () => {
  test("asks, waits for the save, types /compact and waits until the agent is back", async () => {
    const workspace = project();
    const pane = await startAgent(workspace, ROLE, "obeys");
    claim(pane);
    const ran = await compact(workspace, pane);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout.split("\n").map((line) => line.replace(/^\S+Z {2}(\w+) +\d+\.\d s {2}/, "$1: "))).toEqual([
      `ask: typed into pane %0 (my work:0.0), found by the pane's option @role`,
      `save: ${ROLE} is saved`,
      "compact: /compact typed into pane %0 (my work:0.0)",
      `recover: ${ROLE} is recovering`,
      "",
    ]);
    expect(pane.lines()).toEqual([ASK, "/compact"]);
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "recovering", COMPACTIONS: "1", UNSAVED: "0" });
  });

  test("asks the server whose socket is named, and what it says to tell tmux goes to that server", async () => {
    const workspace = project();
    const pane = await startAgent(workspace, ROLE, "obeys");
    const words = ["lifecycle.compact", ROLE, "--dry-run", "--socket", "tmux.socket"];
    const unknown = workspace.context(words);
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("It is not known in which pane") });
    const [, told = ""] = /tell tmux: (.*)\. Panes: /.exec(unknown.stderr) ?? [];
    const ran = runProgram("sh", ["-c", told.replace("%N", pane.id)], { cwd: "/" });
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(workspace.context(words).stdout).toContain("found by the pane's option @role");
  });

  test("of several at once one goes its round, and the others say whose pane it is", async () => {
    const workspace = project();
    const pane = await startAgent(workspace, ROLE, "obeys");
    claim(pane);
    const ran = await Promise.all(Array.from({ length: 3 }, () => compact(workspace, pane, "--json")));
    expect(ran.map(({ code }) => code).sort()).toEqual([0, 4, 4]);
    for (const { code, stdout } of ran) {
      if (code === 0) continue;
      const message = /^Another lifecycle\.compact has pane %0 \(my work:0\.0\) in hand: process \d+ on /;
      const hint = `Wait for what it does: ./context lifecycle.wait ${ROLE} --for recovering.`;
      expect(JSON.parse(stdout)).toMatchObject({
        ok: false,
        error: { code: "locked", message: expect.stringMatching(message), hint },
      });
    }
    expect(pane.lines()).toEqual([ASK, "/compact"]);
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "recovering", COMPACTIONS: "1" });
    expect(pane.tmux("display-message", "-p", "-t", pane.id, "#{@context_round}")).toBe("");
  });

  test("a round that was killed holds nobody up", async () => {
    const workspace = project();
    const pane = await startAgent(workspace, ROLE, "deaf");
    claim(pane);
    const killed = workspace.start(["lifecycle.compact", ROLE], { cwd: workspace.root, env: pane.env });
    await pane.until(() => pane.lines().length === 1);
    killed.child.kill("SIGKILL");
    await killed.ended;
    expect(pane.tmux("display-message", "-p", "-t", pane.id, "#{@context_round}")).toMatch(/^\d+\//);
    expect(await compact(workspace, pane, "--save-timeout", "300ms")).toMatchObject({ code: 3 });
    expect(pane.lines()).toEqual([ASK, ASK]);
  });

  test("a round of which nobody can tell whether it goes on, as of a host that got another name, can be taken off the pane", async () => {
    const workspace = project();
    const pane = await startAgent(workspace, ROLE, "deaf");
    claim(pane);
    pane.tmux("set-option", "-p", "-t", pane.id, "@context_round", "4711/1/0-0/laptop.home");
    const refused = await compact(workspace, pane);
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining("process 4711 on laptop.home") });
    const [, told = ""] = /If it has ended, run (.*)\.\n/.exec(refused.stderr) ?? [];
    expect(runProgram("sh", ["-c", told], { cwd: "/", env: pane.env })).toMatchObject({ code: 0, stderr: "" });
    expect(pane.tmux("display-message", "-p", "-t", pane.id, "#{@context_round}")).toBe("");
    // What names no process holds nobody up.
    pane.tmux("set-option", "-p", "-t", pane.id, "@context_round", "mine");
    expect(await compact(workspace, pane, "--save-timeout", "300ms")).toMatchObject({ code: 3 });
  });

  test("knows the client by its process, whatever tmux makes of the blanks on the way to its file", async () => {
    const workspace = project();
    const program = workspace.write("bin/claude", "");
    rmSync(program);
    symlinkTo(process.execPath, program);
    const pane = await startAgent(workspace, ROLE, "obeys", { program });
    claim(pane);
    expect(pane.tmux("display-message", "-p", "#{pane_current_command}")).toBe("projet");
    expect(await compact(workspace, pane)).toMatchObject({ code: 0, stderr: "" });
    expect(pane.lines()).toEqual([ASK, "/compact"]);
  });

  test("asks for nothing where the role is saved and its file is as it was, but with --ask or after an edit", async () => {
    const workspace = project();
    const pane = await startAgent(workspace, ROLE, "obeys");
    await saveFrom(pane, workspace, ROLE);
    const ran = await compact(workspace, pane, "--json");
    expect(ran.code).toBe(0);
    const json: unknown = JSON.parse(ran.stdout);
    expect(json).toMatchObject({
      schema_version: 1,
      ok: true,
      role: ROLE,
      dry_run: false,
      pane: { id: pane.id, address: pane.address },
      state: "recovering",
      compactions: 1,
      steps: [
        { step: "ask", outcome: "skipped" },
        { step: "compact", outcome: "done" },
        { step: "recover", outcome: "done" },
      ],
    });
    expect(pane.lines()).toEqual(["save", "/compact"]);
    await pane.until(() => !pane.screen().includes("Working"));
    await saveFrom(pane, workspace, ROLE);
    expect((await compact(workspace, pane, "--dry-run")).stdout).not.toContain("Type: Role");
    expect((await compact(workspace, pane, "--dry-run", "--ask")).stdout).toContain(`Type: ${ASK}\n`);
    workspace.role(ROLE, `${contextText({ role: ROLE })}\nOne line more.\n`);
    expect((await compact(workspace, pane, "--dry-run")).stdout).toContain(`Type: ${ASK}\n`);
  });

  test("a dry run tells the pane and the keys, and types nothing", async () => {
    const workspace = project();
    const pane = await startAgent(workspace, ROLE, "obeys");
    claim(pane);
    const before = pane.screen();
    const ran = await compact(workspace, pane, "--dry-run");
    expect(ran).toMatchObject({ code: 0, stderr: "Nothing was typed.\n" });
    expect(ran.stdout).toBe(
      `Pane %0 (my work:0.0), found by the pane's option @role.\nType: ${ASK}\nPress: Enter\nWait up to 600 s for: saved\nType: /compact\nPress: Enter\nWait up to 600 s for: recovering, active\n`,
    );
    const json: unknown = JSON.parse((await compact(workspace, pane, "--dry-run", "--json")).stdout);
    expect(json).toMatchObject({ ok: true, dry_run: true, keys: [ASK, "Enter", "/compact", "Enter"], steps: [] });
    expect(pane.lines()).toEqual([]);
    expect(pane.screen()).toBe(before);
    expect(workspace.state(ROLE)).toEqual({});
  });

  test("says at which step the time was over: an agent that does not save", async () => {
    const workspace = project();
    const pane = await startAgent(workspace, ROLE, "deaf");
    claim(pane);
    const ran = await compact(workspace, pane, "--save-timeout", "700ms");
    expect(ran.code).toBe(3);
    expect(ran.stdout).toMatch(/ {2}save +\d+\.\d s {2}timed-out: /);
    expect(ran.stderr).toContain(`${ROLE} has not saved within 0.7 s after it was asked; it is without a machine.`);
    expect(ran.stderr).toContain("--save-timeout");
    expect(pane.lines()).toEqual([ASK]);
  });

  test("says at which step the time was over: an agent that saves and does not compact", async () => {
    const workspace = project();
    const pane = await startAgent(workspace, ROLE, "saves-only");
    claim(pane);
    const ran = await compact(workspace, pane, "--compact-timeout", "4s", "--json");
    expect(ran.code).toBe(3);
    const json: unknown = JSON.parse(ran.stdout);
    expect(json).toMatchObject({
      ok: false,
      error: { code: "timed-out", message: `${ROLE} has not come back within 4 s after /compact; it is saved.` },
      steps: [{ step: "ask" }, { step: "save" }, { step: "compact" }, { step: "recover", outcome: "timed-out" }],
    });
    expect(pane.lines()).toEqual([ASK, "/compact"]);
  });

  test("tells that a save was tried and is not good, and takes the good one that follows", async () => {
    const workspace = project();
    const pane = await startAgent(workspace, ROLE, "obeys");
    claim(pane);
    workspace.role(ROLE, "# nothing\n");
    const running = compact(workspace, pane);
    await pane.until(() => workspace.state(ROLE).CURRENT === "saving");
    workspace.role(ROLE);
    workspace.context(`lifecycle.save ${ROLE}`);
    const ran = await running;
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain(`${ROLE} tried to save, and its context file is not valid`);
  });
});

describe.skipIf(!HAS_TMUX)("lifecycle.compact types nothing", () => {
  async function refused(workspace: Workspace, pane: AgentPane, ...words: readonly string[]): Promise<string> {
    const lines = pane.lines();
    const screen = pane.screen();
    const ran = await compact(workspace, pane, ...words);
    expect({ code: ran.code, lines: pane.lines(), screen: pane.screen() }).toEqual({ code: 1, lines, screen });
    return ran.stderr;
  }

  test("into the shell that is back where the agent was", async () => {
    const workspace = project();
    const pane = await startAgent(workspace, ROLE, "obeys", { shell: true });
    claim(pane);
    await saveFrom(pane, workspace, ROLE);
    pane.tmux("send-keys", "-t", pane.id, "C-d");
    await pane.until(() => pane.screen().trimEnd().endsWith("ready>"));
    for (const words of [[], ["--any-screen", "--ask"], ["--any-screen", "--pane", pane.id]]) {
      expect(await refused(workspace, pane, ...words)).toMatch(
        /The client of oosh-expert, process \d+, has ended; pane %0.* runs "sh"/,
      );
    }
  });

  test("into a shell of which only the option @role says that it is the agent", async () => {
    const workspace = project();
    const pane = await startAgent(workspace, ROLE, "obeys", { shell: true });
    claim(pane);
    pane.tmux("send-keys", "-t", pane.id, "C-d");
    await pane.until(() => pane.screen().trimEnd().endsWith("ready>"));
    expect(await refused(workspace, pane, "--any-screen")).toContain('runs "sh", expected the client');
    // Nor does a role that is saved wait for its agent to come to rest where there is none.
    workspace.context(`lifecycle.save ${ROLE}`);
    expect(await compact(workspace, pane, "--compact-timeout", "15s")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('runs "sh", expected the client'),
    });
  });

  test("while the agent is in the background of its shell", async () => {
    const workspace = project();
    const pane = await startAgent(workspace, ROLE, "obeys", { shell: true });
    await saveFrom(pane, workspace, ROLE);
    const pid = Number(workspace.state(ROLE).OWNER_PROCESS?.split("/")[0]);
    process.kill(pid, "SIGSTOP");
    await pane.until(() => pane.screen().trimEnd().endsWith("ready>"));
    expect(await refused(workspace, pane, "--any-screen")).toMatch(/is stopped|in the background/);
    process.kill(pid, "SIGCONT");
    expect(await refused(workspace, pane, "--any-screen")).toContain(
      'in the background of pane %0 (my work:0.0); "sh" has the keyboard',
    );
  });

  test("into a pane that is another role's by its option, its title or its session", async () => {
    const workspace = project();
    const pane = await startAgent(workspace, OTHER, "obeys");
    claim(pane, OTHER);
    expect(await refused(workspace, pane)).toContain("It is not known in which pane oosh-expert runs");
    expect(await refused(workspace, pane, "--pane", pane.id)).toContain(
      `is "${OTHER}" by its option @role, expected "${ROLE}"`,
    );
    claim(pane, "x,}#{pid}");
    expect(await refused(workspace, pane, "--pane", pane.address)).toContain('is "x,}#{pid}" by its option @role');
    pane.tmux("set-option", "-p", "-u", "-t", pane.id, "@role");
    pane.tmux("select-pane", "-t", pane.id, "-T", OTHER);
    expect(await refused(workspace, pane, "--pane", pane.id)).toContain(`is "${OTHER}" by its title`);
    pane.tmux("select-pane", "-t", pane.id, "-T", "a title");
    await saveFrom(pane, workspace, OTHER);
    expect(await refused(workspace, pane, "--pane", pane.id)).toContain(`is where a session of ${OTHER} runs`);
    const registry = workspace.write("roles", `${pane.address}|${OTHER}|1\n`);
    const told = await compact(
      workspace,
      { ...pane, env: { ...pane.env, HIVEMIND_ROLES_FILE: registry } },
      "--pane",
      pane.id,
    );
    expect(told).toMatchObject({ code: 1 });
    expect(told.stderr).toContain(`is "${OTHER}" by ${registry}`);
  });

  test("into another pane than the one in which the role's client runs", async () => {
    const workspace = project();
    const pane = await startAgent(workspace, ROLE, "obeys");
    await saveFrom(pane, workspace, ROLE);
    pane.tmux("split-window", "-d", "-t", pane.id, "cat");
    expect(await refused(workspace, pane, "--pane", "%1", "--any-screen")).toContain(
      'does not run in pane %1 (my work:0.1), which runs "cat"',
    );
  });

  test("while a question is open, or text stands on the input line", async () => {
    for (const [manner, typed, said] of [
      ["asks", "", "No input line is to be seen in pane %0"],
      ["obeys", "half a sentence of a person", "Text stands on the input line of pane %0"],
    ] as const) {
      const workspace = project();
      const pane = await startAgent(workspace, ROLE, manner, { typed });
      claim(pane);
      expect(await refused(workspace, pane)).toContain(said);
    }
  });

  test("in copy mode, unless it may be left", async () => {
    const workspace = project();
    const pane = await startAgent(workspace, ROLE, "obeys");
    claim(pane);
    pane.tmux("copy-mode", "-t", pane.id);
    expect(await refused(workspace, pane)).toContain("is in copy mode");
    const dry = await compact(workspace, pane, "--leave-copy-mode", "--dry-run");
    expect(dry).toMatchObject({ code: 0 });
    expect(pane.tmux("display-message", "-p", "-t", pane.id, "#{pane_in_mode}")).toBe("1");
    expect(await compact(workspace, pane, "--leave-copy-mode")).toMatchObject({ code: 0 });
    expect(pane.lines()).toEqual([ASK, "/compact"]);
  });

  test("into the pane that it runs in itself", async () => {
    const workspace = project();
    const pane = await startAgent(workspace, ROLE, "obeys");
    claim(pane);
    const own = { ...pane, env: { ...pane.env, TMUX_PANE: pane.id } };
    expect(await refused(workspace, own)).toContain("is the one that this command runs in");
  });

  test("to a role that compacts or is stuck, and says the way out", async () => {
    const workspace = project();
    const pane = await startAgent(workspace, ROLE, "obeys");
    claim(pane);
    workspace.context("pre-compact", { env: { HIVEMIND_ROLE: ROLE }, input: '{"trigger":"manual"}' });
    expect(await refused(workspace, pane)).toMatch(
      /is compacting since .*\n.*lifecycle.wait oosh-expert --for recovering,active/,
    );
    workspace.setState(ROLE, { SINCE: "2026-01-01T00:00:00.000Z" });
    expect(await refused(workspace, pane)).toMatch(
      /is stuck in "compacting" since .*\n.*lifecycle.recover oosh-expert/,
    );
  });
});

describe.skipIf(!HAS_TMUX)("lifecycle.compact and hostile text", () => {
  test.each([
    `-x $(touch "$HOME/x") \`touch y\` 'single' "double" #{pid} #(touch z) {a} ; \\; ~ %0 é 漢 \\n; {role};`,
    "- ends in an escaped semicolon \\;",
  ])("types %j as it stands", async (sentence) => {
    const workspace = project();
    workspace.write("context.yaml", `compact:\n  ask: ${JSON.stringify(sentence)}\n`);
    const pane = await startAgent(workspace, ROLE, "obeys");
    claim(pane);
    const before = workspace.list(".");
    const ran = await compact(workspace, pane);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(pane.lines()).toEqual([sentence.replace("{role}", ROLE), "/compact"]);
    expect(workspace.list(".")).toEqual(before);
  });

  test("a sentence that the client would run as a command is reported, and the default is asked", async () => {
    const workspace = project();
    workspace.write("context.yaml", 'compact: {ask: "!touch x"}\n');
    const pane = await startAgent(workspace, ROLE, "obeys");
    claim(pane);
    const ran = await compact(workspace, pane, "--dry-run");
    expect(ran.stdout).toContain(`Type: ${ASK}\n`);
    expect(ran.stderr).toContain("context.yaml: compact.ask:");
  });

  test("refuses a role that is none, and tells of one that nobody knows", async () => {
    const workspace = project();
    for (const role of ["$(touch x)", "a;b", "#{pid}"])
      expect(workspace.context(["lifecycle.compact", role])).toMatchObject({ code: 2, stdout: "" });
    const ran = workspace.context("lifecycle.compact oosh-exprt");
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toContain('Did you mean "oosh-expert"?');
    expect(workspace.exists("x")).toBe(false);
  });
});

describe.skipIf(!HAS_TMUX)("lifecycle.compact and its end", () => {
  test("an interrupt while it waits ends it, and types no more", async () => {
    const workspace = project();
    const pane = await startAgent(workspace, ROLE, "deaf");
    claim(pane);
    const { child, ended } = workspace.start(["lifecycle.compact", ROLE], { cwd: workspace.root, env: pane.env });
    await pane.until(() => pane.lines().length > 0);
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ code: 130 });
    expect(pane.lines()).toEqual([ASK]);
  });

  test("an interrupt between the text and Enter takes the text back", async () => {
    const workspace = project();
    const pane = await startAgent(workspace, ROLE, "late");
    claim(pane);
    const { child, ended } = workspace.start(["lifecycle.compact", ROLE], { cwd: workspace.root, env: pane.env });
    // So slow an agent has not shown the text yet, and Enter is not pressed before it does.
    await pane.until(() => pane.heard());
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
    // What was typed takes such an agent two seconds to read: by then it has read the taking back too.
    await new Promise((resolve) => setTimeout(resolve, 3000));
    await pane.until(() => /❯\s*\n─/.test(pane.screen()));
    expect(pane.lines()).toEqual([]);
  });

  test("an agent that ends while it is waited for is not waited for any longer", async () => {
    const workspace = project();
    const pane = await startAgent(workspace, ROLE, "saves-only", { shell: true });
    await saveFrom(pane, workspace, ROLE);
    const running = compact(workspace, pane);
    await pane.until(() => pane.lines().includes("/compact"));
    pane.tmux("send-keys", "-t", pane.id, "C-d");
    const ran = await running;
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(`The client of ${ROLE} ended while it was waited for.`);
  });

  test("says that tmux is not there, or that no server runs", () => {
    const workspace = project();
    const node = process.execPath.replace(/\/[^/]*$/, "");
    const bin = workspace.path("bin");
    workspace.write("bin/keep", "");
    for (const program of ["sh", "dirname", "readlink", "env"]) {
      const target = `/usr/bin/${program}`;
      symlinkTo(target, `${bin}/${program}`);
    }
    symlinkTo(`${node}/node`, `${bin}/node`);
    const absent = workspace.context(`lifecycle.compact ${ROLE}`, { env: { PATH: bin } });
    expect(absent).toMatchObject({ code: 1, stdout: "" });
    expect(absent.stderr).toContain("tmux is not found on the PATH");
    const none = workspace.context(["lifecycle.compact", ROLE, "--socket", workspace.path("none")], { env: BARE_ENV });
    expect(none).toMatchObject({ code: 1, stdout: "" });
    expect(none.stderr).toContain("No tmux server answers");
  });
});
