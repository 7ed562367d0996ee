import { describe, expect, it } from "vitest";
import { detectMode, phaseKind } from "../../src/transcript/detect-mode.ts";
import { entriesOf } from "../../src/transcript/entry.ts";
import { resultNote } from "../../src/transcript/result-note.ts";
import { isWorthParsing, readRows, rowsOfText } from "../../src/transcript/row.ts";
import { openSieve } from "../../src/transcript/row-sieve.ts";
import { agree, isSettled, NO_AGREEMENT } from "../../src/transcript/settled.ts";
import { parseSlashCommand, tagText } from "../../src/transcript/slash-command.ts";

describe("a slash command", () => {
  it("is the client's own by its whole name", () => {
    const builtIn = (name: string) => parseSlashCommand(`<command-name>${name}</command-name>`)?.builtIn;
    expect(["add-dir", "/clear", "compact", "voice", "review"].map(builtIn)).toEqual([true, true, true, true, true]);
    expect(["com", "clear2", "clear color", "my-clear", "Compact"].map(builtIn)).toEqual(Array(5).fill(false));
  });

  it.each([
    ["", null],
    ["<command-name>a", null],
    ["<command-name> / </command-name>", null],
    ["<command-name></command-name>", null],
    ["</command-name><command-name>", null],
    ["x <command-name> /a </command-name> <command-args> b c </command-args>", { name: "a", args: "b c" }],
    ["<command-name>//a/b</command-name>", { name: "/a/b", args: "" }],
    ["<command-args>no<command-name>a</command-name>", { name: "a", args: "" }],
  ])("in %j is %j", (text, expected) => {
    const found = parseSlashCommand(text);
    if (expected === null) expect(found).toBeNull();
    else expect(found).toEqual({ ...expected, builtIn: false });
  });

  it("takes the first of a tag", () => {
    expect(tagText("<a>1</a><a>2</a>", "a")).toBe("1");
    expect(tagText("</a><a></a>", "a")).toBe("");
    expect(tagText("<a>1</b>", "a")).toBeNull();
  });
});

describe("why a start gets its document", () => {
  const none = { project: null, confidence: null, switched: false, talkedSince: false, otherSkill: null };
  const inHand = { ...none, project: "24-a", confidence: "high" } as const;
  it.each([
    ["startup", inHand, "execution", 'a session with source "startup" starts fresh'],
    ["teleport", inHand, null, 'the source "teleport" is not known: a start without a menu'],
    ["resume", none, null, "no project in the transcript"],
    ["resume", { ...inHand, confidence: "low" }, null, "24-a is only named, not worked on"],
    ["resume", inHand, " Planning ", "24-a is in hand, in planning"],
    ["resume", inHand, null, "24-a is in hand, in execution"],
    ["compact", { ...inHand, switched: true }, null, "another skill took over after the work on 24-a"],
    ["compact", { ...none, otherSkill: { name: "report" } }, null, "no project in hand; the skill report ran"],
    ["compact", none, null, "no project in hand"],
    ["compact", { ...inHand, confidence: "low" }, null, "24-a is only named, not worked on"],
    ["compact", inHand, "RESEARCH", "24-a is in hand, in planning"],
  ] as const)("%s with %j in phase %j: %s", (source, detection, phase, why) => {
    expect(detectMode({ source, detection, phase }).why).toBe(why);
  });

  it("says of a transcript that is not there that it is not", () => {
    const unseen = detectMode({ source: "fork", detection: none, phase: null, unseen: true });
    expect(unseen).toMatchObject({ why: "there is no transcript to read yet", caseNumber: 10 });
    const worked = detectMode({ source: "fork", detection: inHand, phase: null, unseen: true });
    expect(worked).toMatchObject({ mode: "compact" });
  });

  it("knows planning by two words", () => {
    const phases = ["planning", "research", "execution", "plan", "", null];
    expect(phases.map(phaseKind)).toEqual(["planning", "planning", ...Array(4).fill("execution")]);
  });
});

describe("a record", () => {
  const bodies = (record: object) =>
    entriesOf(record, 0).map(({ row, sidechain, cwd, timestamp, uuid, sessionId, gitBranch, ...body }) => body);
  const user = (content: unknown, extra: object = {}) => bodies({ type: "user", message: { content }, ...extra });

  it.each([
    ["  \n ", { kind: "unknown", type: "user", subtype: null }],
    ["  <command-name></command-name> x", { kind: "prompt", text: "  <command-name></command-name> x" }],
    ["see <command-name>a</command-name>", { kind: "prompt", text: "see <command-name>a</command-name>" }],
    [
      " <task-notification><task-id>b</task-id><tool-use-id>t</tool-use-id><status>done</status><summary>s</summary>",
      { kind: "task-notification", toolUseId: "t", taskId: "b", status: "done", summary: "s" },
    ],
    ["<task-notification>", { kind: "task-notification", toolUseId: null, taskId: null, status: null, summary: null }],
    ["x <task-notification>", { kind: "prompt", text: "x <task-notification>" }],
    [" [Request interrupted by user", { kind: "unknown", type: "user", subtype: "interruption" }],
    ["x [Request interrupted by user", { kind: "prompt", text: "x [Request interrupted by user" }],
    ["<local-command-x", { kind: "unknown", type: "user", subtype: "client-text" }],
    ["<bash-input>", { kind: "unknown", type: "user", subtype: "client-text" }],
    ["<bash-stdout>", { kind: "unknown", type: "user", subtype: "client-text" }],
    ["<bash-stderr>", { kind: "unknown", type: "user", subtype: "client-text" }],
    ["<system-reminder>", { kind: "unknown", type: "user", subtype: null }],
    ["<system-reminder>a</system-reminder>\n<ide_selection>b</ide_selection> c", { kind: "prompt", text: "c" }],
    ["<ide_other>a</ide_other> c", { kind: "prompt", text: "<ide_other>a</ide_other> c" }],
    [
      '<teammate-message teammate_id="a">b</teammate-message>',
      { kind: "unknown", type: "user", subtype: "client-text" },
    ],
    [
      "This slash command can only be invoked by Claude, not directly by users.",
      { kind: "unknown", type: "user", subtype: "client-text" },
    ],
    ["x <system-reminder>", { kind: "prompt", text: "x <system-reminder>" }],
    ["<bash-other>", { kind: "prompt", text: "<bash-other>" }],
  ])("of a user that says %j", (text, expected) => {
    expect(user(text)).toEqual([expected]);
  });

  it("of a user joins texts by lines and marks what is the client's", () => {
    expect(user(["a", { text: "b" }, { type: "image" }, 3, { text: 4 }])).toEqual([{ kind: "prompt", text: "a\nb" }]);
    expect(user("x", { isMeta: true })).toEqual([{ kind: "unknown", type: "user", subtype: "meta" }]);
    expect(user("x", { isMeta: 1, isCompactSummary: 1 })).toEqual([{ kind: "prompt", text: "x" }]);
    expect(user(["a", "b"], { isCompactSummary: true })).toEqual([{ kind: "compact-summary", text: "a\nb" }]);
    expect(bodies({ type: "user", message: "x" })).toEqual([{ kind: "unknown", type: "user", subtype: null }]);
  });

  it("of a user holds results, and notes where there is one alone", () => {
    const result = { type: "tool_result", tool_use_id: "t", content: ["a", { text: "b" }], is_error: "yes" };
    const note = { toolUseResult: { type: "create" } };
    expect(user([result, "beside"], note)).toMatchObject([
      { kind: "tool-result", toolUseId: "t", isError: false, text: "a\nb", note: { change: "create" } },
    ]);
    expect(user([{ ...result, type: "other" }, "x"])).toEqual([{ kind: "prompt", text: "x" }]);
    expect(user([{ ...result, tool_use_id: 3 }, "x"])).toEqual([{ kind: "prompt", text: "x" }]);
    expect(user([result, { type: "image" }], note)).toMatchObject([{ note: null }]);
  });

  it("of an assistant", () => {
    const says = (content: unknown) => bodies({ type: "assistant", message: { content } });
    expect(says("")).toEqual([]);
    expect(says("hi")).toEqual([{ kind: "assistant-text", text: "hi" }]);
    expect(says([{ type: "text" }])).toEqual([{ kind: "assistant-text", text: "" }]);
    expect(says([{ type: "tool_use", id: "t", name: "N" }])).toEqual([
      { kind: "tool-use", id: "t", name: "N", input: {} },
    ]);
    expect(says([{ type: "tool_use", id: "t" }, { type: "server_tool_use", id: "t", name: "N" }, 3])).toEqual([]);
    expect(says(undefined)).toEqual([]);
  });

  it("of the client's own", () => {
    expect(bodies({ type: "system", subtype: "x", attachment: { type: "y" } })).toEqual([
      { kind: "unknown", type: "system", subtype: "x" },
    ]);
    expect(bodies({ type: "other", subtype: "compact_boundary" })).toEqual([
      { kind: "unknown", type: "other", subtype: "compact_boundary" },
    ]);
    expect(bodies({ type: "system", subtype: "compact_boundary", compactMetadata: "auto" })).toEqual([
      { kind: "compact-boundary", trigger: null },
    ]);
    expect(bodies({ attachment: "x" })).toEqual([{ kind: "unknown", type: "", subtype: null }]);
  });
});

describe("the client's note beside a result", () => {
  const none = { change: null, background: null, status: null, task: null, answers: new Map() };
  it.each([
    [{}, none],
    [{ type: 3, task: "x", answers: "y" }, none],
    [
      { backgroundTaskId: "b", isAsync: true, agentId: "a" },
      { ...none, background: "b" },
    ],
    [
      { status: "async_launched", agentId: "a" },
      { ...none, background: "a", status: "async_launched" },
    ],
    [{ isAsync: 1, agentId: "a" }, none],
    [
      { status: "s", task: { id: "i", status: "t" } },
      { ...none, status: "s", task: "i" },
    ],
  ])("%j", (value, expected) => {
    expect(resultNote(value)).toEqual(expected);
  });
});

describe("rows", () => {
  it("of a text are its lines, blank ones left out, and the last is open without a newline", () => {
    expect(rowsOfText("a\n \nb")).toEqual([
      { bytes: "a", row: 0, terminated: true },
      { bytes: "b", row: 2, terminated: false },
    ]);
    expect(rowsOfText("a\n")).toEqual([{ bytes: "a", row: 0, terminated: true }]);
  });

  it("that are JSON and no record are broken, and a record that says nothing is not", () => {
    const count = (bytes: string, terminated = true) => readRows([{ bytes, row: 0, terminated }]);
    for (const bytes of ["[]", "3", "null", '"x"'])
      expect(count(bytes)).toEqual({ entries: [], broken: 1, partial: 0 });
    expect(count('{"type":"assistant"}')).toEqual({ entries: [], broken: 0, partial: 0 });
    expect(count("{", false)).toEqual({ entries: [], broken: 0, partial: 1 });
    expect(count("{")).toEqual({ entries: [], broken: 1, partial: 0 });
  });

  it.each([
    ['{"type":"system","x":1}', true],
    ['{"type":"assistant"}', true],
    ['{"type":"summary"}', false],
    ['    {    "type"    :    "summary"}', false],
    ['     {"type":"summary"}', true],
    ['{"x":1,"type":"summary"}', true],
    [`{"type":"${"a".repeat(64)}"}`, false],
    [`{"type":"${"a".repeat(65)}"}`, true],
    ['{"parentUuid":"p","isSidechain":true,"attachment":{', false],
    ['{"parentUuid":null,"logicalParentUuid":"l","isSidechain":false,"attachment":{', false],
    ['{"parentUuid":null,"logicalParentUuid":null,"isSidechain":false,"attachment":{', false],
    ['{"parentUuid":null,"isSidechain":false,"attachment":{"type":"queued_command","prompt":"', true],
    ['{"parentUuid":null,"isSidechain":false,"attachment":3', true],
    ['{"parentUuid":null,"isSidechain":false,"type":"user","attachment":{', true],
    [`{"parentUuid":"${"p".repeat(64)}","isSidechain":false,"attachment":{`, false],
    [`{"parentUuid":"${"p".repeat(65)}","isSidechain":false,"attachment":{`, true],
    ['x{"parentUuid":null,"isSidechain":false,"attachment":{', true],
  ])("of which %j is worth parsing: %j", (head, worth) => {
    expect(isWorthParsing(head)).toBe(worth);
  });
});

describe("the sieve", () => {
  const places = { projectsFolder: "02-projects", root: "/r", cwd: null };
  it.each([
    ['"tool_use" 02-projects', true],
    ['"tool_use" other', false],
    ["02-projects", false],
    ['"tool_use" "Skill"', true],
    ['"tool_use" "Agent"', true],
    ['"tool_use" "Task"', true],
    ['"tool_use" "TaskCreate"', true],
    ['"tool_use" "TodoWrite"', true],
    ['"Skill"', false],
    ["compact_boundary", true],
    ["isCompactSummary", true],
    ["command-name", true],
    ["command-message", true],
    ['"is_error":true', true],
    ['"is_error":false', false],
    ['"is_error": false', true],
    ['"is_error":false "is_error":true', true],
    ['"is_error":false "is_error":false', false],
    ["", false],
  ])("lets through %j: %j", (row, expected) => {
    expect(openSieve(places)(row)).toBe(expected);
  });

  it.each([
    [{ ...places, projectsFolder: "a/b" }, 'tool_use" b', true],
    [{ ...places, projectsFolder: "a\\b/./" }, 'tool_use" b', true],
    [{ ...places, projectsFolder: "a/b" }, 'tool_use" a', false],
    [{ ...places, projectsFolder: "é" }, 'tool_use"', true],
    [{ ...places, projectsFolder: "." }, 'tool_use"', true],
    [{ ...places, root: "/x/02-projects" }, 'tool_use"', true],
    [{ ...places, cwd: "/r/02-projects/24-a" }, 'tool_use"', true],
    [{ ...places, cwd: "/r" }, 'tool_use"', false],
  ])("of %j lets through %j: %j", (given, row, expected) => {
    expect(openSieve(given)(row)).toBe(expected);
  });
});

describe("what the newest activities agree on", () => {
  const clue = (
    project: string,
    kind: "write" | "read" | "skill" | "slash-command" | "mention" | "summary",
    ago = 0,
  ) => ({
    project,
    kind,
    index: 0,
    row: 0,
    compactionsAgo: ago,
  });
  const wrote = { project: "a", compactionsAgo: 0, works: 1, writes: 1 };

  it.each([
    [NO_AGREEMENT, [clue("a", "write")], wrote],
    [NO_AGREEMENT, [clue("a", "skill")], { ...wrote, writes: 0 }],
    [NO_AGREEMENT, [clue("a", "slash-command")], { ...wrote, writes: 0 }],
    [NO_AGREEMENT, [clue("a", "read", 1)], { ...NO_AGREEMENT, compactionsAgo: 1 }],
    [NO_AGREEMENT, [clue("a", "mention", 3)], NO_AGREEMENT],
    [NO_AGREEMENT, [clue("a", "summary", 3)], NO_AGREEMENT],
    [wrote, [clue("b", "read")], wrote],
    [wrote, [clue("b", "mention", 2)], wrote],
    [wrote, [clue("b", "write")], null],
    [wrote, [clue("a", "write"), clue("b", "write")], null],
    [wrote, [clue("a", "read", 1)], null],
    [wrote, [clue("a", "write"), clue("a", "skill")], { ...wrote, works: 2, writes: 2 }],
    [wrote, [clue("a", "skill")], { ...wrote, works: 2, writes: 1 }],
  ])("%j and %j: %j", (before, clues, expected) => {
    expect(agree(before, clues)).toEqual(expected);
  });

  it("is settled by ten works of which two wrote", () => {
    const settled = (works: number, writes: number) => isSettled({ ...wrote, works, writes });
    expect([settled(10, 2), settled(9, 9), settled(10, 1)]).toEqual([true, false, false]);
  });
});
