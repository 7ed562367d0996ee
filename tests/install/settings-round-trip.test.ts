import { applyPatch, createTwoFilesPatch } from "diff";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HOOK_SCRIPTS } from "../../src/install/hook-scripts.ts";
import { canonical } from "../../src/install/json-edit.ts";
import { readJson } from "../../src/install/json-tree.ts";
import { projectScriptCommand, wantedHooks } from "../../src/install/our-hooks.ts";
import { editSettings, type SettingsRequest } from "../../src/install/settings-edit.ts";
import { need } from "../helpers/need.ts";
import { settingsText } from "./odd-settings.ts";

const NONE: ReadonlySet<string> = new Set();
const wanted = wantedHooks(4, (hook) => projectScriptCommand(`.claude/hooks/${hook}.sh`, null), HOOK_SCRIPTS);
const REGISTER: SettingsRequest = { wanted, rest: "remove", foreign: NONE };
const REMOVE: SettingsRequest = { wanted: [], rest: "remove", foreign: NONE };

function edit(text: string | null, request: SettingsRequest): string | null {
  return need(editSettings(text, request)).text;
}

describe("registering and removing", () => {
  test("gives the bytes back, whatever the file looks like", () => {
    fc.assert(
      fc.property(settingsText, ({ text }) => {
        const registered = edit(text, REGISTER);
        expect(registered).not.toBe(text);
        expect(edit(registered, REGISTER)).toBe(registered);
        expect(edit(registered, REMOVE)).toBe(text);
      }),
      { numRuns: 100 },
    );
  });

  test("keeps plain JSON plain, and adds nothing but whole lines of ours where the file has lines", () => {
    fc.assert(
      fc.property(settingsText, ({ text, plain }) => {
        const registered = edit(text, REGISTER) ?? "";
        if (plain) expect(() => JSON.parse(registered.replace(/^\uFEFF/, ""))).not.toThrow();
        const patch = createTwoFilesPatch("a", "b", text, registered);
        expect(applyPatch(text, patch)).toBe(registered);
        // Every byte of the old text is still there, in its order.
        let at = 0;
        for (const character of text) {
          at = registered.indexOf(character, at);
          expect(at).not.toBe(-1);
          at += 1;
        }
      }),
      { numRuns: 50 },
    );
  });

  test.each([
    "",
    "\n",
    "{}",
    "{}\n",
    "{ }\n",
    "{\n}\n",
    "{\n  }",
    '{"hooks":{}}',
    '{"hooks": {\n}\n}\n',
    "\uFEFF{}\r\n",
    "// mine",
    "\n// mine\n",
    "/* mine */",
    "// mine\r\n// more",
    '{\n"hooks": {} // mine \n}\n',
    '{\n"hooks": {\n"PreCompact": [\n{ "hooks": [] }\n] // mine \t\n}\n}\n',
    '{\n  "a": 1, // mine \n}\n',
    '{\r\n  "a": 1 // mine \r\n}\r\n',
  ])("gives %j back", (text) => {
    const registered = edit(text, REGISTER);
    expect(edit(registered, REGISTER)).toBe(registered);
    expect(edit(registered, REMOVE)).toBe(text);
  });

  test("does so whatever else stands where a hook or a group of hooks does, twice named members included", () => {
    const ours = wanted.map(({ command }) => command);
    const member = (name: string, value: fc.Arbitrary<string>) =>
      value.map((text) => `${JSON.stringify(name)}: ${text}`);
    const odd = fc.constantFrom("null", "5", "0", "true", '"x"', "[]", "{}");
    const command = fc
      .constantFrom(...ours, "lint", "context nope", `${ours[0]}; x`)
      .map((line) => JSON.stringify(line));
    const hook = fc.array(
      fc.oneof(
        member("type", fc.oneof(fc.constant('"command"'), odd)),
        member("command", fc.oneof(command, odd)),
        member("timeout", odd),
      ),
      { maxLength: 4 },
    );
    const hooks = fc.array(
      fc.oneof(
        hook.map((members) => `{${members.join()}}`),
        odd,
      ),
      { maxLength: 3 },
    );
    const group = fc.array(
      fc.oneof(
        member(
          "hooks",
          fc.oneof(
            hooks.map((all) => `[${all.join()}]`),
            odd,
          ),
        ),
        member("matcher", fc.oneof(fc.constantFrom('"Read"', '"*"'), odd)),
      ),
      { maxLength: 3 },
    );
    const groups = fc.array(
      fc.oneof(
        group.map((members) => `{${members.join(", ")}}`),
        odd,
      ),
      { maxLength: 3 },
    );
    fc.assert(
      fc.property(groups, groups, (start, tool) => {
        const text = `{"hooks": {"SessionStart": [${start.join()}], "PreToolUse": [${tool.join()}]}}`;
        const without = edit(text, REMOVE);
        const registered = edit(text, REGISTER);
        expect(edit(registered, REGISTER)).toBe(registered);
        if (without === null) return;
        expect(edit(edit(without, REGISTER), REMOVE)).toBe(without);
      }),
      { numRuns: 50 },
    );
  });

  test("leaves no file where there was none", () => {
    const registered = edit(null, REGISTER);
    expect(JSON.parse(registered ?? "")).toMatchObject({ hooks: { PreCompact: [{}], SessionStart: [{}] } });
    expect(edit(registered, REMOVE)).toBeNull();
  });

  test("what was registered in one file by hand is removed with its empty containers", () => {
    for (const indent of [undefined, 2, "\t"]) {
      const hooks = { PreCompact: [{ hooks: [{ type: "command", command: wanted[0]?.command ?? "" }] }] };
      const text = JSON.stringify({ model: "x", hooks }, null, indent);
      expect(edit(text, REMOVE)).toBe(JSON.stringify({ model: "x" }, null, indent));
    }
  });

  test("reads back what it compares by", () => {
    const node = readJson('{"b": [1, "x", null], "a": {"c": true}}');
    expect(node.ok && canonical(node.value.root)).toBe('{"b":[1,"x",null],"a":{"c":true}}');
  });
});
