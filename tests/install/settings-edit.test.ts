import { describe, expect, test } from "vitest";
import { projectScriptCommand, wantedHooks } from "../../src/install/our-hooks.ts";
import { readSettings } from "../../src/install/settings-document.ts";
import { editSettings, type SettingsRequest } from "../../src/install/settings-edit.ts";
import { settingsFacts } from "../../src/install/settings-facts.ts";
import { cpuTime } from "../helpers/cpu-time.ts";
import { need } from "../helpers/need.ts";

const NONE: ReadonlySet<string> = new Set();
const wanted = wantedHooks(2, (hook) => projectScriptCommand(`.claude/hooks/${hook}.sh`, null));
const REGISTER: SettingsRequest = { wanted, rest: "remove", foreign: NONE };
const REMOVE: SettingsRequest = { wanted: [], rest: "remove", foreign: NONE };
const withGate = wantedHooks(2, (hook) => projectScriptCommand(`.claude/hooks/${hook}.sh`, null), [
  "pre-compact",
  "session-start",
  "gate",
]);
const WITH_GATE: SettingsRequest = { wanted: withGate, rest: "move", foreign: NONE };
const SCRIPT = '"$CLAUDE_PROJECT_DIR"/.claude/hooks';

function edit(text: string | null, request: SettingsRequest = REGISTER) {
  return need(editSettings(text, request));
}

/** The commands of an event, group by group. */
function commands(text: string | null, event: string): unknown {
  const settings: { hooks?: Record<string, { hooks: { command: string }[] }[]> } = JSON.parse(text ?? "{}");
  return settings.hooks?.[event]?.map((group) => group.hooks.map(({ command }) => command));
}

function settings(hooks: object): string {
  return `${JSON.stringify({ hooks }, null, 2)}\n`;
}

const entry = (command: string, more: object = { timeout: 9 }) => ({ type: "command", command, ...more });

describe("registering", () => {
  test("takes no time over a long line of blanks", () => {
    const text = `{${" ".repeat(100_000)}\n\t"model": "opus",${" ".repeat(100_000)}\n\t"hooks": {}\n}\n`;
    const started = cpuTime();
    expect(edit(text).text?.startsWith(text.slice(0, text.indexOf("{}") + 1))).toBe(true);
    expect(cpuTime() - started).toBeLessThan(2000);
  });

  test("writes a new file as a person would", () => {
    expect(edit(null).text).toBe(`{
  "hooks": {
    "PreCompact": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "\\"$CLAUDE_PROJECT_DIR\\"/.claude/hooks/pre-compact.sh --guidance",
            "timeout": 5
          }
        ]
      }
    ],
    "SessionStart": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "\\"$CLAUDE_PROJECT_DIR\\"/.claude/hooks/session-start.sh --part 1/2",
            "timeout": 10
          },
          {
            "type": "command",
            "command": "\\"$CLAUDE_PROJECT_DIR\\"/.claude/hooks/session-start.sh --part 2/2",
            "timeout": 10
          }
        ]
      }
    ]
  }
}
`);
  });

  test("keeps comments where they are, takes over the indentation, and puts a comma before a remark", () => {
    const text = '{\r\n\t// first\r\n\t"model": "x" // why\r\n\t// last\r\n}\r\n';
    const lines = (edit(text).text ?? "").split("\r\n");
    expect(lines.slice(0, 4)).toEqual(["{", "\t// first", '\t"model": "x", // why', '\t"hooks": {']);
    expect(lines[4]).toBe('\t\t"PreCompact": [');
    expect(lines.slice(-4)).toEqual(["\t}", "\t// last", "}", ""]);
    expect(lines.join("")).not.toMatch(/[\r\n]/);
  });

  test("adds a group beside other people's", () => {
    const text = settings({ PreCompact: [{ matcher: "auto", hooks: [entry("./mine.sh")] }], Stop: [] });
    const { text: edited } = edit(text);
    expect(commands(edited, "PreCompact")).toEqual([["./mine.sh"], [wanted[0]?.command]]);
    expect(commands(edited, "Stop")).toEqual([]);
    expect(commands(edited, "SessionStart")).toEqual([[wanted[1]?.command, wanted[2]?.command]]);
  });

  test.each([
    ["an earlier script without guidance", [entry(`${SCRIPT}/pre-compact.sh`)]],
    ["the bare program", [entry("context pre-compact")]],
    ["a hook without a time-out", [entry(`${SCRIPT}/pre-compact.sh --guidance`, {})]],
    ["a hook with a time-out that is none", [entry(`${SCRIPT}/pre-compact.sh --guidance`, { timeout: "5" })]],
    [
      "the same hook twice",
      [entry(`${SCRIPT}/pre-compact.sh --guidance`), entry(`${SCRIPT}/pre-compact.sh --guidance`)],
    ],
    ["a path of another machine", [entry("/home/a/context pre-compact --guidance")]],
  ])("replaces %s, once, and leaves its neighbour", (_, ours) => {
    const text = settings({ PreCompact: [{ hooks: [entry("./before.sh"), ...ours, entry("./after.sh")] }] });
    const { text: edited, custom } = edit(text);
    expect(commands(edited, "PreCompact")).toEqual([["./before.sh", "./after.sh"], [wanted[0]?.command]]);
    expect(custom).toEqual([]);
    expect(edit(edited).text).toBe(edited);
  });

  test("goes along with another number of parts", () => {
    const four = wantedHooks(4, (hook) => projectScriptCommand(`.claude/hooks/${hook}.sh`, null));
    const before = edit(null, { ...REGISTER, wanted: four }).text;
    const after = edit(before).text;
    expect(after).toBe(edit(null).text);
  });

  test("keeps a time-out that a person has chosen, and another order", () => {
    const text = settings({
      SessionStart: [{ hooks: [entry(wanted[2]?.command ?? "", { timeout: 60 }), entry(wanted[1]?.command ?? "")] }],
      PreCompact: [{ matcher: "*", hooks: [entry(wanted[0]?.command ?? "", { timeout: 1.5 })] }],
    });
    expect(edit(text)).toEqual({ text, custom: [] });
  });

  test("leaves what a person has made of a hook, and says so", () => {
    const text = settings({
      PreCompact: [{ matcher: "manual", hooks: [entry(`${SCRIPT}/pre-compact.sh --guidance`)] }],
      SessionStart: [{ hooks: [entry(`${SCRIPT}/session-start.sh; ./mine.sh`)] }],
    });
    const { text: edited, custom } = edit(text);
    expect(edited).toBe(text);
    expect(custom.map(({ event, matcher, position }) => [event, matcher, position.line])).toEqual([
      ["PreCompact", "manual", 7],
      ["SessionStart", null, 18],
    ]);
  });

  test("does not take another script of the same name for ours", () => {
    const text = settings({ SessionStart: [{ hooks: [entry(".claude/hooks/session-start.sh")] }] });
    const { text: edited } = edit(text, {
      ...REGISTER,
      foreign: new Set(["session-start.sh"]),
      wanted: wanted.slice(0, 1),
    });
    expect(commands(edited, "SessionStart")).toEqual([[".claude/hooks/session-start.sh"]]);
  });
});

describe("the gate", () => {
  const EDITS = "Edit|Write|MultiEdit|NotebookEdit";
  const gate = entry(`${SCRIPT}/gate.sh`);
  const groups = (text: string | null, event: string): unknown => JSON.parse(text ?? "{}").hooks?.[event];

  test("is limited to the tools that it is about, beside other people's groups for the same ones", () => {
    const mine = { matcher: EDITS, hooks: [entry("./mine.sh")] };
    const { text } = edit(settings({ PreToolUse: [mine] }), WITH_GATE);
    const hooks = [{ ...gate, timeout: 5 }];
    expect(groups(text, "PreToolUse")).toEqual([mine, { matcher: EDITS, hooks }]);
    expect(groups(text, "PostToolUse")).toEqual([{ matcher: "Read", hooks }]);
    expect(edit(text, WITH_GATE)).toEqual({ text, custom: [] });
    expect(JSON.parse(edit(text, REMOVE).text ?? "")).toEqual({ hooks: { PreToolUse: [mine] } });
  });

  test.each([
    ["every tool", {}],
    ["other tools", { matcher: "Edit" }],
    ["the tools of the other event", { matcher: "Read" }],
  ])("registered for %s is not registered as it should be, and is a person's: it stays, and comes alone", (_, more) => {
    const before = settings({ PreToolUse: [{ ...more, hooks: [gate] }] });
    const { text, custom } = edit(before, WITH_GATE);
    expect(groups(text, "PreToolUse")).toEqual([{ ...more, hooks: [gate] }]);
    expect(groups(text, "PostToolUse")).toHaveLength(1);
    expect(custom).toMatchObject([{ event: "PreToolUse", hook: "gate" }]);
    // A set-up that moves to another file leaves it too.
    expect(edit(before, { ...WITH_GATE, wanted: [] }).text).toBe(before);
    expect(edit(before, { ...WITH_GATE, wanted: [], rest: "move" }).text).toBe(before);
  });

  test("of another order of the same tools is the same", () => {
    const usual = [{ matcher: "NotebookEdit|Edit|Write|MultiEdit", hooks: [gate] }];
    const { text } = edit(settings({ PreToolUse: usual }), WITH_GATE);
    expect(groups(text, "PreToolUse")).toEqual(usual);
  });

  test("is made good beside a person's own with the same command", () => {
    const own = { matcher: "Edit", hooks: [gate] };
    const untimed = { matcher: EDITS, hooks: [entry(`${SCRIPT}/gate.sh`, {})] };
    const { text, custom } = edit(settings({ PreToolUse: [own, untimed] }), WITH_GATE);
    expect(groups(text, "PreToolUse")).toEqual([own, { matcher: EDITS, hooks: [{ ...gate, timeout: 5 }] }]);
    expect(custom).toMatchObject([{ matcher: "Edit" }]);
  });

  test("goes alone where that is asked for", () => {
    const both = edit(null, WITH_GATE).text;
    expect(edit(both, { ...REMOVE, rest: "remove-gate" }).text).toBe(edit(null).text);
    expect(edit(both, { ...REMOVE, rest: "move-gate" }).text).toBe(edit(null).text);
  });

  test("is not taken from a script of the same name that is somebody else's", () => {
    const before = settings({ PreToolUse: [{ matcher: EDITS, hooks: [gate] }] });
    expect(edit(before, { ...REMOVE, foreign: new Set(["gate.sh"]) }).text).toBe(before);
    expect(edit(before, REMOVE).text).toBeNull();
  });
});

describe("removing", () => {
  test("takes ours from wherever it stands, and nothing else", () => {
    const text = settings({
      Stop: [{ hooks: [entry("context pre-compact"), entry("./mine.sh")] }],
      PreCompact: [
        { matcher: "auto", hooks: [entry("context pre-compact")] },
        { matcher: "auto", hooks: [] },
      ],
      SessionStart: [{ hooks: [entry("context session-start")] }],
    });
    expect(JSON.parse(edit(text, REMOVE).text ?? "")).toEqual({
      hooks: { Stop: [{ hooks: [entry("./mine.sh")] }], PreCompact: [{ matcher: "auto", hooks: [] }] },
    });
  });

  test("keeps a comment that a person wrote among our hooks", () => {
    const registered = edit('{"model": "x"}').text ?? "";
    const commented = registered.replace('"hooks": [\n', '"hooks": [ // theirs\n');
    expect(commented).not.toBe(registered);
    const { text } = edit(commented, REMOVE);
    expect(text).toContain("// theirs");
    expect(text).not.toContain("session-start.sh");
  });

  test("leaves a line that does more", () => {
    const text = settings({ PreCompact: [{ hooks: [entry("context pre-compact; ./mine.sh")] }] });
    expect(edit(text, REMOVE).text).toBe(text);
  });
});

describe("refusing", () => {
  test.each([
    ['{\n  // c\n  "a": 1\n  "b": 2\n}\n', "not-json", 4, 3],
    ["\uFEFF{,}", "not-json", 1, 2],
    ["[]\n", "not-settings", 1, 1],
    ['"text"', "not-settings", 1, 1],
    ["null", "not-settings", 1, 1],
    ['{\r\n  "hooks": []\r\n}', "not-hooks", 2, 12],
    ['{"hooks": null}', "not-hooks", 1, 11],
    ['{"hooks": {"Stop": {}}}', "not-hooks", 1, 20],
    ['{"hooks": {},\n "hooks": {}}', "repeated-name", 2, 2],
    ['{"hooks": {"Stop": [],\n "Stop": []}}', "repeated-name", 2, 2],
  ])("refuses %j with its place", (text, code, line, column) => {
    const edited = editSettings(text, REGISTER);
    expect(edited).toMatchObject({ ok: false, error: { code, severity: "error", start: { line, column } } });
    expect(edited.ok || edited.error.hint).toEqual(expect.stringMatching(/\.$/));
  });

  test("looks away from what is odd and none of our business", () => {
    const text = settings({ Stop: [1, null, "x", [], {}, { hooks: 1 }, { hooks: [1, { command: 2 }, []] }] });
    const edited = edit(text).text ?? "";
    expect(JSON.parse(edited)).toMatchObject(JSON.parse(text));
    expect(edit(edited, REMOVE).text).toBe(text);
  });
});

describe("what else a file says", () => {
  const facts = (text: string) => {
    const document = need(readSettings(text));
    return settingsFacts(document, NONE);
  };

  test("plugins, the switch for all hooks, the events of ours", () => {
    const text = `{"enabledPlugins": {"a@b": true, "c@d": false, "e@f": ["1.0"]}, "disableAllHooks": true}`;
    expect(facts(text)).toEqual({
      events: [],
      plugins: new Map([
        ["a@b", true],
        ["c@d", false],
        ["e@f", true],
      ]),
      gate: null,
      hooksDisabled: true,
      portable: false,
      dropped: null,
    });
    expect(facts(edit(null).text ?? "").events).toEqual(["PreCompact", "SessionStart"]);
  });

  test("the gate, as it is registered by this program or by a person", () => {
    expect(facts(edit(null, WITH_GATE).text ?? "")).toMatchObject({
      events: ["PreCompact", "SessionStart"],
      gate: "usual",
    });
    const own = (matcher: string) => settings({ PreToolUse: [{ matcher, hooks: [entry(`${SCRIPT}/gate.sh`)] }] });
    expect(facts(own("Write|NotebookEdit|MultiEdit|Edit")).gate).toBe("usual");
    expect(facts(own("Edit"))).toMatchObject({ events: [], gate: "custom" });
  });

  test("what the client will not read", () => {
    const plain = { expected: "plain JSON", way: "Take it out" };
    const comma = { position: { line: 2, column: 9 }, found: "a trailing comma", ...plain };
    expect(facts('{\n  "a": 1,\n}').dropped).toEqual(comma);
    expect(facts('{\n  "a": [1,], // c\n}').dropped).toMatchObject({ position: { line: 2, column: 10 } });
    expect(facts("/* c */ {}").dropped).toEqual({ position: { line: 1, column: 1 }, found: "a comment", ...plain });
    // The kinds of values that the client was seen to drop a file for; those of names that it does not know it takes.
    const wrong = facts('{\n "model": 1,\n "disableAllHooks": "true"}').dropped;
    expect(wrong).toMatchObject({ position: { line: 2, column: 11 }, expected: "a string" });
    expect(wrong?.found).toBe('a number under "model"');
    expect(facts('{"permissions": {"allow": "x"}}').dropped).toMatchObject({
      found: 'a string under "permissions.allow"',
      expected: "an array",
      way: "Write an array, or take it out",
    });
    expect(facts('{"disableAllHooks": null}').dropped).toMatchObject({ found: 'null under "disableAllHooks"' });
    expect(facts('{"permissions": {}, "env": {"A": 1}, "unknown": null, "disableAllHooks": false}').dropped).toBeNull();
  });
});
