import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DEFAULT_GATE } from "../../src/resume/gate.ts";
import type { StepsFacts } from "../../src/resume/manifest-values.ts";
import { type Legacy, migrateManifest } from "../../src/resume/migrate.ts";

const FILE = new URL("fixtures/migrations.json", import.meta.url);
const GATE = "\n# Validation Gate\n- Why?\n";
const front = (...lines: readonly string[]): string => `---\n${lines.join("\n")}\n---\n${GATE}`;

const STEPS: StepsFacts = { closed: 1, total: 2, currentSection: 3, currentTask: { ordinal: 2 }, phase: "execution" };

/** Old files, with what is known of their project where that is not as usual. */
const OLD: Readonly<Record<string, string | Partial<Legacy>>> = {
  "an empty file": "",
  "a BOM alone": "\uFEFF",
  "a text without a newline": "Notes",
  "a text with a newline": "Notes\n",
  "a text with a blank line at its end": "Notes\n\n",
  "a text with CRLF and a BOM": "\uFEFFNotes\r\nmore\r\n",
  "a text that begins with a blank line": "\nNotes\n",
  "a text with a gate": `Notes\n${GATE}`,
  "an empty front matter": front(),
  "a phase in the text": `- **Phase**: COMPLETE\n- **Phase**: testing\n${GATE}`,
  "a phase in the text that is none": `- **Phase**: nowhere\n- x **Phase**: testing\n- **Phase**:   Testing, mostly\n${GATE}`,
  "a phase in the text and in a key": `${front("phase: planning")}- **Phase**: testing\n`,
  "an old phase": front("phase: COMPLETE"),
  "a phase that is not known": front("phase: someday"),
  "a phase that is not known, and boxes": { legacyText: front("current_phase: Phase 3 - Build"), steps: STEPS },
  "no phase, and boxes": { legacyText: front("x: 1"), steps: { ...STEPS, phase: "complete" } },
  "a phase, and boxes that say another": { legacyText: front("phase: planning"), steps: STEPS },
  "a phase that is not known, and no box": { legacyText: front("phase: phase-1"), steps: { ...STEPS, phase: "empty" } },
  "a new phase in capitals": front("current_phase: TESTING"),
  "a phase that is as it should be": front("phase: research"),
  "a phase of a list": front("phase: [a]"),
  "an empty phase": front("phase:"),
  "both names of a phase": front("phase: testing", "current_phase: review"),
  "a version of a number": front("resume_version: 1.0"),
  "a version of a text": front("resume_version: '1.1'"),
  "a version of a list": front("resume_schema_version: [1]"),
  "a version in a block": front("resume_schema_version: |", "  1.2", "x: 1"),
  "an id that is none": front("project_id: demo"),
  "an id of another project": front("project_id: 7-other"),
  "an empty id": front("project_id:   # none"),
  "an id without a colon": front("? project_id"),
  "a name of blanks": front("project_name: '  '"),
  "a name of its own": front("project_name: Mine"),
  "no name anywhere": { legacyText: front("x: 1"), overviewName: null },
  "a name of blanks in the overview": { legacyText: front("x: 1"), overviewName: "  " },
  "a name with blanks in the overview": { legacyText: front("x: 1"), overviewName: "  A: b  " },
  "an action of its own": front("last_skill: mine"),
  "an action of blanks": front("last_skill: ' '"),
  "an empty action while planning": front("phase: planning", "next_action:"),
  "an empty action in research": front("phase: research", "next_action: ~"),
  "a time of its own": front("updated: 2026-01-03"),
  "a time that is none": front("updated: yesterday"),
  "files that are there": front("files_to_load:", "  - 01-planning/plan.md"),
  "files that are not there": front("files_to_load: [a.md, ./b.md]"),
  "files where nothing is known of any": { legacyText: front("files_to_load: [a.md]"), existingFiles: [] },
  "files of which some are refused": front("files_to_load: [../x, 01-planning/plan.md, '', {a: b}, ~]"),
  "files that are all refused": front("files_to_load: [../x]"),
  "a text for files": front("files_to_load: a.md"),
  "keys that are indented": `---\n  phase: testing\n---\n${GATE}`,
  "comments and keys of others": front("# mine", "owner: me # us", "phase: testing # now"),
  "a key that stands twice": front("phase: a", "phase: b"),
  "a flow map": front("{phase: planning}"),
  "files that leave the project between comments": front(
    "files_to_load:",
    "  # first",
    "  - 01-planning/plan.md # why",
    "  - ../x.md # gone with it",
    "  - 'a b.md'",
    "  # last",
    "  - /etc/passwd",
    "mine: 1",
  ),
  "files that leave the project on the key's line": front("files_to_load: [a.md, ../x.md] # why"),
  "files that leave the project with an anchor": front("files_to_load:", "- &x ../x.md", "- a.md", "mine: *x"),
  "a text for files that leaves the project": front("files_to_load: ../x.md"),
  "null for files": front("files_to_load: ~ # none"),
  "a wrong value below files that leave the project": front(
    "files_to_load:",
    "  - ../x.md",
    "  - ../y.md",
    "total_tasks: many",
  ),
  "code that is not closed": "---\nphase: planning\n---\n\n# Notes\n\n```\n# Validation Gate\n",
  "a comment that is not closed": "# Notes\r\n<!-- later\r\n",
  "empty lines before front matter": "\uFEFF\r\n  \r\n---\r\nphase: execution\r\n---\r\nbody\r\n",
  "empty lines before two rules": "\n---\nA quotation.\n---\n",
  "front matter that a line of dots ends": front("phase: planning", "..."),
  "what is no YAML": front("phase: ["),
  "front matter that is not closed": "---\nphase: planning\n",
  "an optional value that is wrong": front("current_task: many", "blockers: a"),
  "a folder that is no project": { legacyText: front("x: 1"), folderName: "notes".repeat(20) },
};

function pageOf(old: string | Partial<Legacy>): unknown {
  const result = migrateManifest({
    legacyText: typeof old === "string" ? old : "",
    folderName: "24-demo",
    overviewName: 'Demo "app"',
    existingFiles: ["01-planning/01-overview.md", "01-planning/plan.md", "01-planning/04-steps.md"],
    now: "2026-02-01T08:00:00.000Z",
    ...(typeof old === "string" ? {} : old),
  });
  if (!result.ok) return JSON.parse(JSON.stringify(result.error));
  const text = result.value.text
    .replace(DEFAULT_GATE, "<gate>")
    .replace(DEFAULT_GATE.replaceAll("\n", "\r\n"), "<gate>");
  return { lines: text.split("\n"), notes: result.value.notes };
}

// Every byte of a migrated file, and every word about it. After a change made on purpose:
// UPDATE_PAGES=1 npx vitest run --config tests/vitest.config.ts tests/resume/migrations.test.ts, then read the difference.
if (process.env.UPDATE_PAGES) {
  const pages = Object.entries(OLD).map(([name, old]) => [name, pageOf(old)]);
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(pages), null, 1)}\n`);
}
const pages: Readonly<Record<string, unknown>> = JSON.parse(readFileSync(FILE, "utf8"));

test.each(Object.keys(OLD))("%s", (name) => {
  expect(pageOf(OLD[name] ?? "")).toEqual(pages[name]);
});

test("there is a page for each old file, and no other", () => {
  expect(Object.keys(pages)).toEqual(Object.keys(OLD));
});
