import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { estimateTokens } from "../../src/base/token-estimate.ts";
import { parseThread } from "../../src/thread/parse-thread.ts";
import { SessionLog } from "../helpers/session-log.ts";
import { makeWorkspace } from "../helpers/workspace.ts";

const FIXTURES = "tests/fixtures/claude-code";
const EVENTS = "tests/thread/fixtures";

function transcripts(): readonly string[] {
  return ["2.0.76", "2.1.332"].flatMap((version) => {
    const folder = join(FIXTURES, version, "transcripts");
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => join(folder, name));
  });
}

/** Calls and results of the main line, which is a sub-agent's in its own file, as the records have them. */
function callsIn(path: string): { calls: string[]; answered: Set<string> } {
  const calls: string[] = [];
  const answered = new Set<string>();
  const isOwn = path.includes("subagents");
  for (const line of readFileSync(path, "utf8").split("\n")) {
    if (line.trim() === "") continue;
    const record = JSON.parse(line);
    const content = record.isSidechain === true && !isOwn ? [] : record.message?.content;
    for (const block of Array.isArray(content) ? content : []) {
      if (record.type === "assistant" && block.type === "tool_use") calls.push(block.id);
      if (record.type === "user" && block.type === "tool_result") answered.add(block.tool_use_id);
    }
  }
  return { calls, answered };
}

describe("context thread", () => {
  test("a result whose call stands nowhere is told as one without a call, once, where it came", () => {
    const workspace = makeWorkspace();
    const result = (id: string, more: object = {}) => ({
      type: "user",
      uuid: `of ${id}`,
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: `says ${id}`, ...more }] },
    });
    const log = new SessionLog(workspace.root)
      .prompt("go on")
      .raw('{"type":"assistant", broken')
      .add(result("lost"))
      .add(result("lost"))
      .add(result("failed", { is_error: true }))
      .add({ ...result("agent"), isSidechain: true })
      .bash("ls", { says: "a" })
      .says("done");
    workspace.write("s.jsonl", log.text());
    const { stdout, stderr, code } = workspace.context("thread s.jsonl --json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "Passed over: 1 broken row.\n" });
    const { events, thread } = JSON.parse(stdout);
    expect(events.map((event: { type: string; toolCallId?: string }) => [event.type, event.toolCallId])).toEqual([
      ["message", undefined],
      ["tool_result", "lost"],
      ["error", "failed"],
      ["tool_call", "toolu_1"],
      ["tool_result", "toolu_1"],
      ["message", undefined],
    ]);
    expect(thread).toContain('status="orphan" iteration="1">says lost</event>');
    workspace.write("orphan.jsonl", new SessionLog(workspace.root).add(result("lost")).text());
    expect(workspace.context("thread orphan.jsonl")).toMatchObject({
      stdout: expect.stringContaining("says lost"),
      stderr: "",
    });
  });

  test("no call and no result of any real transcript is lost", () => {
    const workspace = makeWorkspace();
    const files = transcripts();
    expect(files.length).toBeGreaterThan(30);
    expect(files.filter((path) => path.includes("subagents") && callsIn(path).calls.length > 0)).not.toEqual([]);
    for (const path of files) {
      const { calls, answered } = callsIn(path);
      const ran = workspace.context(["thread", join(process.cwd(), path), "--full", "--json"]);
      expect(ran.code, path).toBe(0);
      const { events, thread } = JSON.parse(ran.stdout);
      const read = parseThread(thread);
      expect(read.ok, path).toBe(true);
      if (!read.ok) continue;
      expect(read.value.events, path).toEqual(events);
      const found = events.filter((event: { type: string }) => event.type === "tool_call");
      expect(
        found.map((event: { toolCallId: string }) => event.toolCallId),
        path,
      ).toEqual(calls);
      const answers = events.filter(
        (event: { type: string; toolCallId?: string }) =>
          event.type === "tool_result" || (event.type === "error" && event.toolCallId !== undefined),
      );
      const expected = calls.filter((id) => answered.has(id));
      expect(new Set(answers.map((event: { toolCallId: string }) => event.toolCallId)), path).toEqual(
        new Set(expected),
      );
      for (const answer of answers) {
        const at = events.findIndex(
          (event: { type: string; toolCallId?: string }) =>
            event.type === "tool_call" && event.toolCallId === answer.toolCallId,
        );
        expect(events.indexOf(answer), path).toBeGreaterThan(at);
      }
    }
  });

  test("an array of events gives the thread that models know, byte for byte, from a file and from standard input", () => {
    const workspace = makeWorkspace();
    const expected = `${readFileSync(join(EVENTS, "expected.thread.xml"), "utf8").trimEnd()}\n`;
    const events = readFileSync(join(EVENTS, "events.json"), "utf8");
    workspace.write("events.json", events);
    expect(workspace.context("thread events.json").stdout).toBe(expected);
    expect(workspace.context("thread -", { input: events }).stdout).toBe(expected);
    const lines = JSON.parse(events)
      .map((event: object) => `${JSON.stringify(event)}\n`)
      .join("");
    workspace.write("events.jsonl", lines);
    expect(workspace.context("thread events.jsonl").stdout).toBe(expected);
    workspace.write("torn.jsonl", `${lines}{"type":"mess`);
    const torn = workspace.context("thread torn.jsonl");
    expect(torn.stdout).toBe(expected);
    expect(torn.stderr).toContain("still being written");
  });

  test("stays within a budget, keeps ids when older events are left out, and counts the gap", () => {
    const workspace = makeWorkspace();
    const path = join(process.cwd(), FIXTURES, "2.1.332/transcripts/two-compacts.jsonl");
    for (const budget of [60, 300, 1500]) {
      const { stdout, code } = workspace.context(["thread", path, "--budget", String(budget)]);
      expect(code).toBe(0);
      expect(estimateTokens(stdout.trimEnd())).toBeLessThanOrEqual(budget);
    }
    const whole = JSON.parse(workspace.context(["thread", path, "--json"]).stdout);
    const last = JSON.parse(workspace.context(["thread", path, "--last", "3", "--json"]).stdout);
    expect(last.events).toEqual(whole.events.slice(-3));
    expect(last.left_out).toBe(whole.events.length - 3);
    const mark = (count: number) =>
      `  <event type="omitted" id="0" count="${count}">${count} events left out</event>\n`;
    expect(last.thread).toContain(`<thread>\n${mark(whole.events.length - 3)}`);
    // The least budget has room for the mark; below it a thread would say that nothing ever happened.
    expect(workspace.context(["thread", path, "--budget", "50"]).stdout).toBe(
      `<thread>\n${mark(whole.events.length)}</thread>\n`,
    );
    expect(JSON.parse(workspace.context(["thread", path, "--budget", "50", "--json"]).stdout).left_out).toBe(
      whole.events.length,
    );
    expect(workspace.context(["thread", path, "--budget", "49"])).toMatchObject({ code: 2, stdout: "" });
    const since = JSON.parse(workspace.context(["thread", path, "--since-compaction", "--json"]).stdout);
    expect(since.events.length).toBeLessThan(whole.events.length);
    expect(since.events.filter((event: { type: string }) => event.type === "summary")).toHaveLength(1);
    expect(since.events).toEqual(whole.events.slice(-since.events.length));
    expect(workspace.context(["thread", path, "--budget", "none"]).code).toBe(2);
    expect(workspace.context(["thread", path, "--last", "0"]).code).toBe(2);
  });

  test("takes secrets out unless it is told not to", () => {
    const workspace = makeWorkspace();
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const base = { timestamp: 1, iteration: 1 };
    workspace.write(
      "events.json",
      JSON.stringify([
        {
          ...base,
          type: "tool_call",
          toolName: "Bash",
          toolCallId: "c1",
          args: { command: `curl -u x:${secret}`, password: "hunter2secret", nested: [{ [secret]: 1 }] },
        },
        { ...base, type: "tool_result", toolCallId: "c1", result: { token: secret } },
        { ...base, type: "error", error: `Bearer ${secret}`, recoverable: true },
      ]),
    );
    for (const words of [
      ["thread", "events.json"],
      ["thread", "events.json", "--json"],
      ["thread", "events.json", "--full"],
    ]) {
      const { stdout } = workspace.context(words);
      expect(stdout).not.toContain(secret);
      expect(stdout).not.toContain("hunter2secret");
      expect(stdout).toContain("REDACTED");
    }
    expect(workspace.context("thread events.json --raw").stdout).toContain(secret);
  });

  test("takes out a secret of several lines that stands in an argument", () => {
    const workspace = makeWorkspace();
    const args = {
      content: "user: me\nprivate_key: |\n  hunter2first\n  hunter2second\nport: 1\n",
      credentials: "user: me\npassword: hunter2third\nhunter2fourth",
    };
    const call = { type: "tool_call", toolName: "Write", toolCallId: "c1", args, timestamp: 1, iteration: 1 };
    workspace.write("events.json", JSON.stringify([call]));
    const { events } = JSON.parse(workspace.context("thread events.json --json").stdout);
    expect(events[0].args).toEqual({
      content: "user: me\nprivate_key: [REDACTED:private-key]\nport: 1\n",
      credentials: "[REDACTED:credentials]",
    });
  });

  test("says what is wrong with what is no thread", () => {
    const workspace = makeWorkspace();
    workspace.write("broken.json", "[{");
    workspace.write(
      "foreign.json",
      '[{"type":"message","role":"user","content":"x","timestamp":1,"iteration":1},{"type":"telepathy"}]',
    );
    for (const [name, told] of [
      ["broken.json", "is no JSON"],
      ["foreign.json", "position 1"],
      ["missing.jsonl", "does not exist"],
      [".", "folder"],
    ] as const) {
      const { code, stdout, stderr } = workspace.context(["thread", name]);
      expect(code, name).toBe(1);
      expect(stdout, name).toBe("");
      expect(stderr, name).toContain(told);
      expect(stderr, name).toMatch(/\n {2}Name a transcript, or events as JSON\.\n$/);
    }
  });

  test("a file that is neither events nor a transcript is refused, one without a record of a conversation is told", () => {
    const workspace = makeWorkspace();
    workspace.write("notes.md", "# Notes\n\nIf it is none of these\n");
    expect(workspace.context("thread notes.md")).toMatchObject({
      code: 1,
      stdout: "",
      stderr:
        "context: notes.md holds neither events nor a transcript: none of its 2 rows is a JSON object.\n  Name a transcript, or events as JSON.\n",
    });
    workspace.write("picture.png", Uint8Array.of(0x89, 0x50, 0x0a, 0xff, 0x00, 0x0a, 0x31));
    for (const file of ["notes.md", "picture.png"]) {
      for (const command of ["thread", "trail", "detect --transcript"]) {
        const ran = workspace.context(`${command} ${file}`);
        expect(ran, `${command} ${file}`).toMatchObject({ code: 1, stdout: "" });
        expect(ran.stderr).toMatch(/transcript: none of its \d rows is a JSON object\.\n/);
      }
    }
    const told = "The file holds no record of a conversation.\n";
    workspace.write("other.json", '{"a": 1}\n');
    workspace.write("half.jsonl", '{"type":"user"');
    for (const command of ["thread", "trail", "detect --transcript"]) {
      expect(workspace.context(`${command} other.json`)).toMatchObject({
        code: 0,
        stderr: expect.stringContaining(told),
      });
    }
    // What a pipe gives whose other end has failed.
    workspace.write("empty.jsonl", "");
    for (const command of ["thread empty.jsonl", "thread -", "trail empty.jsonl", "detect --transcript empty.jsonl"]) {
      expect(workspace.context(command), command).toMatchObject({ code: 0, stderr: expect.stringContaining(told) });
    }
    // A session that has just begun: its first row is being written.
    expect(workspace.context("thread half.jsonl").stderr).toBe(
      "Passed over: a last row that was still being written.\n",
    );
  });
});

test("other tools' words for a decision, a kind, an urgency and a format are passed on, secrets in them hidden", () => {
  const base = { timestamp: 1, iteration: 1 };
  const events = [
    { ...base, type: "approval", toolName: "rm", toolCallId: "c1", decision: "approved" },
    { ...base, type: "human_input_requested", question: "q", kind: "clarify", urgency: "now", format: "markdown" },
    { ...base, type: "human_input_received", response: "r", decision: `ghp_${"a1".repeat(18)}` },
  ];
  const ran = makeWorkspace().context("thread - --full", { input: JSON.stringify(events) });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(ran.stdout).toContain(' decision="approved"');
  expect(ran.stdout).toMatch(/ kind="clarify" .*urgency="now" .*format="markdown"/);
  expect(ran.stdout).toMatch(/ decision="\[REDACTED:[a-z-]+\]"/);
});
