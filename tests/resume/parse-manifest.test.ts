import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyEdits } from "../../src/base/text-edit.ts";
import { isMigratable, parseLegacyManifest, parseManifest, startManifest } from "../../src/resume/parse-manifest.ts";
import { cpuTime } from "../helpers/cpu-time.ts";
import { fixture, manifestText, replacing } from "./fixture.ts";

/** `line:column severity code`, one for each finding. */
function findings(text: string): string[] {
  return parseManifest(text).diagnostics.map(
    ({ start, severity, code }) => `${start.line}:${start.column} ${severity} ${code}`,
  );
}

function fixed(text: string): string {
  return applyEdits(
    text,
    parseManifest(text).diagnostics.flatMap((diagnostic) => diagnostic.fix ?? []),
  );
}

test("reads a manifest as the design shows it", () => {
  expect(parseManifest(manifestText())).toEqual({
    manifest: {
      resume_schema_version: "1.0",
      last_updated: "2026-01-03T15:30:00",
      project_id: "24-demo",
      project_name: "Demo: the app",
      current_phase: "execution",
      next_action: "execute-project",
      files_to_load: ["01-planning/01-overview.md", "01-planning/04-steps.md"],
      current_section: 2,
      current_task: 15,
      progress: "14/40 tasks complete",
    },
    diagnostics: [],
    cause: null,
    isUsable: true,
  });
});

test.each(["", " "])("refuses %j as a path to load, and reads the rest", (item) => {
  const text = manifestText((lines) =>
    lines.map((line) => (line.includes("01-overview") ? `  - ${JSON.stringify(item)}` : line)),
  );
  const { manifest, cause } = parseManifest(text);
  expect(manifest?.files_to_load).toEqual([item, "01-planning/04-steps.md"]);
  expect(cause).toBeNull();
  expect(findings(text)).toEqual(["9:5 error manifest-path"]);
});

test("reads the same with a BOM, CRLF, and blanks behind the dashes and keys", () => {
  const odd = `\uFEFF${manifestText((lines) => lines.map((line) => line.replace(/^(\w+):/, "$1 :")))}`
    .replaceAll("---\n", "--- \n")
    .replaceAll("\n", "\r\n");
  expect(parseManifest(odd)).toEqual(parseManifest(manifestText()));
});

describe("gives real manifests their verdict", () => {
  test.each([
    ["resume-context.v1-full.md", "24-demo", []],
    ["resume-context.v1-optimised.md", "07-demo-app", ["22:1 warning manifest-recommended-key"]],
    [
      "resume-context.v1-multisession.md",
      null,
      [
        "5:1 warning manifest-old-key",
        "11:1 error manifest-missing-key",
        "11:1 error manifest-missing-key",
        "11:1 error manifest-missing-key",
        "11:1 warning manifest-recommended-key",
        "11:1 warning manifest-recommended-key",
        "11:1 warning manifest-recommended-key",
      ],
    ],
    [
      "resume-context.v2-build.md",
      null,
      [
        "5:24 warning manifest-version",
        "9:1 warning manifest-unknown-key",
        "10:1 warning manifest-unknown-key",
        "11:1 warning manifest-unknown-key",
        "25:1 warning manifest-unknown-key",
        "26:1 warning manifest-unknown-key",
        "33:1 error manifest-missing-key",
        "33:1 error manifest-missing-key",
        "33:1 warning manifest-recommended-key",
      ],
    ],
  ])("%s", (name, id, expected) => {
    expect(findings(fixture(name))).toEqual(expected);
    expect(parseManifest(fixture(name)).manifest?.project_id ?? null).toBe(id);
  });
});

describe("keeps YAML's meaning", () => {
  test.each([
    ["files_to_load:", 'files_to_load: ["a, b.md", c.md]', "files_to_load", ["a, b.md", "c.md"]],
    ["project_name:", "project_name: 'it''s: one'", "project_name", "it's: one"],
    ["project_name:", "project_name: >-\n  two\n  lines", "project_name", "two lines"],
    ["project_name:", "project_name: 2026", "project_name", "2026"],
    ["project_name:", "project_name: &n Demo\ncontinue_at: *n", "continue_at", "Demo"],
    ["resume_schema_version:", "resume_schema_version: 1.0", "resume_schema_version", "1.0"],
    ["resume_schema_version:", "resume_version: 1.2", "resume_schema_version", "1.2"],
    ["last_updated:", "last_updated: 2026-01-03T15:30:00+02:00", "last_updated", "2026-01-03T15:30:00+02:00"],
    ["last_updated:", "last_updated: 2026-01-06T15:21:46.715741Z # now", "last_updated", "2026-01-06T15:21:46.715741Z"],
    ["last_updated:", "last_updated: 2026-01-03", "last_updated", "2026-01-03"],
    ["project_id:", "project_id: 123-Demo_App", "project_id", "123-Demo_App"],
    ["progress:", "progress: 14/40 # of them", "progress", "14/40"],
    ["current_task:", 'current_task: "15"', "current_task", 15],
    ["current_phase:", "current_phase: COMPLETE", "current_phase", "review"],
    ["current_phase:", "current_phase: Ready-For-Implementation", "current_phase", "ready-for-implementation"],
    ["next_action:", "next_action:", "next_action", ""],
  ])("%s %s", (key, line, name, value) => {
    const lines = replacing(key.slice(0, -1), line);
    const keepItems = (all: string[]) =>
      key === "files_to_load:" ? lines(all).filter((each) => !each.startsWith("  - ")) : lines(all);
    const { manifest } = parseManifest(manifestText(keepItems));
    expect(Object.entries(manifest ?? {})).toContainEqual([name, value]);
  });
});

describe("names what is wrong, where, and the way out", () => {
  test.each([
    ["project_id", null, "13:1 error manifest-missing-key", "`project_id` is missing"],
    ["project_id", "project_id: demo", "4:13 error manifest-value", '`project_id` is "demo"; expected a number'],
    ["project_id", "project_id: [24-demo]", "4:13 error manifest-value", "`project_id` is a list"],
    ["project_name", "project_name: ''", "5:15 error manifest-value", '`project_name` is ""'],
    ["project_name", "project_name:", "5:1 error manifest-missing-key", "`project_name` has no value"],
    ["current_phase", "current_phase: planing", "6:16 error manifest-value", "Did you mean planning?"],
    ["last_updated", "last_updated: 2026/01/04", "3:15 error manifest-value", "expected a real ISO 8601 time"],
    ["last_updated", "last_updated: 2026-02-30T10:00:00", "3:15 error manifest-value", "2026-02-30"],
    ["current_task", "current_task: many", "12:15 error manifest-value", '`current_task` is "many"'],
    ["current_task", "current_task: 1.5", "12:15 error manifest-value", "1.5"],
    ["current_task", "current_task: -1", "12:15 error manifest-value", "-1"],
    ["current_task", 'current_task: "15"', "12:15 warning manifest-value", "expected a number"],
    ["current_task", "curent_task: 15", "12:1 warning manifest-unknown-key", "Did you mean `current_task`?"],
    ["current_task", "current_task: 15\nproject_type: a", "13:1 warning manifest-unknown-key", "nothing reads it"],
    ["current_task", "current_task: 1\ncurrent_task: 2", "13:1 error front-matter-duplicate-key", "stands twice"],
    [
      "resume_schema_version",
      "resume_version: 1.2",
      "2:1 warning manifest-old-key",
      "old name of `resume_schema_version`",
    ],
    ["resume_schema_version", 'resume_schema_version: "2.0"', "2:24 warning manifest-version", "newer than 1"],
    ["resume_schema_version", "resume_version: 12", "2:17 warning manifest-version", '`resume_schema_version` is "12"'],
    ["resume_schema_version", "resume_schema_version: v1", "2:24 error manifest-value", 'a version such as "1.0"'],
    ["current_phase", "current_phase: complete", "6:16 warning manifest-phase", "is read as review"],
    ["project_id", "project_id: 4-Demo_App", "4:13 info manifest-project-id", "NN-kebab-case"],
    ["next_action", "next_action: ''", "7:1 warning manifest-value", "`next_action` is empty"],
    ["progress", "progress: {a: b}", "13:11 error manifest-value", "`progress` is a nested value"],
  ])("%s as %s", (key, line, place, told) => {
    const { diagnostics } = parseManifest(manifestText(replacing(key, line)));
    const found = diagnostics.map(({ start, severity, code, message, hint }) => ({
      place: `${start.line}:${start.column} ${severity} ${code}`,
      text: `${message} ${hint ?? ""}`,
    }));
    expect(found.map((finding) => finding.place)).toContain(place);
    expect(found.find((finding) => finding.place === place)?.text).toContain(told);
  });

  test("refuses each path that leaves the project, and keeps it in the list", () => {
    const refused = ["../../.ssh/id", "/etc/passwd", "a/../../b", "C:\\x", "CON", "~/x", "\\\\host\\share"];
    const text = manifestText((lines) =>
      lines.flatMap((line) => (line === "files_to_load:" ? [line, ...refused.map((path) => `  - ${path}`)] : [line])),
    );
    const { manifest, diagnostics } = parseManifest(text);
    expect(diagnostics.map(({ code, start }) => `${code} ${start.line}:${start.column}`)).toEqual(
      refused.map((_path, index) => `manifest-path ${9 + index}:5`),
    );
    expect(manifest?.files_to_load).toHaveLength(refused.length + 2);
  });

  test("an item that is no path makes the list a wrong one, and each is told by its place", () => {
    const text = manifestText((lines) =>
      lines.map((line) => (line.startsWith("files_to_load") ? `${line}\n  - {a: b}\n  -\n  - ''` : line)),
    );
    expect(findings(text)).toEqual([
      "9:5 error manifest-value",
      "10:4 error manifest-value",
      "11:5 error manifest-path",
    ]);
    expect(parseManifest(text).manifest).toBeNull();
    // An older file is gone by as far as it can be.
    expect(parseLegacyManifest(text)?.files_to_load).toHaveLength(2);
  });

  test.each<[string, (lines: readonly string[]) => string[], string | undefined]>([
    ["none of a whole one", (lines) => [...lines], undefined],
    [
      "no refused path, and no wrong optional value",
      (lines) =>
        lines
          .map((line) => (line === "files_to_load:" ? `${line}\n  - ../x` : line))
          .map((line) => (line.startsWith("current_section") ? "current_section: many" : line))
          .filter((line) => !line.startsWith("project_name")),
      "`project_name` is missing",
    ],
    [
      "of a list the item that is no path",
      (lines) => lines.map((line) => (line === "files_to_load:" ? `${line}\n  - ../x\n  - {a: b}` : line)),
      "`files_to_load` is a nested value",
    ],
    ["what is no YAML", (lines) => lines.map((line) => line.replace("files_to_load:", "files_to_load: [")), "not YAML"],
  ])("tells what cost the manifest: %s", (_what, change, told) => {
    const { manifest, diagnostics, cause } = parseManifest(manifestText(change));
    if (told === undefined) expect([manifest === null, cause]).toEqual([false, null]);
    else {
      expect(manifest).toBeNull();
      expect(cause?.message).toContain(told);
      expect(diagnostics).toContainEqual(cause);
    }
  });

  test("a wrong optional value costs that value only", () => {
    const { manifest } = parseManifest(manifestText(replacing("current_task", "current_task: many")));
    expect(manifest).toMatchObject({ project_id: "24-demo", current_section: 2 });
    expect(manifest).not.toHaveProperty("current_task");
  });

  test.each([
    ["# Title\n", "1:1 error front-matter-missing"],
    ["", "1:1 error front-matter-missing"],
    ["---\nproject_id: 24-demo\n# Title\n", "1:1 error front-matter-unclosed"],
    ["---\na: [b\n---\n", "3:1 error front-matter-yaml"],
    ["---\na: 'b\n---\n", "3:1 error front-matter-yaml"],
    ["---\n- a\n---\n", "2:1 error front-matter-yaml"],
    ["---\njust words\n---\n", "2:1 error front-matter-yaml"],
    ["---\n[a]: b\n---\n", "2:1 error front-matter-yaml"],
    ["---\na: 1\r\rb: 2\n---\n", "2:5 error front-matter-newline"],
    ["\uFEFF--- \ra: 1\r---\r", "1:5 error front-matter-newline"],
    ["---\ra: 1\r---\r", "1:4 error front-matter-newline"],
    ["--- \t\ra: 1\r---\r", "1:6 error front-matter-newline"],
    ["text ---\ra: 1\r---\r", "1:1 error front-matter-missing"],
  ])("of the text %j: %s", (text, place) => {
    expect(findings(text)[0]).toBe(place);
    expect(parseManifest(text).manifest).toBeNull();
  });

  test("a merge that git left open is told as one, and not as so many faults of YAML", () => {
    const both = "<<<<<<< HEAD\ncurrent_task: 3\n=======\ncurrent_task: 4\n>>>>>>> other";
    const { manifest, diagnostics } = parseManifest(manifestText(replacing("current_task", both)));
    expect(manifest).toBeNull();
    expect(diagnostics.map(({ code, message, hint }) => [code, message, hint])).toEqual([
      [
        "front-matter-yaml",
        "The front matter holds two versions: git left a merge open.",
        "Keep what is right of both, and take git's marks out.",
      ],
    ]);
    expect(diagnostics[0]).toMatchObject({ start: { line: 12, column: 1 }, end: { line: 12, column: 13 } });
  });

  test("what is no YAML is told in one line without a blank at its end", () => {
    const [finding] = parseManifest('---\na: "\\x1\n b"\n---\n').diagnostics;
    expect(finding?.message).toBe("The front matter is not YAML: Invalid escape sequence \\x1");
  });

  test("a first line that is none is marked without its mark of the encoding, and not without end", () => {
    const spanOf = (text: string) => {
      const [finding] = parseManifest(text).diagnostics;
      return [finding?.start.column, finding?.end.column];
    };
    expect(spanOf("\uFEFF# Title\n")).toEqual([1, 8]);
    expect(spanOf(`${"a".repeat(300)}\n\uFEFF`)).toEqual([1, 201]);
  });

  test("an empty front matter lacks all that is required", () => {
    expect(findings("---\n---\n").filter((line) => line.includes("error"))).toHaveLength(7);
  });

  test("the name of an older build is named as the way out", () => {
    const hints = parseManifest(fixture("resume-context.v2-build.md")).diagnostics.map(({ hint }) => hint ?? "");
    expect(hints.join("\n")).toContain("`build_id`");
  });
});

test.each([
  ["current_phase: COMPLETE", "current_phase: review"],
  ["current_phase: 'Execution'", "current_phase: 'execution'"],
  ['current_task: "15"', "current_task: 15"],
  ["resume_version: 1.2", "resume_schema_version: 1.2"],
])("mends %s to %s and nothing else", (line, mended) => {
  const key = line.startsWith("resume") ? "resume_schema_version" : line.slice(0, line.indexOf(":"));
  const text = manifestText(replacing(key, line));
  expect(fixed(text)).toBe(manifestText(replacing(key, mended)));
  expect(findings(fixed(text))).toEqual([]);
});

describe("withstands hostile front matter", () => {
  const bomb = `a: &a [x, x]\n${"bcdefghijk".replace(/./g, (c) => `${c}: &${c} [${`*${String.fromCharCode(c.charCodeAt(0) - 1)},`.repeat(9)}]\n`)}`;
  test.each([
    ["an alias bomb", bomb, "front-matter-aliases"],
    ["a line of a million letters", `a: ${"x".repeat(1_000_000)}`, "front-matter-too-complex"],
    ["deep brackets", `a: ${"[".repeat(30_000)}`, "front-matter-too-complex"],
    ["deep maps", `a: ${"{a: ".repeat(8_000)}`, "front-matter-too-complex"],
    ["deep explicit keys", "? ".repeat(16_000), "front-matter-too-complex"],
    ["deep dashes", "- ".repeat(16_000), "front-matter-too-complex"],
    ["many keys", Array.from({ length: 3000 }, (_, i) => `k${i}: 1`).join("\n"), "manifest-missing-key"],
    ["many anchors", Array.from({ length: 2000 }, (_, i) => `k${i}: &a${i} 1`).join("\n"), "manifest-missing-key"],
    ["many colons", "a: ".repeat(10_000), "front-matter-yaml"],
    ["many closing brackets", "}".repeat(30_000), "front-matter-yaml"],
    ["many tags", `a: ${"!a ".repeat(10_000)}`, "front-matter-yaml"],
    ["an alias of itself", "project_id: &a [*a]", "manifest-value"],
    ["a prototype's name", "__proto__: {polluted: 1}\nconstructor: 2\nhasOwnProperty: 3", "manifest-missing-key"],
  ])("%s", (_name, raw, code) => {
    const start = cpuTime();
    const { manifest, diagnostics } = parseManifest(`---\n${raw}\n---\n`);
    expect(cpuTime() - start).toBeLessThan(3000);
    expect(manifest).toBeNull();
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  test("never throws, and places every finding inside the text", { timeout: 120_000 }, () => {
    const piece = fc.constantFrom(
      ..."abc:-?[]{},#&*!|>'\"%@`~\\ \t",
      "\n",
      "\r\n",
      "\n  ",
      ": ",
      "- ",
      "---\n",
      "\nproject_id: ",
      "\nfiles_to_load:",
      "\ncurrent_task: ",
      "\ncurrent_phase: ",
      "&a ",
      "*a",
      "!!int ",
      "!!binary ",
      "<<: ",
      "0x1F",
      "\u2028",
    );
    const soup = fc.array(piece, { maxLength: 30 }).map((pieces) => `---\n${pieces.join("")}\n---\n`);
    fc.assert(
      fc.property(soup, (text) => {
        const lines = text.split(/\r\n|\r|\n/);
        const { manifest, diagnostics } = parseManifest(text);
        if (manifest === null) expect(diagnostics.some(({ severity }) => severity === "error")).toBe(true);
        for (const { start, end, message, hint } of diagnostics) {
          expect(start.line).toBeLessThanOrEqual(lines.length);
          expect(start.column).toBeLessThanOrEqual((lines[start.line - 1]?.length ?? 0) + 1);
          expect(end.line > start.line || (end.line === start.line && end.column >= start.column)).toBe(true);
          expect(message).toMatch(/\S/);
          expect(hint).toMatch(/\S/);
        }
      }),
      { numRuns: 1250 },
    );
  });
});

test("a manifest of another project than its folder's is told so, and read", () => {
  const { manifest, diagnostics } = parseManifest(manifestText(), "27-other");
  expect(manifest?.project_id).toBe("24-demo");
  expect(diagnostics).toMatchObject([{ code: "manifest-project", severity: "warning" }]);
  expect(diagnostics[0]?.message).toContain("27-other");
  expect(parseManifest(manifestText(), "24-demo").diagnostics).toEqual([]);
});

test("a version that is none is told as that alone, whatever number it begins with", () => {
  expect(findings(manifestText(replacing("resume_schema_version", "resume_schema_version: 2beta")))).toEqual([
    "2:24 error manifest-value",
  ]);
});

test.each([
  ["no front matter", "# Demo\n", true],
  ["no mark at the front matter's end", "---\nproject_id: 24-demo\n", false],
  ["front matter that is no YAML", "---\na: [\n---\n", false],
  ["wrong values", manifestText(replacing("current_phase", "current_phase: phase-1")), true],
])("whether a file with %s can be migrated", (_, text, migratable) => {
  expect(isMigratable(parseManifest(text).diagnostics)).toBe(migratable);
});

describe("an older file", () => {
  const legacy = (lines: string) => parseLegacyManifest(`---\n${lines}\n---\n# Demo\n`);

  test("is gone by with its list of files alone", () => {
    expect(legacy("files_to_load:\n  - 01-planning/04-steps.md")).toEqual({
      files_to_load: ["01-planning/04-steps.md"],
      next_action: "",
      current_phase: undefined,
      current_section: undefined,
      current_task: undefined,
    });
  });

  test("says what it says, and a wrong value costs that key alone", () => {
    const files = "files_to_load: [a.md]";
    expect(legacy(`${files}\ncurrent_phase: execution\nnext_action: execute-project\ncurrent_task: 3`)).toMatchObject({
      current_phase: "execution",
      next_action: "execute-project",
      current_task: 3,
    });
    expect(legacy(`${files}\ncurrent_phase: dreaming\ncurrent_task: many`)).toMatchObject({
      files_to_load: ["a.md"],
      current_phase: undefined,
      current_task: undefined,
    });
  });

  test.each([
    ["no list", "project_id: 24-demo"],
    ["a list that is none", "files_to_load: 7"],
    ["front matter that does not parse", "files_to_load: [a"],
  ])("with %s is nothing to go by", (_what, lines) => {
    expect(legacy(lines)).toBeNull();
  });
});

describe("a start", () => {
  const NOT_OURS = replacing("current_phase", "current_phase: phase-1");
  const V1 = replacing("resume_schema_version", "resume_schema_version: v1");
  const both = (lines: string[]) => V1([...NOT_OURS(lines)]);

  test("goes by the manifest that is whole", () => {
    const text = manifestText();
    for (const legacy of [false, true]) expect(startManifest(text, legacy)).toEqual(parseManifest(text).manifest);
  });

  test.each<[string, (lines: string[]) => readonly string[], string | undefined]>([
    ["a phase that is no word of ours", NOT_OURS, undefined],
    ["no phase", replacing("current_phase", null), undefined],
    ["a version that is none", V1, "execution"],
    ["no version", replacing("resume_schema_version", null), "execution"],
    ["neither", both, undefined],
    [
      "an optional value that is wrong as well",
      (lines) => replacing("progress", "progress: [1]")([...both(lines)]),
      undefined,
    ],
  ])("goes by all the rest of one with %s", (_, change, current_phase) => {
    const rest = { files_to_load: ["01-planning/01-overview.md", "01-planning/04-steps.md"], current_task: 15 };
    const read = startManifest(manifestText(change), false);
    expect(read).toMatchObject({ ...rest, next_action: "execute-project" });
    expect(read?.current_phase).toBe(current_phase);
  });

  test.each<[string, (lines: string[]) => readonly string[]]>([
    ["another required value that is wrong", replacing("last_updated", "last_updated: yesterday")],
    ["that beside a phase that is none", (lines) => replacing("project_name", null)([...NOT_OURS(lines)])],
    [
      "a list of files that is none",
      (lines) => replacing("files_to_load", "files_to_load: 7\nx:")([...NOT_OURS(lines)]),
    ],
  ])("goes by nothing of one with %s, and by an older file's list of files all the same", (what, change) => {
    const text = manifestText(change);
    expect(startManifest(text, false)).toBeNull();
    expect(startManifest(text, true) !== null).toBe(!what.startsWith("a list"));
  });

  test("goes by nothing where there is no front matter", () => {
    for (const legacy of [false, true]) expect(startManifest("# Demo\n", legacy)).toBeNull();
  });
});
