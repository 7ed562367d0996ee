import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { shellQuote } from "../../src/base/shell-word.ts";
import { DEFAULT_CONFIG } from "../../src/config/default-config.ts";
import { commandEntries, formFaults, namedPaths, optionWords, unknownVerb } from "../../src/install/hook-entries.ts";
import {
  HOOK_SCRIPTS,
  type HookScript,
  hookScript,
  isOurScript,
  STANDARD_HOOKS,
} from "../../src/install/hook-scripts.ts";
import { canonical, insertElement, print, removeElement, styleOf } from "../../src/install/json-edit.ts";
import { type JsonContainer, type JsonDocument, memberOf, readJson, stringOf } from "../../src/install/json-tree.ts";
import { mendEntries } from "../../src/install/mend-entries.ts";
import {
  guardedCommand,
  isUsualEvent,
  ourCommand,
  projectScriptCommand,
  scriptNames,
  usualMatcher,
  wantedHooks,
} from "../../src/install/our-hooks.ts";
import { pluginHookScript, pluginHooks, pluginLauncher } from "../../src/install/plugin-files.ts";
import { isCustom, registeredHooks } from "../../src/install/registered-hooks.ts";
import { readSettings } from "../../src/install/settings-document.ts";
import { editSettings, hookGroup, type Rest } from "../../src/install/settings-edit.ts";
import { settingsFacts } from "../../src/install/settings-facts.ts";
import { simpleCommands } from "../../src/install/simple-commands.ts";
import { need } from "../helpers/need.ts";

const NONE: ReadonlySet<string> = new Set();

function document(text: string): JsonDocument {
  return need(readJson(text));
}

function root(of: JsonDocument): JsonContainer {
  if (of.root === null || of.root.kind === "scalar") throw new Error("expected a container");
  return of.root;
}

function settings(text: string) {
  return need(readSettings(text));
}

describe("the files that are written for a hook", () => {
  it.each(HOOK_SCRIPTS)("%s.sh is the one in this repository", (hook) => {
    expect(hookScript(hook)).toBe(readFileSync(`.claude/hooks/${hook}.sh`, "utf8"));
  });

  it("of the plugin are those in this repository", () => {
    expect(`${JSON.stringify(pluginHooks(DEFAULT_CONFIG.delivery.parts), null, 2)}\n`).toBe(
      readFileSync("plugin/hooks/hooks.json", "utf8"),
    );
    const script = readFileSync("plugin/hooks/run.sh", "utf8");
    const marks = [...script.matchAll(/! \[ -e "\$root\/([^"]*)" \]/g)].map(([, mark = ""]) => mark);
    expect(marks.length).toBeGreaterThan(3);
    expect(pluginHookScript(marks)).toBe(script);
    expect(pluginLauncher()).toBe(readFileSync("plugin/bin/context", "utf8"));
  });

  it("are known as ours by their head, whatever ends its lines, and by who wrote it where a person changed a line", () => {
    for (const hook of HOOK_SCRIPTS) {
      const script = hookScript(hook);
      expect(
        [script, script.replaceAll("\n", "\r\n"), script.replaceAll("\n", "\r")].map((text) => isOurScript(hook, text)),
      ).toEqual([true, true, true]);
      for (const other of HOOK_SCRIPTS) expect(isOurScript(other, script)).toBe(other === hook);
      expect(isOurScript(hook, script.replace("\n", "\n\nset -x\n"))).toBe(true);
      expect(isOurScript(hook, `#!/bin/sh${"\necho mine".repeat(9)}\n${script}`)).toBe(false);
      expect(isOurScript(hook, script.replace(/^# .*$/m, "# for me"))).toBe(true);
      expect(isOurScript(hook, script.replace(/^# .*\n# .*$/m, "# for me"))).toBe(false);
      expect(isOurScript(hook, "")).toBe(false);
    }
  });

  it("are two where nobody asks for more", () => {
    expect(STANDARD_HOOKS).toEqual(["pre-compact", "session-start"]);
    expect(HOOK_SCRIPTS.map(scriptNames)).toEqual([
      ["pre-compact.sh", "context-pre-compact.sh"],
      ["session-start.sh", "context-session-start.sh"],
      ["gate.sh", "context-gate.sh"],
    ]);
  });
});

describe("what is registered", () => {
  it("is these commands with these limits", () => {
    expect(wantedHooks(2, (hook) => `run ${hook}`, HOOK_SCRIPTS)).toEqual([
      { event: "PreCompact", matcher: null, command: "run pre-compact --guidance", timeout: 5 },
      { event: "SessionStart", matcher: null, command: "run session-start --part 1/2", timeout: 10 },
      { event: "SessionStart", matcher: null, command: "run session-start --part 2/2", timeout: 10 },
      { event: "PreToolUse", matcher: "Edit|Write|MultiEdit|NotebookEdit", command: "run gate", timeout: 5 },
      { event: "PostToolUse", matcher: "Read", command: "run gate", timeout: 5 },
    ]);
  });

  it("belongs to its event", () => {
    const rows: readonly (readonly [string, HookScript, string | null, boolean])[] = [
      ["PreCompact", "pre-compact", null, true],
      ["SessionStart", "session-start", null, true],
      ["PreToolUse", "gate", "Edit|Write|MultiEdit|NotebookEdit", true],
      ["PostToolUse", "gate", "Read", true],
      ["PreToolUse", "pre-compact", null, false],
      ["Stop", "gate", null, false],
    ];
    for (const [event, hook, matcher, usual] of rows) {
      expect([usualMatcher(event, hook), isUsualEvent(event, hook)]).toEqual([matcher, usual]);
    }
  });

  it("has one matcher in a group", () => {
    const [one, , , gate] = wantedHooks(2, (hook) => hook, HOOK_SCRIPTS);
    expect(hookGroup([])).toEqual({ hooks: [] });
    expect(hookGroup(gate === undefined ? [] : [gate])).toEqual({
      matcher: "Edit|Write|MultiEdit|NotebookEdit",
      hooks: [{ type: "command", command: "gate", timeout: 5 }],
    });
    expect(() => hookGroup([one, gate].flatMap((hook) => hook ?? []))).toThrow("the hooks of a group have one matcher");
  });
});

describe("a shell line", () => {
  it("holds a text in quotes, and the project's folder in a variable", () => {
    expect(["a b", "it's", ""].map(shellQuote)).toEqual(["'a b'", "'it'\\''s'", "''"]);
    expect(projectScriptCommand("x.sh", null)).toBe('"$CLAUDE_PROJECT_DIR"/x.sh');
    const place = { program: "/a b", root: "/it's" };
    expect(projectScriptCommand("x.sh", place)).toBe(
      `[ -e "$CLAUDE_PROJECT_DIR"/x.sh ] || CLAUDE_PROJECT_DIR='/it'\\''s'; CONTEXT_PROGRAM='/a b' "$CLAUDE_PROJECT_DIR"/x.sh`,
    );
    expect(guardedCommand("context", "gate", "context gate")).toBe(
      `if [ -e "\${CONTEXT_ROOT:-$CLAUDE_PROJECT_DIR}"/session/.cache/gate.pending ] && command -v context >/dev/null; then context gate; else { head -c 99999999 <&3 >/dev/null 3<&- & } 2>/dev/null 3<&0; fi; exit 0`,
    );
    expect(guardedCommand("'/a b'", "pre-compact", "'/a b' pre-compact")).toBe(
      "if command -v '/a b' >/dev/null; then '/a b' pre-compact; else { head -c 99999999 <&3 >/dev/null 3<&- & } 2>/dev/null 3<&0; fi; exit 0",
    );
  });

  it.each([
    ["if a; then b; else c; fi", [["if", "a"], ["then", "b"], ["else", "c"], ["fi"]]],
    ["a<b>c(d)e`f`g\nh\ri", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"], ["h"], ["i"]]],
    ["\"a'b\" 'c\"d'", [["a'b", 'c"d']]],
    ['"\\"\\\\\\$\\`\\n"', [['"\\$`\\n']]],
    ["'a\\'b", [["a\\b"]]],
    ['"a\\', [["a\\"]]],
    ["a\\", [["a"]]],
    ["\\\\a", [["\\a"]]],
    ['a "" b', [["a", "", "b"]]],
    [" \t ", []],
  ])("%j is read as %j", (line, expected) => {
    expect(simpleCommands(line)).toEqual(expected);
  });

  it.each([
    ["env A=1 time context gate", "gate"],
    ["! context gate", "gate"],
    ["while context.cmd gate", "gate"],
    ["sh -c context gate", "gate"],
    ["pnpm dlx agent-context pre-compact", "pre-compact"],
    ["yarn -- context.js gate", "gate"],
    ["bunx x exec context gate", "gate"],
    ["'C:\\a\\context.cmd' gate", "gate"],
    ["context gate pre-compact", "pre-compact"],
    ["context", null],
    ["contexts gate", null],
    ["shx context gate", null],
    ["A=1", null],
    ["a .claude/hooks/gate.sh", null],
    ["x.claude/hooks/gate.sh", null],
    ["'.claude\\hooks\\gate.sh'", "gate"],
    [".claude/hooks/", null],
  ])("%j runs our hook %j", (line, hook) => {
    expect(ourCommand(line, NONE)?.hook ?? null).toBe(hook);
  });

  it.each([
    ["/x/context gate", true],
    ["~/context gate", true],
    ["C:/context gate", true],
    ["A=/x context gate", true],
    ["A=~ context gate", true],
    ["A='D:\\x' context gate", true],
    ["x/context gate", false],
    ["A=x/y context gate", false],
    ["context gate C:x", false],
    ["/x; context gate", false],
  ])("%j names a path of this machine: %j", (line, expected) => {
    expect(ourCommand(line, NONE)?.machinePath ?? false).toBe(expected);
  });

  it.each<readonly [string, HookScript, readonly string[]]>([
    ["context pre-compact --guidance a", "pre-compact", ["--guidance", "a"]],
    ["x/.claude/hooks/gate.sh -a", "gate", ["-a"]],
    ["x/context-gate.sh -a", "gate", ["-a"]],
    ["gate.sh -a", "gate", []],
    ["echo x; context gate -b", "gate", ["-b"]],
    ["context other", "gate", []],
    ["gate", "gate", []],
  ])("%j gives %s the options %j", (line, hook, expected) => {
    expect(optionWords(line, hook)).toEqual(expected);
  });

  const VERBS = ["validate", "lifecycle.save", "pre-compact"];
  it.each([
    ["context remember", "remember"],
    ["/x/context -C d", null],
    ["/x/context -C d remember", "remember"],
    ['context --root "$CLAUDE_PROJECT_DIR" validate x', null],
    ["npx -y -- agent-context remember", "remember"],
    ["A=1 sh ./context remember", "remember"],
    ["npm --prefix ./context run lint", null],
    ["pnpm -C context test", null],
    ["git -C /srv/context pull", null],
    ["make -C context test", null],
    ["grep -r context src", null],
    ["cp docs/context /tmp/x", null],
    ["node bin/context.js remember", "remember"],
    ["npx agent-context remember x", "remember"],
    ["'x\\context.cmd' --json remember", "remember"],
    ["context validate", null],
    ["context lifecycle save", null],
    ["context lifecycle.save", null],
    ["context life", "life"],
    ["context pre-compact", null],
    ["context gate", null],
    ["context", null],
    ["context -v", null],
    ["context remember; x", null],
    ["contexts remember", null],
    ["my-context remember", null],
    ["", null],
    ["echo remember", null],
  ])("%j has a verb that there is not: %j", (line, verb) => {
    expect(unknownVerb(line, VERBS)).toBe(verb);
  });

  it.each([
    ["/a/b x /c", ["/a/b", "/c"]],
    ["A=/a B_1='C:\\d' e=f", ["/a", "C:\\d"]],
    ["D:/x; '/y z'", ["D:/x", "/y z"]],
    ["a/b ~/c C:d x=y=/z", []],
    ["1=/a", []],
  ])("%j names the paths %j", (line, expected) => {
    expect(namedPaths(line)).toEqual(expected);
  });
});

describe("the commands of a settings file", () => {
  it("are listed with their limits and places, whoever wrote them", () => {
    const text = `{"hooks": {
 "Stop": [{"hooks": [{"command": "a"}, {"command": 3}, "x"]}, {"matcher": "", "hooks": [{"command": "b", "timeout": 1.5}]}],
 "Other": [{"matcher": "*", "hooks": [{"command": "c", "timeout": 0}]}, {"matcher": "X", "hooks": [{"command": "d", "timeout": "9"}]}, {"hooks": {}}, 3]
}}`;
    const found = commandEntries(settings(text));
    expect(
      found.map(({ event, command, matcher, timeout, position }) => [event, command, matcher, timeout, position.line]),
    ).toEqual([
      ["Stop", "a", null, null, 2],
      ["Stop", "b", null, 1.5, 2],
      ["Other", "c", null, null, 3],
      ["Other", "d", "X", null, 3],
    ]);
    expect(found.map(({ timeoutSpan: span }) => (span === null ? null : text.slice(span.start, span.end)))).toEqual([
      null,
      "1.5",
      null,
      null,
    ]);
    expect(found.map(({ eventIndex, groupIndex, entryIndex }) => [eventIndex, groupIndex, entryIndex])).toEqual([
      [0, 0, 0],
      [0, 1, 0],
      [1, 0, 0],
      [1, 1, 0],
    ]);
    expect(commandEntries(settings("{}"))).toEqual([]);
    expect(registeredHooks(settings("{}"), NONE)).toEqual([]);
  });

  it("are ours with what is known of them", () => {
    const hook = (more: object, group: object = {}) =>
      registeredHooks(
        settings(
          JSON.stringify({
            hooks: { PreToolUse: [{ ...group, hooks: [{ type: "command", command: "context gate", ...more }] }] },
          }),
        ),
        NONE,
      ).map((found) => [found.timed, found.matcher, isCustom(found)]);
    expect(hook({ timeout: 5 })).toEqual([[true, null, true]]);
    expect(hook({ timeout: 0 })).toEqual([[false, null, true]]);
    expect(hook({ timeout: -1 })).toEqual([[false, null, true]]);
    expect(hook({ timeout: "5" })).toEqual([[false, null, true]]);
    expect(hook({ timeout: 5, type: "prompt" })).toEqual([[false, null, true]]);
    expect(hook({ timeout: 5 }, { matcher: "Write|Edit|NotebookEdit|MultiEdit" })).toEqual([
      [true, "Write|Edit|NotebookEdit|MultiEdit", false],
    ]);
    expect(hook({ timeout: 5, command: "context gate; x" }, { matcher: "Edit|Write|MultiEdit|NotebookEdit" })).toEqual([
      [true, "Edit|Write|MultiEdit|NotebookEdit", true],
    ]);
    expect(hook({ command: "other" })).toEqual([]);
  });

  it.each([
    ["[", "Not JSON: found the end of the file, expected a value.", "Mend it there; it is left as it is."],
    ["[]", "Found an array, expected an object.", "Write names and values in braces."],
    ["3", "Found a number, expected an object.", "Write names and values in braces."],
    ["null", "Found null, expected an object.", "Write names and values in braces."],
    [
      '{"hooks": "x"}',
      'Found a string under "hooks", expected an object.',
      'Write an object that names events, or take "hooks" out.',
    ],
    [
      '{"hooks": {"Stop": true}}',
      'Found a boolean under the event "Stop", expected an array.',
      "Write an array of groups of hooks, or take the event out.",
    ],
    [
      '{"hooks": {"Stop": {}}}',
      'Found an object under the event "Stop", expected an array.',
      "Write an array of groups of hooks, or take the event out.",
    ],
    [
      '{"hooks": {}, "hooks": {}}',
      'The name "hooks" stands twice: the client reads the last one only.',
      "Bring the two together.",
    ],
    [
      '{"hooks": {"A": [], "A": []}}',
      'The event "A" stands twice under "hooks": the client reads the last one only.',
      "Bring the two together.",
    ],
  ])("are not read from %j", (text, message, hint) => {
    expect(readSettings(text)).toMatchObject({ ok: false, error: { message, hint, severity: "error" } });
  });

  it("that stand twice are shown by the second name", () => {
    expect(readSettings('{"hooks": {},\n  "hooks": {}}')).toMatchObject({
      ok: false,
      error: { start: { line: 2, column: 3 }, end: { line: 2, column: 10 } },
    });
  });
});

describe("what the client leaves out of a settings file", () => {
  const hook = { type: "command", command: "context gate", timeout: 5 };
  const of = (...groups: readonly unknown[]) => formFaults(settings(JSON.stringify({ hooks: { Stop: groups } })));
  const inGroup = (...hooks: readonly unknown[]) => of({ hooks });

  // Each of them seen with 2.1.332, which leaves out that hook or group alone, and 2.0.76, which drops the whole file.
  it.each<readonly [unknown, string, string]>([
    ["x", "a string", "an object that holds hooks"],
    [null, "null", "an object that holds hooks"],
    [{}, 'a group without "hooks"', '"hooks" in it'],
    [{ hooks: "x" }, 'a string under "hooks"', "an array of hooks"],
    [{ matcher: 5, hooks: [hook] }, 'a number under "matcher"', "a string"],
    [{ matcher: null, hooks: [hook] }, 'null under "matcher"', "a string"],
  ])("is the group %j", (group, found, expected) => {
    expect(of(group)).toMatchObject([{ event: "Stop", found, expected }]);
  });

  it.each<readonly [unknown, string, string]>([
    [null, "null", "an object"],
    [{ command: "x" }, 'a hook without "type"', '"type": "command"'],
    [{ ...hook, type: 1 }, 'a number under "type"', "a string"],
    [{ ...hook, type: "prompt" }, '"type": "prompt"', '"type": "command"'],
    [{ type: "command" }, 'a hook without "command"', '"command" in it'],
    [{ ...hook, command: 5 }, 'a number under "command"', "a string"],
    [{ ...hook, timeout: "5" }, 'a string under "timeout"', "a number above 0"],
    [{ ...hook, timeout: 0 }, '"timeout": 0', "a number above 0"],
    [{ ...hook, timeout: -5 }, '"timeout": -5', "a number above 0"],
  ])("is the hook %j, and not its neighbours", (broken, found, expected) => {
    expect(inGroup(hook, broken, hook)).toMatchObject([{ event: "Stop", found, expected }]);
    const ours = registeredHooks(settings(JSON.stringify({ hooks: { Stop: [{ hooks: [hook, broken] }] } })), NONE);
    expect(ours.map(({ timed }) => timed)[0]).toBe(true);
    expect(ours.slice(1).every(({ timed }) => !timed)).toBe(true);
  });

  it("is nothing that it takes: names that it does not know, another kind of hook, half a second", () => {
    expect(of({ hooks: [{ ...hook, timeout: 0.5, more: 1 }], more: 2 }, { matcher: "", hooks: [] })).toEqual([]);
    expect(inGroup({ type: "prompt", prompt: "x" }, { type: "command", command: "x" })).toEqual([]);
    expect(formFaults(settings("{}"))).toEqual([]);
  });
});

describe("what else is known of a settings file", () => {
  const facts = (value: object | string) =>
    settingsFacts(settings(typeof value === "string" ? value : JSON.stringify(value)), NONE);
  const nothing = { events: [], gate: null, plugins: new Map(), hooksDisabled: false, portable: false, dropped: null };
  const dropped = (column: number, found: string, expected: string) => ({
    ...{ position: { line: 1, column }, found, expected, way: `Write ${expected}, or take it out` },
  });

  it.each<readonly [object | string, object]>([
    ["", nothing],
    [{ disableAllHooks: false }, nothing],
    [
      { disableAllHooks: "true" },
      { ...nothing, dropped: dropped(20, 'a string under "disableAllHooks"', "a boolean") },
    ],
    [{ enabledPlugins: ["a"] }, { ...nothing, dropped: dropped(19, 'an array under "enabledPlugins"', "an object") }],
    // The last of two is the one that counts, for every reader of JSON.
    ['{"disableAllHooks": true, "disableAllHooks": false}', nothing],
    ['{"disableAllHooks": "x", "disableAllHooks": true}', { ...nothing, hooksDisabled: true }],
    [
      { enabledPlugins: { a: false, b: null, c: [] } },
      {
        ...nothing,
        plugins: new Map([
          ["a", false],
          ["b", true],
          ["c", true],
        ]),
      },
    ],
    [{ hooks: { Stop: [{ hooks: [{ command: "context gate" }] }] } }, { ...nothing, gate: "custom" }],
    [
      { hooks: { PostToolUse: [{ matcher: "Read", hooks: [{ command: "context gate; x" }] }] } },
      { ...nothing, gate: "custom" },
    ],
    [
      { hooks: { PostToolUse: [{ matcher: "Read", hooks: [{ command: "context gate" }] }] } },
      { ...nothing, gate: "usual", portable: true },
    ],
    [
      { hooks: { PostToolUse: [{ matcher: "Read", hooks: [{ command: "/x/context gate" }] }] } },
      { ...nothing, gate: "usual" },
    ],
    [
      { hooks: { Stop: [{ hooks: [{ command: "context pre-compact" }, { command: "context session-start" }] }] } },
      { ...nothing, events: ["Stop"] },
    ],
  ])("%j", (value, expected) => {
    expect(facts(value)).toEqual(expected);
  });
});

describe("what becomes of our hooks", () => {
  const entry = (command: string, timeout = 5) => ({ type: "command", command, timeout });
  const text = JSON.stringify({
    hooks: {
      PreCompact: [
        { hooks: [entry("context pre-compact")] },
        { matcher: "auto", hooks: [entry("context pre-compact")] },
      ],
      PreToolUse: [
        { matcher: "Edit|Write|MultiEdit|NotebookEdit", hooks: [entry("/x/context gate")] },
        { matcher: "Edit", hooks: [entry("/x/context gate"), entry("context gate; mine")] },
      ],
    },
  });
  const left = (rest: Rest) => {
    const edited = need(editSettings(text, { wanted: [], rest, foreign: NONE }));
    const kept =
      edited.text === null
        ? []
        : commandEntries(settings(edited.text)).map(({ command, matcher }) => `${command} ${matcher ?? "-"}`);
    return { kept, custom: edited.custom.map(({ command }) => command) };
  };

  it.each<readonly [Rest, readonly string[], readonly string[]]>([
    ["remove", ["context gate; mine Edit"], ["context gate; mine"]],
    [
      "remove-gate",
      ["context pre-compact -", "context pre-compact auto", "context gate; mine Edit"],
      ["context pre-compact", "context gate; mine"],
    ],
    [
      "move",
      ["context pre-compact auto", "/x/context gate Edit", "context gate; mine Edit"],
      ["context pre-compact", "/x/context gate", "context gate; mine"],
    ],
    [
      "move-gate",
      ["context pre-compact -", "context pre-compact auto", "/x/context gate Edit", "context gate; mine Edit"],
      ["context pre-compact", "/x/context gate", "context gate; mine"],
    ],
    [
      "keep",
      [
        "context pre-compact -",
        "context pre-compact auto",
        "/x/context gate Edit|Write|MultiEdit|NotebookEdit",
        "/x/context gate Edit",
        "context gate; mine Edit",
      ],
      ["context pre-compact", "/x/context gate", "context gate; mine"],
    ],
  ])("with %s", (rest, kept, custom) => {
    const found = left(rest);
    expect([...found.kept].sort()).toEqual([...kept].sort());
    expect(found.custom).toEqual(custom);
  });

  const edit = (file: string, wanted: ReturnType<typeof wantedHooks>, rest: Rest = "remove") => {
    return need(editSettings(file, { wanted, rest, foreign: NONE })).text;
  };

  it("is that those at other events go, and a person's own at the same event stays", () => {
    const wanted = wantedHooks(1, (hook) => `context ${hook}`);
    const both = edit("{}", wanted) ?? "";
    expect(edit(both, wanted.slice(0, 1))).toBe(edit("{}", wanted.slice(0, 1)));
    const own = JSON.stringify({
      hooks: {
        PreCompact: [
          { hooks: [entry("context pre-compact --guidance")] },
          { matcher: "auto", hooks: [entry("context pre-compact")] },
        ],
      },
    });
    expect(edit(own, wanted.slice(0, 1))).toBe(own);
  });

  it.each([
    // A comment within the hook goes with it, one beside it keeps its containers.
    ['{"hooks": {"Stop": [{"hooks": [{"command": "context gate" /* ours */}]}]}}', ""],
    ['{"a": 1, "hooks": {"Stop": [{"hooks": [{/* ours */"command": "context gate"}]}]}}\n', '{"a": 1}\n'],
    [
      '{"hooks": {"Stop": [{"hooks": [/* theirs */{"command": "context gate"}]}]}}',
      '{"hooks": {"Stop": [{"hooks": [/* theirs */]}]}}',
    ],
    [
      '{"hooks": {"Stop": [{/* theirs */"hooks": [{"command": "context gate"}]}]}}',
      '{"hooks": {"Stop": [{/* theirs */"hooks": []}]}}',
    ],
    [
      '{"hooks": {"Stop": [{"hooks": [{"command": "context gate"}]}], /* theirs */ "A": []}}',
      '{"hooks": { /* theirs */ "A": []}}',
    ],
    ['/* c */ {"hooks": {"Stop": [{"hooks": [{"command": "context gate"}]}]}}\n', "/* c */ \n"],
    ['// c\n{"hooks": {"Stop": [{"hooks": [{"command": "context gate"}]}]}}\n', "// c"],
    ['// c\n{"hooks": {"Stop": [{"hooks": [{"command": "context gate"}]}]}}', "// c\n"],
    ['{"hooks": {"Stop": [{"hooks": [{"command": "context gate"}]}]}}\n', null],
    ['{"hooks": {"Stop": [{"hooks": [{"command": "context gate"}]}]}}', ""],
    [' {"hooks": {"Stop": [{"hooks": [{"command": "context gate"}]}]}}\n', " \n"],
  ])("taken out of %j leaves %j", (file, expected) => {
    expect(edit(file, [])).toBe(expected);
  });

  it("is that one time-out is changed, and a limit of another's is not", () => {
    const file = (timeout: number) =>
      JSON.stringify({
        hooks: {
          PreCompact: [
            { hooks: [entry("context pre-compact", timeout), entry("other", 900)] },
            { hooks: [{ type: "command", command: "context gate" }] },
          ],
        },
      });
    const mended = (timeoutOf: () => number | null, foreign = NONE) =>
      mendEntries(file(900), { foreign, verbs: ["pre-compact"], timeoutOf });
    expect(mended(() => 7)).toBe(file(7));
    expect(mended(() => null)).toBe(file(900));
  });
});

describe("an element put into JSON", () => {
  it.each([
    // Empty containers
    ["{}", '{\n  "k": 1}'],
    ["{ }", '{ "k": 1 }'],
    ["{ /* c */ }", '{ /* c */ "k": 1 }'],
    ["{\n}", '{\n"k": 1 }'],
    // One line
    ['{"a": 2}', '{"a": 2,"k": 1}'],
    ['{ "a": 2 }', '{ "a": 2, "k": 1 }'],
    ['{"a": 2,}', '{"a": 2,"k": 1,}'],
    ['{ "a": 2, "b": 3 }', '{ "a": 2, "b": 3, "k": 1 }'],
    // Lines
    ['{\n  "a": 2\n}', '{\n  "a": 2,\n  "k": 1\n}'],
    ['{\n\t"a": 2,\n}', '{\n\t"a": 2,\n\t"k": 1,\n}'],
    ['{\n  "a": 2, "b": 3\n}', '{\n  "a": 2, "b": 3,\n  "k": 1\n}'],
    ['{"a": 2\n}', '{"a": 2,\n  "k": 1\n}'],
    ['{"a": 2,\n}', '{"a": 2,\n  "k": 1,\n}'],
    // Comments
    ['{\n  "a": 2 // c\n}', '{\n  "a": 2, // c\n  "k": 1\n}'],
    ['{\n  "a": 2 /* c */ /* d */\n}', '{\n  "a": 2, /* c */ /* d */\n  "k": 1\n}'],
    ['{ "a": 2 /* c */ }', '{ "a": 2, /* c */ "k": 1 }'],
    ['{ "a": 2 // c\n}', '{ "a": 2, // c\n  "k": 1\n}'],
    ['{\n  // c\n  "a": 2\n  // d\n}', '{\n  // c\n  "a": 2,\n  "k": 1\n  // d\n}'],
    ['{\n\n\n   "a": 2\n}', '{\n\n\n   "a": 2,\n   "k": 1\n}'],
  ])("of %j gives %j", (text, expected) => {
    const before = document(text);
    const style = styleOf(before, "\n");
    const written = insertElement(before, root(before), { key: "k", value: 1 }, { ...style, unit: "  " });
    expect(written).toBe(expected);
    const after = document(written);
    // What was put in is taken out again, and the bytes from before are back; where it was alone, its caller may take more.
    const index = root(after).elements.length - 1;
    const removed = removeElement(after, root(after), index, "keep");
    expect(removed).toBe(text);
  });

  it("goes over several lines, indented as its container", () => {
    const style = { unit: "\t", newline: "\r\n" };
    expect(print({ key: "k", value: { a: [1], b: {} } }, "  ", style)).toBe(
      '"k": {\r\n  \t"a": [\r\n  \t\t1\r\n  \t],\r\n  \t"b": {}\r\n  }',
    );
    expect(print({ key: null, value: ["x"] }, "", style)).toBe('[\r\n\t"x"\r\n]');
    const nested = document('{\n  "a": []\n}');
    const list = memberOf(nested.root, "a")?.value;
    if (list?.kind !== "array") throw new Error("expected an array");
    expect(insertElement(nested, list, { key: null, value: { b: 1 } }, { unit: "  ", newline: "\n" })).toBe(
      '{\n  "a": [\n    {\n      "b": 1\n    }]\n}',
    );
  });

  it.each([
    ["", "  "],
    ["{}", "  "],
    ['{"a": 1}', "  "],
    ['{ "a": 1}', "  "],
    ['{\n"a": 1}', "  "],
    ['{\n    "a": 1}', "    "],
    ['{\r\n\t"a": 1}', "\t"],
    ['{\n\n   "a": 1}', "   "],
    ["[\n 1]", " "],
    ["3", "  "],
    ['{ // c\n   "a": 1}', "   "],
  ])("takes the indentation of %j for %j", (text, unit) => {
    expect(styleOf(document(text), "\n")).toEqual({ unit, newline: "\n" });
  });
});

describe("an element taken out of JSON", () => {
  it.each<readonly [string, number, string]>([
    ['{"a": 1, "b": 2, "c": 3}', 0, '{ "b": 2, "c": 3}'],
    ['{"a": 1, "b": 2, "c": 3}', 1, '{"a": 1, "c": 3}'],
    ['{"a": 1, "b": 2, "c": 3}', 2, '{"a": 1, "b": 2}'],
    ['{"a": 1, "b": 2,}', 1, '{"a": 1,}'],
    ["[1, 2]", 1, "[1]"],
    ['{\n  "a": 1,\n  "b": 2\n}', 0, '{\n  "b": 2\n}'],
    ['{\n  "a": 1,\n  "b": 2\n}', 1, '{\n  "a": 1\n}'],
    ['{\n  "a": 1, // c\n  "b": 2 // d\n}', 0, '{ // c\n  "b": 2 // d\n}'],
    ['{\n  "a": 1, // c\n  "b": 2 // d\n}', 1, '{\n  "a": 1 // c\n // d\n}'],
    ['{\n  "a": 1, // c\n  "b": 2\n}', 1, '{\n  "a": 1 // c\n}'],
    ['{\n  "a": 1, // c\r\n  "b": 2 }', 1, '{\n  "a": 1 // c\r\n }'],
    ['{"a": 1, /* c */ "b": 2}', 1, '{"a": 1 /* c */}'],
    ['{"a": 1 /* c */, "b": 2}', 1, '{"a": 1 /* c */}'],
    ['{"a": 1}', 0, "emptied"],
    ['{"a": 1,}', 0, "emptied"],
    ['{"a": 1, }', 0, "emptied"],
    ['{/* c */"a": 1, }', 0, "{/* c */}"],
    ['{ // c\n  "a": 1,\n}', 0, "{ // c\n  \n}"],
    ['{\n  "a": 1\n}', 0, "emptied"],
    ['{ "a": 1 }', 0, "{ }"],
    ['{ // c\n  "a": 1\n}', 0, "{ // c\n  \n}"],
    ['{\n  "a": 1 // c\n}', 0, "{ // c\n}"],
    ['{ // c\n "a": 1, \t\n "b": 2}', 0, '{ // c \t\n "b": 2}'],
    ['{ // c\n "a": 1, "b": 2}', 0, '{ // c\n "b": 2}'],
    ["[]", 0, "thrown"],
  ])("of %j at %d gives %j", (text, index, expected) => {
    const before = document(text);
    if (expected === "thrown")
      expect(() => removeElement(before, root(before), index)).toThrow("the element is in its container");
    else expect(removeElement(before, root(before), index)).toBe(expected);
  });
});

describe("JSON with places", () => {
  it("knows where each value stands", () => {
    const text = '\uFEFF {"a": [1, -0.5e+3, "\\u00e9\\n"], // c\n "b": {"c": null,}, /* d */ "e": true}';
    const { root: top, comments, extension } = document(text);
    const shown = (node: typeof top): unknown =>
      node === null
        ? null
        : node.kind === "scalar"
          ? [text.slice(node.start, node.end), node.value]
          : node.elements.map((each) => [each.key, text.slice(each.start, each.end), each.comma, shown(each.value)]);
    expect(shown(top)).toEqual([
      [
        "a",
        '"a": [1, -0.5e+3, "\\u00e9\\n"]',
        32,
        [
          [null, "1", 10, ["1", 1]],
          [null, "-0.5e+3", 19, ["-0.5e+3", -500]],
          [null, '"\\u00e9\\n"', null, ['"\\u00e9\\n"', "é\n"]],
        ],
      ],
      ["b", '"b": {"c": null,}', 57, [["c", '"c": null', 55, ["null", null]]]],
      ["e", '"e": true', null, ["true", true]],
    ]);
    expect(comments.map(({ start, end }) => text.slice(start, end))).toEqual(["// c", "/* d */"]);
    expect(extension).toEqual({ offset: 34, what: "a comment" });
  });

  it.each([
    ["[1,] // c", { offset: 2, what: "a trailing comma" }],
    ["// c\n[1,]", { offset: 0, what: "a comment" }],
    ["[[1,],]", { offset: 3, what: "a trailing comma" }],
    ["[1]", null],
    ["", null],
  ])("%j has beyond plain JSON %j", (text, expected) => {
    expect(document(text).extension).toEqual(expected);
  });

  it.each([
    ["/", 0, 'found "/", expected a value'],
    ["[1 /", 3, 'found "/", expected "," or "]"'],
    ["/* x", 0, "a comment begins and does not end"],
    ["[/* x", 1, "a comment begins and does not end"],
    ["[1/* x", 2, "a comment begins and does not end"],
    ['{"a"/* x', 4, "a comment begins and does not end"],
    ['{"a":/* x', 5, "a comment begins and does not end"],
    ['{"a":1}/* x', 7, "a comment begins and does not end"],
    ['{"a":', 5, "found the end of the file, expected a value"],
    ['{"a\n', 1, "a string begins and does not end on its line"],
    ['{"a":"b\r', 5, "a string begins and does not end on its line"],
    ['["a', 1, "a string begins and does not end on its line"],
    ['"a\\', 2, "a backslash in a string begins no escape that JSON knows"],
    ['"a\\u12g4"', 2, "a backslash in a string begins no escape that JSON knows"],
    ['"\u0001"', 1, "found the character U+0001 in a string, expected an escape such as \\t"],
    ["[truex]", 1, 'found "truex", expected a value'],
    ["[-]", 1, 'found "-", expected a number'],
    ["[1.]", 2, 'found ".", expected "," or "]"'],
    ["[\u007f]", 1, "found the character U+007F, expected a value"],
    ["[🚀]", 1, "found the character U+1F680, expected a value"],
    ["[~]", 1, 'found "~", expected a value'],
    ["[!]", 1, 'found "!", expected a value'],
    ["1 2", 2, 'found "2", expected the end of the file'],
    [`${"[".repeat(101)}`, 100, "more than 100 levels of nesting"],
  ])("%j is refused at %d: %s", (text, offset, message) => {
    expect(readJson(text)).toEqual({ ok: false, error: { offset, message } });
  });

  it("is compared by its values and their order", () => {
    expect(canonical(document('{ "b" : [1.0, "x"], // c\n "a": {} }').root)).toBe('{"b":[1,"x"],"a":{}}');
    expect([canonical(null), canonical(document("[]").root), canonical(document("null").root)]).toEqual([
      "",
      "[]",
      "null",
    ]);
    const { root: top } = document('{"a": "x", "b": 1}');
    expect([
      stringOf(memberOf(top, "a")?.value),
      stringOf(memberOf(top, "b")?.value),
      memberOf(top, "c"),
      memberOf(null, "a"),
      stringOf(null),
    ]).toEqual(["x", null, null, null, null]);
    expect(memberOf(document("[1]").root, "0")).toBeNull();
  });
});
