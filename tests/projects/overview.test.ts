import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { normalStatus, parseOverview, projectStatus } from "../../src/projects/overview.ts";

const FIXTURE = readFileSync(new URL("../fixtures/nexus/01-overview.md", import.meta.url), "utf8");

test("reads a real overview without a YAML parser", () => {
  expect(parseOverview(FIXTURE)).toEqual({
    id: "05-website-development",
    name: "Website Development",
    status: "IN_PROGRESS",
    description: "Load when user mentions 'website', 'web dev', 'homepage'",
    created: "2025-10-15",
    fault: null,
  });
});

test("takes other names of keys, and the first heading for a name", () => {
  expect(parseOverview("---\nproject_id: 24-demo\ntitle: Demo\n---\n")).toMatchObject({ id: "24-demo", name: "Demo" });
  expect(parseOverview("---\nstatus: done\n---\n```\n# quoted\n```\n# Demo App\n")).toMatchObject({
    name: "Demo App",
    status: "COMPLETE",
  });
  expect(parseOverview("# Demo App\n")).toMatchObject({ name: "Demo App", status: null, fault: null });
});

test("takes a number for a text, and passes over what is neither", () => {
  const values = { id: 24, project_id: "x", name: ["a"], title: "Demo" };
  expect(parseOverview("---\nodd: &a 1\n---\n", () => new Map(Object.entries(values)))).toMatchObject({
    id: "24",
    name: "Demo",
  });
  expect(parseOverview("---\nid: 24\n---\n")).toMatchObject({ id: "24" });
});

test("asks for a YAML parser where the front matter is not simple, and goes on without one", () => {
  const text = "---\nname: Demo # working title\nstatus: PLANNING\n---\n# Other\n";
  expect(parseOverview(text)).toMatchObject({ name: "Other", status: null, fault: null });
  const overview = parseOverview(text, (raw) => new Map(Object.entries(parse(raw))));
  expect(overview).toMatchObject({ name: "Demo", status: "PLANNING", fault: null });
});

test("says where front matter is not closed, or no YAML", () => {
  const unclosed = "the front matter that opens here is not closed, and nothing in it is read";
  expect(parseOverview("---\nname: Demo\n# Title\n")).toMatchObject({
    ...{ name: null, fault: { line: 1, column: 1, message: unclosed } },
  });
  const fault = (at: number) => parseOverview("---\r\na: [\r\nb: c: d\r\n---\n# T\n", () => ({ at, message: "why" }));
  const message = "the front matter is not read: why";
  expect(fault(0)).toMatchObject({ name: "T", fault: { line: 2, column: 1, message } });
  expect(fault(11)).toMatchObject({ name: "T", fault: { line: 3, column: 6, message } });
});

test.each([
  ["in progress", "IN_PROGRESS"],
  [" In-Progress ", "IN_PROGRESS"],
  ["Completed", "COMPLETE"],
  ["planning", "PLANNING"],
  ["on hold", "ON_HOLD"],
])("writes the status %j as %s", (text, status) => {
  expect(normalStatus(text)).toBe(status);
});

test.each([
  ["planning", "PLANNING"],
  ["execution", "IN_PROGRESS"],
  ["complete", "COMPLETE"],
  ["empty", "PLANNING"],
  [null, "PLANNING"],
] as const)("where the overview names no status, boxes at %s say %s", (phase, status) => {
  expect(projectStatus(parseOverview("# Demo\n"), phase)).toBe(status);
  expect(projectStatus(null, phase)).toBe(status);
});

test("the overview's own status stands before the boxes", () => {
  expect(projectStatus(parseOverview("---\nstatus: ON_HOLD\n---\n"), "execution")).toBe("ON_HOLD");
});

test.each([
  ["---\nname: '  '\nproject_name: ' Demo '\n---\n# Other\n", "Demo"],
  ["---\nname: ''\n---\n## Part\n#\n# Demo\n# Other\n", "Demo"],
  ["Demo\n---\n\n## Part\n", null],
  [`${"text\n".repeat(4001)}# Demo\n`, null],
])("the name of a project is the first that says something: %#", (text, name) => {
  expect(parseOverview(text).name).toBe(name);
});

test.each([
  ["in  progress", "IN_PROGRESS"],
  [" In - Progress ", "IN_PROGRESS"],
  ["InProgress", "IN_PROGRESS"],
])("%j is one status, however it is written", (text, status) => {
  expect(normalStatus(text)).toBe(status);
});
