import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { splitFrontMatter } from "../../src/base/frontmatter.ts";
import { DEFAULT_GATE, readGate } from "../../src/resume/gate.ts";
import { type Legacy, migrateManifest } from "../../src/resume/migrate.ts";
import { parseManifest } from "../../src/resume/parse-manifest.ts";
import { need } from "../helpers/need.ts";
import { fixture } from "./fixture.ts";

const EXISTING = ["01-planning/01-overview.md", "01-planning/plan.md", "01-planning/04-steps.md"];

function legacy(legacyText: string, more: Partial<Legacy> = {}): Legacy {
  return {
    legacyText,
    folderName: "24-demo",
    overviewName: 'Demo "app"',
    existingFiles: EXISTING,
    now: "2026-02-01T08:00:00.000Z",
    ...more,
  };
}

function migrated(input: Legacy): { text: string; notes: readonly string[] } {
  return need(migrateManifest(input));
}

test("makes nothing of a time that is none: no start would read it", () => {
  const { legacyText } = legacy(fixture("legacy-A.root._resume.md"));
  expect(migrateManifest(legacy(legacyText, { now: "today" }))).toMatchObject({ error: { code: "manifest-value" } });
});

test("gives the keys of an auto-saved file their new names", () => {
  const { text, notes } = migrated(
    legacy(fixture("legacy-A.root._resume.md"), { folderName: "02-ontologies-research" }),
  );
  expect(text).toBe(`---
last_updated: "2026-01-01T23:41:00"
current_phase: "execution"
next_action: "execute-project"
project_id: "02-ontologies-research"
resume_schema_version: "1.0"
project_name: "Demo \\"app\\""
files_to_load: ["01-planning/01-overview.md", "01-planning/plan.md", "01-planning/04-steps.md"]
---

# Resume Context

Auto-saved by PreCompact hook at 2026-01-01T23:41:00.

## State
- **Phase**: execution

${DEFAULT_GATE}`);
  expect(notes.join("\n")).toContain("validation gate");
});

test("keeps a planning file's list and body, and fills in what it lacks", () => {
  const { text, notes } = migrated(legacy(fixture("legacy-B.planning._resume.md")));
  expect(text.slice(0, text.indexOf("\n\n# Validation"))).toBe(`---
resume_schema_version: "1.2"
project_id: 24-demo
current_phase: planning
files_to_load:
  - 01-planning/overview.md
  - 01-planning/plan.md
last_updated: 2026-01-03T17:00:00
project_name: "Demo \\"app\\""
next_action: plan-project
---

# Session History`);
  expect(notes).toContain('files_to_load: "01-planning/overview.md" does not exist.');
});

test("makes front matter for a file that has none: its folder is its id", () => {
  const before = fixture("legacy-C.no-frontmatter._resume.md");
  const { text } = migrated(legacy(before, { overviewName: null }));
  expect(text).toBe(`---
resume_schema_version: "1.0"
project_id: "24-demo"
project_name: "24-demo"
current_phase: review
next_action: execute-project
last_updated: "2026-02-01T08:00:00.000Z"
files_to_load: ["01-planning/01-overview.md", "01-planning/plan.md", "01-planning/04-steps.md"]
---

${before}
${DEFAULT_GATE}`);
});

test.each(["legacy-A.root._resume.md", "legacy-B.planning._resume.md", "legacy-C.no-frontmatter._resume.md"])(
  "makes of %s a manifest without an error, with a gate, and the same again of that",
  (name) => {
    for (const newline of ["\n", "\r\n"])
      for (const bom of ["", "\uFEFF"]) {
        const { text } = migrated(legacy(bom + fixture(name).replaceAll("\n", newline)));
        const { manifest, diagnostics } = parseManifest(text);
        expect(manifest).not.toBeNull();
        expect(diagnostics.map(({ code }) => code).filter((code) => code !== "manifest-recommended-key")).toEqual([]);
        expect(readGate(text)?.questions.length).toBeGreaterThan(3);
        expect(text.startsWith(`${bom}---${newline}`)).toBe(true);
        expect(
          text
            .split("\n")
            .every((line, index, all) => index === all.length - 1 || line.endsWith("\r") === (newline === "\r\n")),
        ).toBe(true);
        expect(migrated(legacy(text)).text).toBe(text);
      }
  },
);

test("keeps comments, unknown keys and what is good already", () => {
  const before = fixture("resume-context.v1-full.md");
  expect(migrated(legacy(before)).text).toBe(before);
  const { text } = migrated(
    legacy("---\n# mine\nphase: COMPLETE  # done\nowner: me\n---\n\n# Validation Gate\n- Why?\n"),
  );
  expect(text).toContain("# mine\ncurrent_phase: review  # done\nowner: me\n");
});

test("replaces what is wrong, and says so", () => {
  const { text, notes } = migrated(
    legacy(
      "---\nproject_id: demo\nphase: someday\nupdated: yesterday\nlast_skill:\nfiles_to_load:\n  - ../../etc/passwd\n  - 01-planning/plan.md\nproject_name:\n---\n",
    ),
  );
  expect(parseManifest(text).manifest).toMatchObject({
    project_id: "24-demo",
    current_phase: "planning",
    last_updated: "2026-02-01T08:00:00.000Z",
    next_action: "plan-project",
    files_to_load: ["01-planning/plan.md"],
    project_name: 'Demo "app"',
  });
  for (const word of ["demo", "someday", "yesterday", "../../etc/passwd"]) expect(notes.join("\n")).toContain(word);
});

test("says where the file names another project than its folder", () => {
  const { notes } = migrated(legacy(fixture("legacy-A.root._resume.md")));
  expect(notes.join("\n")).toContain("It says it is of 02-ontologies-research");
});

test.each(["# Demo\r - Notes\n\nText.\n", "# Demo\rText.\r"])(
  "%j, which has no front matter, gets one though a carriage return stands alone in it",
  (before) => {
    const { text } = migrated(legacy(before));
    expect(text.startsWith('---\nresume_schema_version: "1.0"\n')).toBe(true);
    expect(text).toContain(`---\n\n${before}`);
    expect(parseManifest(text)).toMatchObject({ manifest: { project_id: "24-demo" } });
  },
);

test("lists the usual files where none of them is there", () => {
  const { text } = migrated(legacy("# Notes\n", { existingFiles: [] }));
  expect(parseManifest(text).manifest?.files_to_load).toEqual([
    "01-planning/01-overview.md",
    "01-planning/03-plan.md",
    "01-planning/04-steps.md",
  ]);
});

test.each([
  ["a folder that is no project", "# Notes\n", "notes", "project-id"],
  ["front matter that is not closed", "---\nphase: planning\n", "24-demo", "front-matter-unclosed"],
  ["front matter that is no YAML", "---\nphase: [\n---\n", "24-demo", "front-matter-yaml"],
  ["a flow map", "---\n{phase: planning}\n---\n", "24-demo", "front-matter-flow"],
])("refuses %s", (_name, text, folderName, code) => {
  const result = migrateManifest(legacy(text, { folderName }));
  expect(result.ok ? "" : result.error.code).toBe(code);
});

describe("of any old file", () => {
  const known = fc.constantFrom(
    "resume_version: 1.0",
    "resume_schema_version: '1.1' # ours",
    "project_id: 24-demo",
    "project_id: Demo  # not yet",
    "? project_id",
    "project_name:",
    "project_name: 'it''s'",
    "phase: COMPLETE # done",
    "phase:   # none",
    "current_phase: >-\n  some\n  day\n# behind a block",
    "updated: 2026-01-01",
    "updated: yesterday # or so",
    "last_updated: '2026-01-01T00:00:00'",
    "last_skill: plan-project",
    "next_action:",
    "files_to_load:\n  # first\n  - 01-planning/plan.md # why\n\n  - ../x.md\n  # last",
    "files_to_load:\n- ../x.md\n- a b.md\n# between\n- /etc/passwd",
    "files_to_load: [a.md, ../x.md] # short",
    "files_to_load:\n- ../x.md",
    "files_to_load:\n  - - nested\n  - {a: b}\n  - a.md",
    "files_to_load: 01-planning/plan.md",
    "files_to_load:",
  );
  const other = fc.constantFrom(
    "# a comment: of ours",
    "",
    "mine: [1, 'two', {three: 4}]",
    "text: |+\n  # no comment\n\n  more\n",
    "nested:\n  deep:\n    - 1\n    - b: c",
    "list:\n- a\n# between two\n- b",
    'ünï: "\\u00e9 🚀"   ',
  );
  const bodies = fc.constantFrom(
    "",
    "\n# Notes\n\n- **Phase**: testing\n",
    "notes without an end",
    "```\n# Validation Gate\n",
    "<!-- open\n",
    "~~~\n```\n- [x] in code",
    "````` md\n```\n# Validation Gate\n```\n",
    "# Notes\n- one\n\n- ~~~~\n  <!--\n",
    "- ```\n  # Validation Gate\n",
    "\n## Validation Gate\n\n- [ ] Why?\n",
    "\n---\nproject_id: 99-other\n---\n",
  );
  const keyOf = (line: string): string => /^(?:\? )?([^#:\s]+)/.exec(line)?.[1] ?? line;
  const lines = fc
    .array(fc.oneof(known, other), { maxLength: 10 })
    .map((all) => all.filter((line, at) => all.findIndex((first) => keyOf(first) === keyOf(line)) === at));

  test("what is not ours to change stays, the result is a manifest, and migrated again it is the same", () => {
    fc.assert(
      fc.property(lines, bodies, fc.constantFrom("\n", "\r\n"), fc.boolean(), (all, body, newline, bom) => {
        const front =
          all.length === 0 && !body.includes("---") ? "" : `---\n${all.map((line) => `${line}\n`).join("")}---\n`;
        const before = (bom ? "\uFEFF" : "") + (front + body).replaceAll("\n", newline);
        const { text } = migrated(legacy(before));
        expect(parseManifest(text, "24-demo").diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
        const gate = readGate(text);
        expect(gate?.questions).toHaveLength(body.includes("Why?") ? 1 : 5);
        expect(text.includes(body.replaceAll("\n", newline).trim())).toBe(true);
        expect(text.startsWith("\uFEFF")).toBe(bom);
        if (before.includes("\r\n")) expect(text).not.toMatch(/[^\r]\n/);
        else expect(text).not.toContain("\r");
        const written = text.split(/\r?\n/);
        // In a flow list, and behind a value that is a block, comments are the value's own.
        for (const line of front.split("\n").filter((each) => /^ *#/.test(each))) expect(written).toContain(line);
        const parts = splitFrontMatter(before);
        const [old, now]: readonly Record<string, unknown>[] = [before, text].map((each) => {
          const found = splitFrontMatter(each);
          return found.kind === "found" ? (parse(found.raw) ?? {}) : {};
        });
        for (const key of ["mine", "text", "nested", "list", "ünï"]) {
          if (parts.kind === "found") expect(now?.[key]).toEqual(old?.[key]);
        }
        expect(migrated(legacy(text)).text).toBe(text);
      }),
      { numRuns: 300 },
    );
  });
});
