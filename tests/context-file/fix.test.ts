import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sourceText } from "../../src/base/source-text.ts";
import { fixContextFile } from "../../src/context-file/fix.ts";
import { isValid, validateContextFile } from "../../src/context-file/validate.ts";
import { cpuTime } from "../helpers/cpu-time.ts";
import { contextText } from "./context-text.ts";
import { nastyHeader, nastyLines, nastyOptions, nastyText } from "./nasty-file.ts";

const codes = (diagnostics: readonly { code: string }[]) => diagnostics.map(({ code }) => code);

describe("for any text", () => {
  test("a fixed file is a fixed point, and what is left has no fix", () => {
    fc.assert(
      fc.property(nastyText, nastyOptions, (text, options) => {
        const once = fixContextFile(text, options);
        expect(once.diagnostics.filter(({ fix }) => fix !== undefined)).toEqual([]);
        expect(once.diagnostics).toEqual(validateContextFile(once.text, options).diagnostics);
        const twice = fixContextFile(once.text, options);
        expect(twice).toEqual({ text: once.text, fixed: [], diagnostics: once.diagnostics });
      }),
      { numRuns: 300 },
    );
  });

  test("a file without fixable findings keeps every byte", () => {
    fc.assert(
      fc.property(nastyText, nastyOptions, (text, options) => {
        const fixable = validateContextFile(text, options).diagnostics.some(({ fix }) => fix !== undefined);
        expect(fixContextFile(text, options).text === text).toBe(!fixable);
      }),
      { numRuns: 250 },
    );
  });

  test.each([
    ["a file", nastyText, 250],
    ["a header", nastyHeader, 1200],
  ] as const)("no fix adds an error to %s", (_, texts, numRuns) => {
    fc.assert(
      fc.property(texts, nastyOptions, (text, options) => {
        const before = validateContextFile(text, options).diagnostics.filter(({ severity }) => severity === "error");
        const after = fixContextFile(text, options).diagnostics.filter(({ severity }) => severity === "error");
        // A date that was not read before may turn out to be none.
        const count = (list: typeof before) => list.filter(({ code }) => code !== "updated-date").length;
        expect(count(after)).toBeLessThanOrEqual(count(before));
      }),
      { numRuns },
    );
  });

  test("the newline style and the BOM do not change what is fixed, and are kept", () => {
    fc.assert(
      fc.property(
        nastyLines.map((lines) => lines.filter((text) => !/[\r\n]/.test(text))),
        nastyOptions,
        (lines, options) => {
          const wanted = fixContextFile(`${lines.join("\n")}\n`, options).text;
          for (const newline of ["\r\n", "\r"]) {
            const fixed = fixContextFile(`\uFEFF${lines.join(newline)}${newline}`, options).text;
            expect(fixed).toBe(`\uFEFF${wanted.replaceAll("\n", newline)}`);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  test("lines that no rule speaks of stay, in their order", () => {
    fc.assert(
      fc.property(nastyLines, nastyOptions, (lines, options) => {
        const marked = lines.flatMap((text, index) => [text, `kept ${index}`]);
        const kept = (text: string) =>
          sourceText(text)
            .lines.map((line) => line.text)
            .filter((text) => /^kept \d+$/.test(text));
        const text = marked.join("\n");
        expect(kept(fixContextFile(text, options).text)).toEqual(kept(text));
      }),
      { numRuns: 250 },
    );
  });
});

describe("what the team's old files had", () => {
  test("mends a hyphen in the title, an old heading and an extra field before Updated at once", () => {
    const text = contextText({
      title: "# Tester Agent - Recovery Context",
      updated: "**Model**: x\n**Owner**: y\n**Updated**: 2026-02-03",
      completed: "## Completed This Session\n- a",
    });
    const fixed = fixContextFile(text, { role: "oosh-expert" });
    expect(fixed.diagnostics).toEqual([]);
    expect(codes(fixed.fixed)).toEqual(["title", "metadata", "completed-work"]);
    expect(fixed.text).toBe(
      contextText({
        title: "# Tester Agent — Recovery Context",
        completed: "## Completed Work\n- a",
        pane: "**Pane**: 0.4 in cursorOrchestrator\n**Model**: x\n**Owner**: y",
        updated: "**Updated**: 2026-02-03",
      }),
    );
  });

  test.each([
    ["# ScrumMaster Context State", "# ScrumMaster — Session Context"],
    ["# Tester – Session Context", "# Tester — Session Context"],
    ["# Tester: Session Context", "# Tester — Session Context"],
    ...[..."\u2010\u2011\u2012\u2212"].map((dash) => [
      `# Tester ${dash} Session Context`,
      "# Tester — Session Context",
    ]),
    ["# Tester Session context", "# Tester — Session Context"],
    ["# A - B - Session Context", "# A - B — Session Context"],
    ["# Release 2024–2025 - Session Context", "# Release 2024–2025 — Session Context"],
    ["# Tester–Session Context", "# Tester — Session Context"],
    ["# Tester– Session Context", "# Tester — Session Context"],
    ["# ScrumMaster", "# ScrumMaster — Session Context"],
    ["# ScrumMaster — Session", "# ScrumMaster — Session Context"],
    ["## Tester — Session Context", "# Tester — Session Context"],
    ["#Tester — Session Context", "# Tester — Session Context"],
    ["Tester - Session Context", "# Tester — Session Context"],
    ["\n# Tester - Session Context", "# Tester — Session Context"],
    ["# Session Context", "# Oosh Expert — Session Context"],
  ])("mends the title %j", (title, wanted) => {
    expect(fixContextFile(contextText({ title }), {}).text).toBe(contextText({ title: wanted }));
  });

  test("writes a title from the role where there is none, and keeps the fields within reach", () => {
    const pane = "**Pane**: 0.4 in cursorOrchestrator";
    expect(fixContextFile(contextText({ title: "Some text." }), {}).text).toBe(
      contextText({ title: "# Oosh Expert — Session Context", pane: `${pane}\n\nSome text.\n` }),
    );
  });

  test.each(["some one", "-a", "a-", "a--b", "é", "a".repeat(65), "a/b", ""])(
    "makes no title of the role %j, which is no name",
    (role) => {
      const text = contextText({ title: "Some text.", role: `**Role**: ${role}` });
      expect(fixContextFile(text, {}).text).toBe(text);
    },
  );

  test("makes a title of a role of many words", () => {
    const role = "one-two-3-four";
    const text = contextText({ title: "Some text.", role: `**Role**: ${role}` });
    expect(fixContextFile(text, {}).text.split("\n")[0]).toBe("# One Two 3 Four — Session Context");
  });

  test.each(["# Tester — Session Context (2026-02-03)", "# A – B – C", "# — Context"])(
    "leaves the title %j to a person",
    (title) => {
      const fixed = fixContextFile(contextText({ title }), {});
      expect(fixed.text).toBe(contextText({ title }));
      expect(codes(fixed.diagnostics)).toEqual(["title"]);
    },
  );

  test.each([
    ["Updated: 2026-02-03"],
    ["**Update**: 2026-02-03"],
    ["**updated**: 2026-02-03"],
    ["**Updated:** 2026-02-03"],
    ["**Updated: 2026-02-03**"],
    ["**Updated** : 2026-02-03"],
    ["**Updated**: 2026-02-03".padStart(27)],
    ["- **Updated**: 2026-02-03"],
    ["__Updated__: 2026-02-03"],
    ["**Last Updated**: 2026-02-03"],
    ["**Updated**: 2026/2/3"],
  ])("mends the field %j", (updated) => {
    expect(fixContextFile(contextText({ updated }), {}).text).toBe(contextText({ updated: "**Updated**: 2026-02-03" }));
  });

  test.each([
    "Update: the deploy is blocked",
    "- update: ask Rudi",
    "**Updates**: none",
    "**Uploaded**: 2026-02-03",
    "Upgraded: node 22",
  ])("takes %j for a note, not for a date", (note) => {
    const text = contextText({ updated: note });
    const fixed = fixContextFile(text, {});
    expect(fixed.text).toBe(text);
    expect(codes(fixed.diagnostics)).toEqual(["metadata"]);
  });

  test.each(["Update: 2026-02-03", "**Update**: on 2026-02-30", "Updated: yesterday"])(
    "takes %j for the field",
    (line) => {
      const fixed = fixContextFile(contextText({ updated: line }), {});
      expect(fixed.text).toBe(contextText({ updated: `**Updated**: ${line.split(": ")[1]}` }));
    },
  );

  test("splits fields that share a line", () => {
    const updated = "**Updated**: 2026-02-03 | **Role**: a-b (x) | **Pane**: 0.1";
    const text = contextText({ updated }).replace(/\n\*\*Role[^|]*?\n\*\*Pane.*\n/, "\n");
    expect(fixContextFile(text, {}).text).toBe(
      contextText({ updated: "**Updated**: 2026-02-03", role: "**Role**: a-b (x)", pane: "**Pane**: 0.1" }),
    );
  });

  test("numbers a plain list of recovery steps", () => {
    const recovery = "## Recovery steps\n* Read this file\n* Ask";
    expect(fixContextFile(contextText({ recovery }), {}).text).toBe(
      contextText({ recovery: "## Recovery Steps\n1. Read this file\n2. Ask" }),
    );
  });

  test("numbers no rule of stars below the recovery steps", () => {
    const fixed = fixContextFile(contextText({ recovery: "## Recovery Steps\n- Read this file\n\n* * *" }), {});
    expect(fixed.text).toBe(contextText({ recovery: "## Recovery Steps\n1. Read this file\n\n* * *" }));
  });

  test.each([
    ["under", "- run:\n  ```sh\n  make\n- next"],
    ["behind", "- ```sh\n  make\n  ```\n- next"],
  ])("leaves bullets with code %s them: it would swallow the sections below", (_where, bullets) => {
    const text = contextText({ recovery: `## Recovery Steps\n${bullets}` });
    const fixed = fixContextFile(text, {});
    expect(fixed.text).toBe(text);
    expect(codes(fixed.diagnostics)).toEqual(["recovery-steps"]);
  });

  test.each(["Todo-App architecture", "Recovery-mode design", "Done.md layout", "Done/Undone", "Outstanding_1"])(
    "leaves a heading alone whose first word only begins with an old name: %j",
    (heading) => {
      const text = `# A — Session Context\n\n**Updated**: 2026-02-03\n**Role**: a\n**Pane**: 1\n\n## ${heading}\n`;
      expect(fixContextFile(text, {}).text).toContain(`\n## ${heading}\n`);
    },
  );

  test("a heading that is crossed out loses both marks with its old name", () => {
    const text = contextText().replace("## Key Files", "## ~~Important Files~~");
    expect(fixContextFile(text, {}).text).toBe(contextText());
  });

  test("adds the sections that are missing, and claims nothing in them", () => {
    const text = "# A — Session Context\n\n**Updated**: 2026-02-03\n**Role**: a\n**Pane**: 1\n\n## Pending\n- x\n";
    const fixed = fixContextFile(text, {});
    expect(fixed.text).toBe(
      text.replace(
        "## Pending",
        "## Recovery Steps\n1. Read this file\n\n## Completed Work\n- none recorded\n\n## Pending",
      ),
    );
    expect(codes(fixed.diagnostics)).toEqual(["key-files"]);
  });

  test("adds missing sections at the end, but not inside a fence that is left open", () => {
    const head = "# A — Session Context\n\n**Updated**: 2026-02-03\n**Role**: a\n**Pane**: 1";
    expect(fixContextFile(head, {}).text).toBe(
      `${head}\n\n## Recovery Steps\n1. Read this file\n\n## Completed Work\n- none recorded\n`,
    );
    const open = `${head}\n\`\`\`sh\nls`;
    expect(fixContextFile(open, {}).text).toBe(open);
  });

  test.each([
    ["a title above a heading", "## Notes\n\n\n**Updated**: 2026-02-03\n**Role**: a\n**Pane**: 1\n"],
    [
      "a title above a field with a comment",
      "text\n\n\n**Updated**: 2026-02-03\n**Role**: a\n**Pane**: 1 <!-- x -->\n",
    ],
    ["a role above a heading", "# A — Session Context\n## Notes\n\n\n**Updated**: 2026-02-03\n**Pane**: 1\n"],
    [
      "a line above a heading",
      "# A — Session Context\n\n## Notes\n\n**Updated**: 2026-02-03 **Role**: a\n**Pane**: 1\n",
    ],
    [
      "a step above the fields",
      "# A — Session Context\n## Recovery Steps\n\n**Updated**: 2026-02-03\n**Role**: a\n**Pane**: 1\n",
    ],
    [
      "a section above the fields",
      "# A — Session Context\n# Notes\n\n**Updated**: 2026-02-03\n**Role**: a\n**Pane**: 1\n<!--\n",
    ],
  ])("does not add %s that would push fields out of reach for good", (_, head) => {
    const text = `${head}\n## Recovery Steps\n1. Read this file\n\n## Completed Work\n- x\n`;
    expect(fixContextFile(text, { role: "a" }).text).toBe(text);
  });

  test("adds a title above fields that stay within reach, movable or not", () => {
    const text = "text\n**Updated**: 2026-02-03\n**Role**: a\n**Pane**: 1 <!-- x -->\n## Notes\n";
    expect(fixContextFile(text, { role: "a" }).text).toMatch(/^# A — Session Context\n\ntext\n\*\*Updated/);
  });

  test("adds a title and a role above fields that it then moves up", () => {
    const rest = "text\n\n## Recovery Steps\n1. Read this file\n\n## Completed Work\n- x\n\n## Pending\n- x\n";
    const head = "text\n\n\n\n**Updated**: 2026-02-03\n**Pane**: 1\n";
    expect(fixContextFile(head + rest, { role: "a-b" }).text).toBe(
      `# A B — Session Context\n\n**Updated**: 2026-02-03\n**Pane**: 1\n\n**Role**: a-b\n\ntext\n\n\n\n${rest}`,
    );
  });

  test("fills in the role that the file's name says, and invents neither date nor pane", () => {
    const text = contextText({ updated: "", role: "", pane: "" });
    const fixed = fixContextFile(text, { role: "oosh-expert" });
    expect(fixed.text).toContain("\n**Role**: oosh-expert\n");
    expect(codes(fixed.diagnostics)).toEqual(["metadata", "metadata"]);
  });

  test.each(["", "\uFEFF", " \r\n\t\r\n"])("leaves the empty file %j alone", (text) => {
    const fixed = fixContextFile(text, { role: "oosh-expert" });
    expect(fixed.text).toBe(text);
    expect(isValid(fixed.diagnostics)).toBe(false);
  });

  test.each(["```markdown\n", "---\nname: x\n---\n"])("adds nothing to a file that starts with %j", (top) => {
    const text = `${top}# A — Session Context\n\ntext\n`;
    expect(fixContextFile(text, { role: "a" }).text).toBe(text);
  });

  test("rewrites a mark in another dress and another spelling of the role, and nothing else", () => {
    const text = contextText({
      role: "**Role**: OOSH_Expert (x)",
      completed: "## Completed Work\n### Task 8: N (done - commit C2C326F) \n### Task 9: M",
    });
    const fixed = fixContextFile(text, { role: "oosh-expert" });
    expect(fixed.text).toBe(
      text.replace("OOSH_Expert", "oosh-expert").replace("(done - commit C2C326F)", "(DONE — commit c2c326f)"),
    );
    expect(codes(fixed.diagnostics)).toEqual(["done-marker"]);
  });

  test("takes the argument of a call for no mark", () => {
    const text = contextText({ completed: "## Completed Work\n### Task 8: Rename onClose(done) handlers" });
    expect(fixContextFile(text, {}).text).toBe(text);
  });
});

test("mends a megabyte of small faults in less than two seconds", () => {
  const tasks = "### Task 1: x (done)\n".repeat(50_000);
  const start = cpuTime();
  const fixed = fixContextFile(contextText({ completed: `## Done\n${tasks}` }), {});
  expect(cpuTime() - start).toBeLessThan(2000);
  expect(fixed.diagnostics).toEqual([]);
});
