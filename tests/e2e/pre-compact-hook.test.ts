import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contextText, INVALID_TEXTS } from "../helpers/context-text.ts";
import { type Ran, runProgram, startProgram } from "../helpers/run-program.ts";
import { HAS_TERMINAL, onTerminal } from "../helpers/terminal.ts";
import { machineFile, makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const ROLE = "oosh-expert";
const ENV = { HIVEMIND_ROLE: ROLE };
const PAYLOAD = {
  session_id: "b9ff7b48-ef86",
  hook_event_name: "PreCompact",
  trigger: "manual",
  custom_instructions: "",
};
const JSON_PAYLOAD = JSON.stringify(PAYLOAD);

function project(text?: string): Workspace {
  const workspace = makeWorkspace();
  workspace.role(ROLE, text);
  return workspace;
}

function hook(
  workspace: Workspace,
  input: string | Uint8Array,
  words = "pre-compact",
  env: Readonly<Record<string, string>> = {},
): Ran {
  return workspace.context(words, { input, env: { ...ENV, ...env } });
}

describe("what comes on standard input", () => {
  test.each([
    ["a payload", JSON_PAYLOAD],
    ["a payload after a BOM", `\uFEFF${JSON_PAYLOAD}`],
    ["a payload between blank lines", `\r\n ${JSON_PAYLOAD}\r\n\n`],
    ["a payload with keys of a version to come", JSON.stringify({ ...PAYLOAD, later: { a: [1] }, trigger: "idle" })],
  ])("%s is taken, and stdout is {} and nothing else", (_what, input) => {
    const workspace = project();
    expect(hook(workspace, input)).toEqual({ code: 0, signal: null, stdout: "{}\n", stderr: "" });
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "compacting", SESSION_ID: PAYLOAD.session_id });
  });

  test.each([
    ["nothing", ""],
    ["blanks", " \n\n"],
    ["an object without a word of ours", "{}"],
    ["a session id that is no name", JSON.stringify({ ...PAYLOAD, session_id: "../../x\n" })],
    ["a session id that is a device's name", JSON.stringify({ ...PAYLOAD, session_id: "CON" })],
    ["a session id that is a number", JSON.stringify({ ...PAYLOAD, session_id: 5 })],
  ])("%s is no fault: the compaction is on record without a session", (_what, input) => {
    const workspace = project();
    expect(hook(workspace, input)).toEqual({ code: 0, signal: null, stdout: "{}\n", stderr: "" });
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "compacting" });
    expect(workspace.state(ROLE)).not.toHaveProperty("SESSION_ID");
  });

  test.each([
    ["a lone BOM", "\uFEFF"],
    ["a BOM before blanks", "\uFEFF \r\n"],
  ])("%s is no payload: nothing is done or told", (_what, input) => {
    const workspace = project(INVALID_TEXTS.title);
    for (const [words, stdout] of [
      ["pre-compact", "{}\n"],
      ["pre-compact --guidance", ""],
      ["pre-compact --require-saved", "{}\n"],
    ] as const) {
      expect(hook(workspace, input, words), words).toEqual({ code: 0, signal: null, stdout, stderr: "" });
    }
    expect(workspace.list("session")).toEqual(["agents"]);
  });

  test.each([
    ["an unterminated string", '{"session_id":"b9ff'],
    ["an unterminated object", '{"session_id":"b9ff"'],
    ["a list", "[1]"],
    ["null", "null"],
    ["a word", "hello"],
    ["bytes that are no text", Buffer.from([0xff, 0xfe, 0x00])],
    ["a payload of 20 MB", JSON.stringify({ ...PAYLOAD, tool_response: "x".repeat(20 * 1024 * 1024) })],
  ])("%s is {} and one line on stderr", (_what, input) => {
    const ran = hook(project(), input);
    expect(ran).toMatchObject({ code: 0, signal: null, stdout: "{}\n" });
    expect(ran.stderr).toMatch(/^context: standard input .*\n$/);
  });

  test("a payload of 5 MB in Chinese is read as UTF-8 in any locale", () => {
    const text = "漢字と한글🚀".repeat(200_000);
    const input = JSON.stringify({ ...PAYLOAD, cwd: "/家/é", custom_instructions: text });
    for (const env of [{ LANG: "C", LC_ALL: "C" }, { LC_ALL: "zh_CN.GBK" }]) {
      const workspace = project(contextText({ pane: "漢字", title: "# 漢字 — Context" }));
      expect(hook(workspace, input, "pre-compact", env)).toMatchObject({ code: 0, stdout: "{}\n", stderr: "" });
      expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "compacting", SESSION_ID: PAYLOAD.session_id });
      expect(workspace.context("recover", { env: { ...ENV, ...env } }).stdout).toContain("# 漢字 — Context");
    }
  });
});

/** Far more than the 250 ms that a client may be silent, on a machine of thirty times the load; who waits for an end waits for ever. */
const BOUND_MS = 30_000;

describe("a standard input that does not end", () => {
  test("is given up where nothing comes", async () => {
    const workspace = project();
    const { ended } = workspace.start(["pre-compact"], { cwd: workspace.root, env: ENV });
    const ran = await ended;
    expect(ran).toMatchObject({ code: 0, stdout: "{}\n", stderr: "" });
    expect(ran.ms).toBeLessThan(BOUND_MS);
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "compacting" });
  });

  test("is not waited for once a whole value has come, in pieces too", async () => {
    const workspace = project();
    const { child, ended } = workspace.start(["pre-compact"], {
      cwd: workspace.root,
      env: { ...ENV, CONTEXT_STDIN_IDLE_MS: "60000" },
    });
    const bytes = Buffer.from(JSON.stringify({ ...PAYLOAD, custom_instructions: "漢字 } {" }));
    for (const byte of bytes) child.stdin?.write(Uint8Array.of(byte));
    const ran = await ended;
    expect(ran).toMatchObject({ code: 0, stdout: "{}\n", stderr: "" });
    expect(ran.ms).toBeLessThan(BOUND_MS);
    expect(workspace.state(ROLE)).toMatchObject({ SESSION_ID: PAYLOAD.session_id });
  });

  test.each([
    ["a lone BOM", "\uFEFF", false],
    ["a newline", "\n", true],
  ])("that brings %s is given up without a word", async (_what, sent, moves) => {
    const workspace = project();
    const { child, ended } = workspace.start(["pre-compact"], { cwd: workspace.root, env: ENV });
    child.stdin?.write(sent);
    expect(await ended).toMatchObject({ code: 0, stdout: "{}\n", stderr: "" });
    expect(workspace.exists(machineFile(ROLE))).toBe(moves);
  });

  test("is given up in the middle of a value, and that is told", async () => {
    const workspace = project();
    const { child, ended } = workspace.start(["pre-compact"], { cwd: workspace.root, env: ENV });
    child.stdin?.write(JSON_PAYLOAD.slice(0, 30));
    const ran = await ended;
    expect(ran).toMatchObject({ code: 0, stdout: "{}\n" });
    expect(ran.stderr).toBe("context: standard input ended in the middle of its JSON\n");
    expect(ran.ms).toBeLessThan(BOUND_MS);
  });

  test.skipIf(!HAS_TERMINAL)("is not read where it is a terminal", () => {
    const workspace = project();
    const started = performance.now();
    expect(onTerminal("./context pre-compact", { cwd: workspace.root, env: ENV })).toBe("{}\r\n");
    expect(performance.now() - started).toBeLessThan(BOUND_MS);
  });
});

describe("an unusual standard stream", () => {
  test.each([
    ["a closed stdin", "./context pre-compact <&-", "{}\n"],
    ["/dev/null as stdin", "./context pre-compact </dev/null", "{}\n"],
    ["a folder as stdin", "./context pre-compact <.", "{}\n"],
    ["a file as stdin", "./context pre-compact <payload.json", "{}\n"],
    ["a closed stdout", "./context pre-compact <payload.json >&-", ""],
    ["a closed stderr", "./context pre-compact <broken.json 2>&-", "{}\n"],
    ["a full device as stdout", "./context pre-compact <payload.json >/dev/full", ""],
    ["no stream at all", "./context pre-compact <&- >&- 2>&-", ""],
  ])("%s is no fault", (_what, line, stdout) => {
    const workspace = project();
    workspace.write("payload.json", JSON_PAYLOAD);
    workspace.write("broken.json", "{");
    expect(runProgram("sh", ["-c", line], { cwd: workspace.root, env: ENV })).toMatchObject({ code: 0, stdout });
  });

  test("a reader that has gone away does not keep the state from being written", () => {
    const workspace = project();
    workspace.write("payload.json", JSON_PAYLOAD);
    const line = '{ ./context pre-compact --guidance <payload.json; echo "code $?" >&2; } | :';
    expect(runProgram("sh", ["-c", line], { cwd: workspace.root, env: ENV }).stderr).toBe("code 0\n");
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "compacting" });
  });

  test("a socket as stdin is read, and not waited for", async () => {
    const workspace = project();
    const folder = mkdtempSync(join(tmpdir(), "context-socket-"));
    const server = createServer((socket) => socket.write(JSON_PAYLOAD));
    await new Promise<void>((resolve) => server.listen(join(folder, "s"), resolve));
    try {
      // Node hands its children pipes that are sockets where it is told to.
      const program = `
        const { connect } = require("node:net");
        const { spawn } = require("node:child_process");
        const socket = connect(process.argv[1], () => {
          const child = spawn("./context", ["pre-compact"], { stdio: [socket, "inherit", "inherit"] });
          child.on("exit", (code) => process.exit(code));
        });`;
      const { ended } = startProgram(process.execPath, ["-e", program, join(folder, "s")], {
        cwd: workspace.root,
        env: ENV,
      });
      const ran = await ended;
      expect(ran).toMatchObject({ code: 0, stdout: "{}\n", stderr: "" });
      expect(ran.ms).toBeLessThan(BOUND_MS);
      expect(workspace.state(ROLE)).toMatchObject({ SESSION_ID: PAYLOAD.session_id });
    } finally {
      server.close();
      rmSync(folder, { recursive: true });
    }
  });
});

describe("the role", () => {
  test("that is not set is no fault, and nothing is made", () => {
    const workspace = project();
    for (const env of [{}, { HIVEMIND_ROLE: "" }]) {
      expect(workspace.context("pre-compact", { input: JSON_PAYLOAD, env })).toMatchObject({
        code: 0,
        stdout: "{}\n",
        stderr: "",
      });
      expect(workspace.context("pre-compact --guidance", { input: JSON_PAYLOAD, env })).toMatchObject({
        code: 0,
        stdout: "",
        stderr: "",
      });
    }
    expect(workspace.list("session")).toEqual(["agents"]);
  });

  test.each(["Bad Role", "../../x", "a_b", "con", "é", "a".repeat(200), "$(touch pwned)"])(
    "%j is refused, and the summariser is told",
    (role) => {
      const workspace = project();
      const ran = hook(workspace, JSON_PAYLOAD, "pre-compact", { HIVEMIND_ROLE: role });
      expect(ran).toMatchObject({ code: 0, stdout: "{}\n" });
      expect(ran.stderr).toMatch(/^context: HIVEMIND_ROLE: Role .*\n$/);
      const told = hook(workspace, JSON_PAYLOAD, "pre-compact --guidance", { HIVEMIND_ROLE: role });
      expect(told.code).toBe(0);
      expect(told.stdout).toMatch(/^Keep in the summary which role .* HIVEMIND_ROLE: Role .* recover <role>\n$/);
      expect(workspace.list("session")).toEqual(["agents"]);
    },
  );

  test("without a context file compacts all the same, and that is told", () => {
    const workspace = makeWorkspace();
    const ran = hook(workspace, JSON_PAYLOAD);
    expect(ran).toMatchObject({ code: 0, stdout: "{}\n" });
    expect(ran.stderr).toBe("context: Context not saved: session/agents/oosh-expert.context.md does not exist.\n");
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "compacting", UNSAVED: "1" });
  });

  test("whose context file is not valid compacts unsaved, and the findings are told", () => {
    const workspace = project(INVALID_TEXTS.title);
    const ran = hook(workspace, JSON_PAYLOAD);
    expect(ran).toMatchObject({ code: 0, stdout: "{}\n" });
    expect(ran.stderr).toMatch(
      /^context: Context not saved: .* 1 error\. .*\ncontext: session\/agents\/.*:1:\d+ title /,
    );
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "compacting", UNSAVED: "1" });
    expect(workspace.context("lifecycle.status").stdout).toContain("1 (last one unsaved)");
    workspace.role(ROLE);
    workspace.context(`lifecycle.recover ${ROLE}`);
    workspace.context(`lifecycle.save ${ROLE}`);
    expect(workspace.state(ROLE)).toMatchObject({ UNSAVED: "0", COMPACTIONS: "1" });
  });

  test("is found from the project that the client names, wherever the agent has gone", () => {
    const workspace = project();
    const other = makeWorkspace();
    const ran = runProgram(workspace.path("context"), ["pre-compact"], {
      cwd: other.root,
      input: JSON.stringify({ ...PAYLOAD, cwd: other.root }),
      env: { ...ENV, CLAUDE_PROJECT_DIR: workspace.root },
    });
    expect(ran).toMatchObject({ code: 0, stdout: "{}\n", stderr: "" });
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "compacting" });
    expect(other.list("session")).toEqual(["agents"]);
  });
});

test.each(["SessionStart", "Stop"])(
  "registered at %s by mistake, moves no role: nothing is compacted there",
  (event) => {
    const workspace = project();
    const start = { ...PAYLOAD, hook_event_name: event, trigger: undefined, source: "startup" };
    expect(hook(workspace, JSON.stringify(start))).toMatchObject({ code: 0, stdout: "{}\n" });
    expect(workspace.state(ROLE)).toEqual({});
    expect(workspace.context(`lifecycle.save ${ROLE}`).code).toBe(0);
    hook(workspace, JSON.stringify(start));
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "saved" });
  },
);

describe("a compaction that was given up", () => {
  test("is not one that never ended: the next one begins anew", () => {
    const workspace = project();
    hook(workspace, JSON_PAYLOAD);
    const first = workspace.state(ROLE).SINCE;
    expect(hook(workspace, JSON_PAYLOAD)).toMatchObject({ code: 0, stdout: "{}\n", stderr: "" });
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "compacting", COMPACTIONS: "2" });
    expect(workspace.state(ROLE).SINCE).not.toBe(first);
    // In the middle the agent worked on, so the file as it is now is what counts.
    workspace.role(ROLE, INVALID_TEXTS.title);
    hook(workspace, JSON_PAYLOAD);
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "compacting", UNSAVED: "1" });
  });
});

describe("--require-saved", () => {
  test("stops a manual compaction of a role that is not saved, and nothing else", () => {
    const workspace = project(INVALID_TEXTS.title);
    workspace.context(`lifecycle.init ${ROLE}`);
    const stopped = hook(workspace, JSON_PAYLOAD, "pre-compact --require-saved");
    expect(stopped).toMatchObject({ code: 2, stdout: "" });
    expect(stopped.stderr).toMatch(
      /^context: The context of oosh-expert is not saved: 1 error.* lifecycle\.save oosh-expert, then compact\.\n$/,
    );
    expect(workspace.read(machineFile(ROLE))).toContain("STATE_CURRENT=active");

    for (const payload of [{ ...PAYLOAD, trigger: "auto" }, { ...PAYLOAD, trigger: "later" }, {}]) {
      const ran = hook(workspace, JSON.stringify(payload), "pre-compact --require-saved");
      expect(ran).toMatchObject({ code: 0, stdout: "{}\n" });
    }
    for (const input of ["", "{", "[]"]) {
      expect(hook(workspace, input, "pre-compact --require-saved")).toMatchObject({ code: 0, stdout: "{}\n" });
    }
    workspace.role(ROLE);
    expect(hook(workspace, JSON_PAYLOAD, "pre-compact --require-saved")).toMatchObject({
      code: 0,
      stdout: "{}\n",
      stderr: "",
    });
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "compacting", UNSAVED: "0" });
  });

  test("without a role, or with one that is no name, stops nothing", () => {
    const workspace = project(INVALID_TEXTS.title);
    for (const role of ["", "Bad Role"]) {
      const ran = hook(workspace, JSON_PAYLOAD, "pre-compact --require-saved", { HIVEMIND_ROLE: role });
      expect(ran).toMatchObject({ code: 0, stdout: "{}\n" });
    }
  });
});

describe("CONTEXT_DISABLED=1", () => {
  test("makes the hook a silent no-op, whatever it is given", () => {
    const workspace = project();
    for (const words of ["pre-compact", "pre-compact --guidance", "pre-compact --require-saved", "pre-compact --bad"]) {
      for (const input of [JSON_PAYLOAD, "{"]) {
        const ran = hook(workspace, input, words, { CONTEXT_DISABLED: "1" });
        expect(ran).toMatchObject({ code: 0, stdout: "", stderr: "" });
      }
    }
    expect(workspace.list("session")).toEqual(["agents"]);
  });
});

describe("--guidance", () => {
  test("says whether what was written down is saved", () => {
    const workspace = project();
    expect(hook(workspace, JSON_PAYLOAD, "pre-compact --guidance").stdout).toContain("./context recover oosh-expert");
    workspace.role(ROLE, INVALID_TEXTS.title);
    const ran = hook(workspace, JSON_PAYLOAD, "pre-compact --guidance");
    expect(ran.stdout).toContain("NOT saved (1 error");
    expect(ran.stdout).not.toContain("{}");
  });
});
