import { expect, test } from "vitest";
import { isCanonicalProjectId, isProjectId, PROJECT_ID_RULE } from "../../src/base/project-id.ts";

test.each(["24-demo", "7-x", "24-Demo_App", "05-a--b", "2026-01", `24-${"a".repeat(252)}`])("%j is an id", (name) => {
  expect(isProjectId(name)).toBe(true);
});

test.each(["", "24", "24-", "-demo", "demo-24", "x24-demo", "24-demo/x", "24-demo ", "24-é", `24-${"a".repeat(253)}`])(
  "%j is none",
  (name) => {
    expect(isProjectId(name)).toBe(false);
    expect(isCanonicalProjectId(name)).toBe(false);
  },
);

test.each([
  ["24-demo", true],
  ["024-a-1-bc", true],
  ["4-demo", false],
  ["24-Demo", false],
  ["24-a_b", false],
  ["24-a--b", false],
  ["24-a-", false],
  [`24-${"a".repeat(253)}`, false],
])("that %j is the form of new ones: %j", (name, isForm) => {
  expect(isCanonicalProjectId(name)).toBe(isForm);
});

test("the rule names an id that holds to it", () => {
  expect(isCanonicalProjectId(PROJECT_ID_RULE.split(" ").at(-1) ?? "")).toBe(true);
});
