import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isRoleName, machineName, parseRole, ROLE_RULE, roleOfMachine } from "../../src/lifecycle/role.ts";
import { cpuTime } from "../helpers/cpu-time.ts";

const LONGEST = "a".repeat(64);

test.each(["a", "0", "oosh-expert", "a-b-c-1", "scrum-master", "com10", "lpt", "console", "falcon", LONGEST])(
  "takes %s",
  (name) => {
    expect(parseRole(name)).toEqual({ ok: true, value: name });
  },
);

test.each([
  ["", 'Role "" is not a role name.'],
  ["../x", 'Role "../x" is not a role name.'],
  ["/etc/passwd", 'Role "/etc/passwd" is not a role name.'],
  ["a/b", 'Role "a/b" is not a role name.'],
  ["a\\b", 'Role "a\\\\b" is not a role name.'],
  ["C:\\x", 'Role "C:\\\\x" is not a role name.'],
  [".", 'Role "." is not a role name.'],
  ["A B", 'Role "A B" is not a role name.'],
  ["Oosh", 'Role "Oosh" is not a role name.'],
  ["é", 'Role "é" is not a role name.'],
  ["ａ", 'Role "ａ" is not a role name.'],
  ["a_b", 'Role "a_b" is not a role name.'],
  ["x.context", 'Role "x.context" is not a role name.'],
  ["-x", 'Role "-x" is not a role name.'],
  ["--json", 'Role "--json" is not a role name.'],
  ["x-", 'Role "x-" is not a role name.'],
  ["a--b", 'Role "a--b" is not a role name.'],
  ["a\n", 'Role "a\\n" is not a role name.'],
  ["a\u2028", 'Role "a\u2028" is not a role name.'],
  ["a\0", 'Role "a\\u0000" is not a role name.'],
  ["$(touch x)", 'Role "$(touch x)" is not a role name.'],
  ["con", 'Role "con" is a device name on Windows.'],
  ["nul", 'Role "nul" is a device name on Windows.'],
  ["com1", 'Role "com1" is a device name on Windows.'],
  ["lpt9", 'Role "lpt9" is a device name on Windows.'],
  [`${LONGEST}a`, `Role "${LONGEST}a" is not a role name.`],
  ["x".repeat(80), `Role "${"x".repeat(80)}" is not a role name.`],
  ["x".repeat(81), `Role "${"x".repeat(77)}..." is not a role name.`],
  ["x".repeat(200), `Role "${"x".repeat(77)}..." is not a role name.`],
])("refuses %j and says the rule", (name, message) => {
  const role = parseRole(name);
  expect(role.ok).toBe(false);
  if (role.ok) return;
  expect(role.error.message).toBe(message);
  expect(role.error.hint).toContain(ROLE_RULE);
});

test.each([
  ["Oosh-Expret", ["tester", "oosh-expert"], "oosh-expert"],
  ["Oosh_Expert", ["oosh-expert"], "oosh-expert"],
  ["A B", [], "a-b"],
  [`A${" ".repeat(300)}B_`, [], "a-b"],
  ["con", ["com"], "com"],
  ["a_b", [], "a-b"],
  ["session/agents/oosh-expert.context.md", [], "oosh-expert"],
  ["Oosh.Expert", [], "oosh-expert"],
  ["../x1", [], "x1"],
  ["oosh-expert.context", ["oosh-expert"], "oosh-expert"],
])("for %j beside %j it suggests %s", (name, known, wanted) => {
  const role = parseRole(name, known);
  expect(role.ok ? "" : role.error.hint).toContain(`Did you mean "${wanted}"?`);
});

test.each(["", "A", "é", "con", "漢字", "x".repeat(200)])("for %j it suggests nothing", (name) => {
  const role = parseRole(name);
  expect(role.ok ? "" : role.error.hint).toBe(
    "A role is lower-case letters and digits in groups joined by single hyphens, at most 64 characters.",
  );
});

test("what it suggests is a role", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (name) => {
      const role = parseRole(name);
      const suggested = role.ok ? name : /Did you mean "(.*)"\?/.exec(role.error.hint)?.[1];
      if (suggested !== undefined) expect(isRoleName(suggested)).toBe(true);
    }),
  );
});

test("a role and its machine lead to each other, and no two roles share one", () => {
  const group = fc.stringMatching(/^[a-z0-9]{1,5}$/);
  fc.assert(
    fc.property(fc.array(group, { minLength: 1, maxLength: 5 }), (groups) => {
      const role = parseRole(groups.join("-"));
      if (!role.ok) return;
      const machine = machineName(role.value);
      expect(machine).toMatch(/^[a-z0-9_]+$/);
      expect(roleOfMachine(machine)).toBe(role.value);
    }),
  );
});

test.each(["", "a-b", "a__b", "_a", "a_", "con", "A", "a.b", "é", "a".repeat(65)])(
  "no role has the machine %j",
  (machine) => {
    expect(roleOfMachine(machine)).toBeNull();
  },
);

test.each(["a", "-", "a-", "_", "é", " "])("answers at once for a megabyte of %j", (unit) => {
  const start = cpuTime();
  const role = parseRole(unit.repeat(1_000_000 / unit.length), ["oosh-expert"]);
  expect(role.ok).toBe(false);
  expect(cpuTime() - start).toBeLessThan(2_000);
});
