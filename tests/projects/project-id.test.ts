import { expect, test } from "vitest";
import { isCanonicalProjectId, isProjectId } from "../../src/base/project-id.ts";
import { parseProjectId } from "../../src/projects/project-id.ts";
import { cpuTime } from "../helpers/cpu-time.ts";

test.each(["24-demo", "7-x", "123456-long-number", "24-Demo_App", "05-a--b", "2026-01", `24-${"a".repeat(252)}`])(
  "reads %s",
  (id) => {
    expect(parseProjectId(id)).toEqual({ ok: true, value: id });
  },
);

test.each([
  "",
  "24",
  "24-",
  "demo",
  "demo-24",
  "24_demo",
  "24-demo/x",
  "../24-demo",
  "24-demo\n",
  "24-dé",
  " 24-demo",
  "24-demo\0",
  `24-${"a".repeat(253)}`,
])("refuses %j and says what an id is", (id) => {
  const parsed = parseProjectId(id);
  expect(parsed.ok).toBe(false);
  if (!parsed.ok) expect(parsed.error.hint).toContain("24-demo");
});

test.each([
  ["24", "24-demo"],
  ["demo", "24-demo"],
  ["24 Demo", "24-demo"],
  ["xml-context", "27-xml-context"],
  ["24-dmo!", "24-demo"],
])("suggests for %j the project that is meant", (name, meant) => {
  const parsed = parseProjectId(name, ["24-demo", "27-xml-context", "28-xml"]);
  expect(parsed.ok ? "" : parsed.error.hint).toContain(`Did you mean "${meant}"?`);
});

test("suggests none of two that fit as well", () => {
  const parsed = parseProjectId("demo", ["24-demo", "25-demo"]);
  expect(parsed.ok ? "" : parsed.error.hint).not.toContain("Did you mean");
});

test("shows the start only of a name that is very long, in little time", () => {
  const start = cpuTime();
  const parsed = parseProjectId(" -".repeat(500_000), ["24-demo"]);
  expect(parsed.ok ? 0 : parsed.error.message.length).toBeLessThan(130);
  expect(isProjectId("1".repeat(1_000_000))).toBe(false);
  expect(cpuTime() - start).toBeLessThan(2_000);
});

test("knows the form that new projects get", () => {
  expect(["24-demo", "024-a-1", "24-demo-app"].every(isCanonicalProjectId)).toBe(true);
  expect(["4-demo", "24-Demo", "24-a_b", "24-a--b", "24-a-"].some(isCanonicalProjectId)).toBe(false);
});
