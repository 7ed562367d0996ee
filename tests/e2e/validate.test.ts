import { chmodSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { contextText, INVALID_TEXTS } from "../helpers/context-text.ts";
import { sharedLauncher } from "../helpers/program-under-test.ts";
import { runProgram } from "../helpers/run-program.ts";
import { HAS_TERMINAL, onTerminal } from "../helpers/terminal.ts";
import { makeWorkspace } from "../helpers/workspace.ts";

const FILE = "session/agents/oosh-expert.context.md";
/** Mended by rule: a hyphen in the title, a key that is not bold, an old heading. */
const FIXABLE = contextText({ title: "# OOSH Expert Agent - Session Context" })
  .replace("**Updated**:", "Updated:")
  .replace("## Completed Work", "## Completed This Session");

describe("what is validated", () => {
  test("a role, its file from any folder, several at once, and standard input", () => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert");
    workspace.role("second-role");
    const valid = `${FILE} is valid (no findings)\n`;
    expect(workspace.context("validate oosh-expert")).toMatchObject({ code: 0, stdout: valid, stderr: "" });
    expect(workspace.context(`validate ${FILE}`)).toMatchObject({ code: 0, stdout: valid });
    expect(workspace.context(["validate", workspace.path(FILE)])).toMatchObject({ code: 0, stdout: valid });
    expect(
      workspace.context("validate oosh-expert.context.md", { cwd: workspace.path("session/agents") }),
    ).toMatchObject({ code: 0, stdout: valid });
    expect(workspace.context("validate oosh-expert second-role")).toMatchObject({
      code: 0,
      stdout: "2 files, 0 invalid: no findings\n",
    });
    expect(workspace.context("validate -", { input: contextText() })).toMatchObject({
      code: 0,
      stdout: "<stdin> is valid (no findings)\n",
    });
  });

  test("a file by the path that findings show, which counts from the root, where none lies nearer", () => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert", FIXABLE);
    workspace.write("src/main.ts", "");
    const shown = `validate ${FILE}`;
    for (const options of [{ cwd: workspace.path("src") }, { cwd: "/", env: { CONTEXT_ROOT: workspace.root } }])
      expect(workspace.context(shown, options)).toMatchObject({
        code: 1,
        stdout: expect.stringContaining(`${FILE}:1:3 error title `),
      });
    workspace.write(`src/${FILE}`, contextText());
    expect(workspace.context(["-C", workspace.root, "validate", FILE], { cwd: workspace.path("src") })).toMatchObject({
      code: 0,
      stdout: `src/${FILE} is valid (no findings)\n`,
    });
  });

  test("a file that has a role's name, unless the role has a file", () => {
    const workspace = makeWorkspace();
    workspace.write("notes", contextText());
    workspace.write("README", contextText());
    expect(workspace.context("validate notes").stdout).toBe("notes is valid (no findings)\n");
    expect(workspace.context("validate README").stdout).toBe("README is valid (no findings)\n");
    workspace.write("oosh-expert", "");
    workspace.role("oosh-expert");
    expect(workspace.context("validate oosh-expert").stdout).toBe(`${FILE} is valid (no findings)\n`);
  });

  test("standard input named twice is read once, and told twice", () => {
    const workspace = makeWorkspace();
    const ran = workspace.context("validate - -", { input: contextText({ title: "# Bad" }) });
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("2 files of 2 are not valid.") });
    expect(ran.stdout).toContain("2 files, 2 invalid: 2 errors\n");
  });

  test("validate.all tells a copy of a role's file, as a sync makes one, from a file that is called amiss", () => {
    const workspace = makeWorkspace();
    for (const role of ["oosh-expert", "oosh"]) workspace.role(role, contextText({ role }));
    const names = [
      "oosh (conflicted copy 2026-02-03)",
      "oosh-expert.sync-conflict-20260203-1-ABC",
      "oosh-PC",
      "oosh-NONE",
      "oosh-Two",
      "oosh-V2",
    ];
    for (const name of names) {
      const role = name === "oosh-V2" ? "oosh-v2" : "oosh";
      workspace.write(`session/agents/${name}.context.md`, contextText({ role }));
    }
    workspace.write("session/agents/oosh-NONE.context.md", "# A copy of nothing\n");
    const [first, second, third, ...others] = names.map((name) => `${name}.context.md`);
    const { stderr } = workspace.context("validate.all");
    const notes = stderr.split("\n").filter((line) => /^(?:Bring|Rename)/.test(line));
    expect(notes.sort()).toEqual([
      `Bring what is new in ${first}, ${third} over into oosh.context.md, then delete them: they are copies, as a sync makes one, and no role reads them.`,
      `Bring what is new in ${second} over into oosh-expert.context.md, then delete it: it is a copy, as a sync makes one, and no role reads it.`,
      `Rename ${others.join(", ")}: no role can have that name, and none reads it.`,
    ]);
  });

  test("validate.all says of a copy alone that it is one, and no more", () => {
    const workspace = makeWorkspace();
    workspace.role("oosh");
    workspace.write("session/agents/oosh (1).context.md", contextText({ role: "oosh" }));
    expect(workspace.context("validate.all")).toMatchObject({
      code: 0,
      stderr:
        "Bring what is new in oosh (1).context.md over into oosh.context.md, then delete it: it is a copy, as a sync makes one, and no role reads it.\n",
    });
  });

  test("validate.all names a file that no role can have, as doctor counts it and sends to this command", () => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert");
    expect(workspace.context("validate.all").stderr).toBe("");
    for (const name of ["Tester", "a\u0007b"]) workspace.write(`session/agents/${name}.context.md`, contextText());
    expect(workspace.context("validate.all")).toMatchObject({
      code: 0,
      stdout: "3 files, 0 invalid: no findings\n",
      stderr: "Rename Tester.context.md, a\\u{7}b.context.md: no role can have that name, and none reads it.\n",
    });
    workspace.role("broken", "no title\n");
    expect(workspace.context("validate.all")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Rename Tester"),
    });
  });

  test("validate.all takes no hidden file for a context file: what macOS and Emacs leave beside one", () => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert");
    workspace.write("session/agents/._oosh-expert.context.md", "\0\u0005\u0016\u0007\0\u0002\0\0Mac OS X");
    symlinkSync("me@host.123:456", workspace.path("session/agents/.#oosh-expert.context.md"));
    const all = { code: 0, stdout: "1 file, 0 invalid: no findings\n", stderr: "" };
    expect(workspace.context("validate.all")).toMatchObject(all);
    expect(workspace.context("doctor").stdout).not.toContain("context-files-invalid");
  });

  test("validate.all sums up one file as it does several", () => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert");
    expect(workspace.context("validate.all")).toMatchObject({ code: 0, stdout: "1 file, 0 invalid: no findings\n" });
    workspace.role("oosh-expert", contextText({ title: "# Bad" }));
    const ran = workspace.context("validate.all");
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(/\n1 file, 1 invalid: 1 error\n$/);
  });

  test.each(Object.entries(INVALID_TEXTS))(
    "a file with a fault of %s is invalid, in a file and on stdin",
    (code, text) => {
      const workspace = makeWorkspace();
      workspace.role("oosh-expert", text);
      const file = workspace.context("validate oosh-expert");
      expect(file.code).toBe(1);
      expect(file.stdout).toMatch(new RegExp(`^${FILE.replaceAll(".", "\\.")}:\\d+:\\d+ error ${code} `, "m"));
      expect(file.stdout).toContain(`${FILE} is not valid (1 error)\n`);
      expect(workspace.context("validate -", { input: text }).stdout).toContain(` error ${code} `);
      expect(workspace.read(FILE)).toBe(text);
    },
  );

  test("of several files each is named, and one bad one is enough for exit code 1", () => {
    const workspace = makeWorkspace();
    workspace.role("good-one");
    workspace.role("bad-one", contextText({ role: "bad-one", title: "# Bad One" }));
    const ran = workspace.context("validate good-one bad-one gone-one ./no/file.md");
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(/^session\/agents\/bad-one\.context\.md:1:\d+ error title /m);
    expect(ran.stdout).toContain("session/agents/gone-one.context.md does not exist");
    expect(ran.stdout).toContain("no/file.md does not exist");
    expect(ran.stdout).toContain("4 files, 3 invalid: 3 errors\n");
    const all = "good-one bad-one gone-one ./no/file.md";
    expect(ran.stderr).toBe(
      `context: 3 files of 4 are not valid.\n  Run ./context validate --fix ${all}, then ./context validate ${all}.\n`,
    );
  });

  test("a BOM, CRLF, trailing blanks and a missing last newline are no faults; fenced headings do not count", () => {
    const workspace = makeWorkspace();
    const windows = `\uFEFF${contextText().trimEnd().replaceAll("\n", "  \r\n")}`;
    expect(workspace.context("validate -", { input: windows }).stdout).toBe("<stdin> is valid (no findings)\n");
    for (const fence of ["```", "~~~~"]) {
      const fenced = contextText().replace("## Completed Work", `${fence}\n## Completed Work\n${fence}`);
      expect(workspace.context("validate -", { input: fenced }).stdout).toContain(" error completed-work ");
    }
  });

  test("--strict makes a warning count", () => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert", contextText().replace("## Pending", "## Later"));
    expect(workspace.context("validate oosh-expert")).toMatchObject({ code: 0 });
    expect(workspace.context("validate oosh-expert --strict")).toMatchObject({ code: 1 });
    expect(workspace.context("validate.all --strict")).toMatchObject({ code: 1 });
  });
});

describe("--fix", () => {
  test("mends what is safe, says how much, and a second run changes nothing", () => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert", FIXABLE.replaceAll("\n", "\r\n"));
    chmodSync(workspace.path(FILE), 0o640);
    const ran = workspace.context("validate --fix oosh-expert");
    expect(ran).toMatchObject({ code: 0, stdout: `${FILE} is valid (no findings)\n` });
    expect(ran.stderr).toMatch(/^session\/agents\/oosh-expert\.context\.md: \d findings mended\.\n$/);
    expect(workspace.read(FILE)).toBe(contextText().replaceAll("\n", "\r\n"));
    expect(workspace.context("validate --fix oosh-expert")).toMatchObject({ code: 0, stderr: "" });
    expect(workspace.list("session/agents")).toEqual(["oosh-expert.context.md"]);
  });

  test("reports what it cannot mend and exits 1", () => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert", FIXABLE.replace("2026-02-03", "2026-02-30"));
    const ran = workspace.context("validate.all --fix");
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain(" error updated-date ");
    expect(ran.stdout).toContain("1 file, 1 invalid: 1 error");
    expect(ran.stderr).toContain("mended");
    expect(workspace.read(FILE)).toContain("# OOSH Expert Agent — Session Context\n");
  });

  test("with - it is a filter: the text on stdout, what is left on stderr", () => {
    const workspace = makeWorkspace();
    const mended = workspace.context("validate --fix -", { input: FIXABLE });
    expect(mended).toMatchObject({ code: 0, stdout: contextText() });
    expect(mended.stderr).toMatch(/findings mended/);

    const left = workspace.context("validate --fix -", { input: FIXABLE.replace("2026-02-03", "2026-02-30") });
    expect(left).toMatchObject({ code: 1, stdout: contextText().replace("2026-02-03", "2026-02-30") });
    expect(left.stderr).toMatch(/^<stdin>:3:\d+ error updated-date .*\.$/m);

    const json: unknown = JSON.parse(workspace.context("validate --fix - --json", { input: FIXABLE }).stdout);
    expect(json).toMatchObject({ ok: true, files: [{ path: "<stdin>", text: contextText(), findings: [] }] });
  });

  test.each([
    ["github", "::error file=<stdin>,line=3,"],
    ["sarif", '"ruleId": "updated-date"'],
  ])("with - and --format %s stdout names what is left", (format, finding) => {
    const input = FIXABLE.replace("2026-02-03", "2026-02-30");
    const ran = makeWorkspace().context(["validate", "--fix", "-", "--format", format], { input });
    expect(ran).toMatchObject({ code: 1, stdout: expect.stringContaining(finding) });
  });

  test("changes nothing where one of the names is none", () => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert", FIXABLE);
    expect(workspace.context("validate --fix oosh-expert Oosh_Expert").code).toBe(2);
    expect(workspace.read(FILE)).toBe(FIXABLE);
  });

  test("makes no context file of another one that a pattern named, and mends what is meant as one", () => {
    const workspace = makeWorkspace();
    const code = "```js\nawait chat({\n  role: 'user', // keeps the session context\n});\n```\n";
    const readme = `# Acme\n\nUpdated every day, with the session context of each run.\n\n## Todo\n- [ ] ship\n\n${code}`;
    workspace.write("README.md", readme);
    workspace.write("old.md", FIXABLE);
    workspace.write("bare.context.md", "Call me.\n");
    const ran = workspace.context("validate --fix README.md old.md bare.context.md");
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(
      /^README\.md:1:1 error not-a-context-file README\.md has neither a context file's title nor two of its parts/m,
    );
    expect(workspace.read("README.md")).toBe(readme);
    expect(workspace.read("old.md")).toBe(contextText());
    expect(workspace.read("bare.context.md")).toContain("## Recovery Steps");
    // One part alone stands in many a text, and a text may speak of a session's context.
    for (const other of [
      "**Roles**: admin\n",
      "Updated: daily\n",
      "## Pending\n\n- x\n",
      "Keeps the session context.\n",
      "- menus\n  - Context menu\n\n1. one — context\n",
      "What every one of these commands keeps is the session context\nof a run.\n",
    ]) {
      workspace.write("README.md", `# Acme\n\n${other}`);
      expect(workspace.context("validate --fix README.md").stdout).toContain("not-a-context-file");
      expect(workspace.read("README.md")).toBe(`# Acme\n\n${other}`);
    }
    workspace.write("README.md", readme);
    workspace.write("two.md", "# Acme\n\n**Role**: tester\n\n## Pending\n- x\n");
    expect(workspace.context("validate --fix two.md").stdout).not.toContain("not-a-context-file");
    workspace.write("titled.md", "# Tester — Context\n");
    expect(workspace.context("validate --fix titled.md").stdout).not.toContain("not-a-context-file");
    expect(workspace.read("titled.md")).toContain("## Recovery Steps");
    // Without --fix all that is missing in it is told, and --fix is not recommended.
    const told = workspace.context("validate README.md");
    expect(told.stdout).toContain("README.md:1:1 error metadata ");
    expect(told.stderr).toBe("context: 1 file of 1 is not valid.\n");
    expect(workspace.context("validate --json README.md").stdout).not.toContain('"fixable": true');
    // Beside one that can be mended, that one alone is named.
    workspace.write("old.md", FIXABLE);
    const both = workspace.context("validate README.md old.md");
    expect(both.stderr).toMatch(/Run \S+ validate --fix old\.md, then \S+ validate old\.md\.\n/);
    workspace.write("old.md", contextText());
    expect(workspace.context("validate README.md old.md").stderr).toBe("context: 1 file of 2 is not valid.\n");
  });

  test("never writes through a link that leads out of the project", () => {
    const workspace = makeWorkspace();
    const other = makeWorkspace();
    other.write("real.md", FIXABLE);
    symlinkSync(other.path("real.md"), workspace.path(FILE));
    const ran = workspace.context("validate --fix oosh-expert");
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("is a link that leads out of");
    expect(other.read("real.md")).toBe(FIXABLE);
  });

  test("says so where the folder may not be written, and the file stays as it is", () => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert", FIXABLE);
    chmodSync(workspace.path("session/agents"), 0o555);
    const ran = runProgram(sharedLauncher(), ["-C", workspace.root, "validate", "--fix", "oosh-expert"], {
      cwd: "/",
      as: process.getuid?.() === 0 ? 65_534 : undefined,
    });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(`${FILE} cannot be written: permission denied`);
    expect(workspace.read(FILE)).toBe(FIXABLE);
    expect(workspace.list("session/agents")).toEqual(["oosh-expert.context.md"]);
  });
});

describe("the formats", () => {
  test("pretty: path, line, column, severity, code, message, the line with carets, a hint", () => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert", contextText({ updated: "2026-02-30" }));
    const ran = workspace.context("validate oosh-expert --format pretty");
    const [head = "", line = "", carets = "", hint = ""] = ran.stdout.split("\n");
    expect(head).toMatch(/^session\/agents\/oosh-expert\.context\.md:3:14 error updated-date [A-Z].*2026-02-30/);
    expect(line).toBe("  **Updated**: 2026-02-30");
    expect(carets).toBe(`  ${" ".repeat("**Updated**: ".length)}^^^^^^^^^^`);
    expect(hint).toMatch(/^ {2}hint: [A-Z]/);
  });

  /** Columns on a terminal: the carets begin under the first character that is wrong, and end under the last. */
  test.each([
    ["a tab", "**Updated**:\t2026-02-30", 13, 10],
    ["wide characters", "**Updated**: 二〇二六年", 13, 10],
    ["a control character, as it is shown", "**Updated**: \u001B2026", 13, "\\u{1b}2026".length],
    ["an emoji", "**Updated**: 🚀x", 13, 3],
    ["a combining mark", "**Updated**: e\u0301x", 13, 2],
  ])("carets stand under %s", (_what, line, from, length) => {
    const workspace = makeWorkspace();
    const text = contextText().replace("**Updated**: 2026-02-03T12:15Z", line);
    const ran = workspace.context("validate -", { input: text });
    const lines = ran.stdout.split("\n");
    const at = lines.findIndex((shown) => shown.includes(" error updated-date "));
    expect(lines[at + 2]).toBe(`  ${" ".repeat(from)}${"^".repeat(length)}`);
  });

  test("no character is cut in two where a line is cut or carets end", () => {
    for (const text of [`# ${"a".repeat(47)}${"😀".repeat(80)}`, `😀${"a".repeat(96)}${"😀".repeat(9)}`]) {
      expect(makeWorkspace().context("validate -", { input: text }).stdout).not.toContain("\\u{d");
    }
  });

  test("a very long line is cut round the finding", () => {
    const workspace = makeWorkspace();
    const text = contextText({ updated: `2026-02-30 ${"x".repeat(5000)}` });
    const ran = workspace.context("validate -", { input: text });
    for (const line of ran.stdout.split("\n").slice(1)) expect(line.length).toBeLessThan(400);
  });

  test("of thousands of findings pretty shows a hundred, every error among them, and counts the rest", () => {
    const workspace = makeWorkspace();
    const many = `${contextText()}${"\n## Recovery Steps\n1. a\n".repeat(3000)}`;
    workspace.role("oosh-expert", many.replace("**Role**:", "Role:"));
    const all: readonly { severity: string }[] = JSON.parse(workspace.context("validate oosh-expert --json").stdout)
      .files[0].findings;
    expect(all.length).toBeGreaterThan(1000);
    const { stdout } = workspace.context("validate oosh-expert");
    const heads = stdout.split("\n").filter((line) => line.startsWith(`${FILE}:`));
    const more = heads.pop();
    expect(heads).toHaveLength(100);
    expect(more).toBe(`${FILE}: ${all.length - 100} more findings; --json lists them all.`);
    const errors = all.filter(({ severity }) => severity === "error").length;
    expect(heads.filter((line) => / error /.test(line))).toHaveLength(Math.min(100, errors));
    expect(stdout.length).toBeLessThan(50_000);
  });

  test("json: each finding with its place, its way out and whether --fix mends it", () => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert", FIXABLE.replace("2026-02-03", "2026-02-30"));
    for (const flag of ["--json", "--format=json"]) {
      const ran = workspace.context(`validate oosh-expert nobody ${flag}`);
      expect(ran).toMatchObject({ code: 1, stderr: "" });
      const value: unknown = JSON.parse(ran.stdout);
      expect(value).toMatchObject({
        schema_version: 1,
        ok: false,
        error: { code: "invalid" },
        invalid: 2,
        files: [
          {
            path: FILE,
            valid: false,
            findings: expect.arrayContaining([
              {
                code: "title",
                severity: "error",
                message: expect.any(String),
                hint: expect.any(String),
                start: { line: 1, column: expect.any(Number) },
                end: { line: 1, column: expect.any(Number) },
                fixable: true,
              },
            ]),
          },
          { valid: false, error: { code: "context-missing" } },
        ],
      });
    }
  });

  test("github: one workflow command a finding, which GitHub reads back to the same message", () => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert", contextText({ title: "# 100%: a, b" }));
    const ran = workspace.context("validate oosh-expert nobody --format github");
    const json: unknown = JSON.parse(workspace.context("validate oosh-expert --json").stdout);
    const commands = ran.stdout.trimEnd().split("\n").map(readWorkflowCommand);
    expect(commands).toEqual([
      {
        command: "error",
        properties: { file: FILE, line: "1", endLine: "1", col: "3", endColumn: "13", title: "title" },
        message: expect.stringContaining('found "# 100%: a, b". Write'),
      },
      {
        command: "error",
        properties: expect.objectContaining({ file: "session/agents/nobody.context.md", title: "context-missing" }),
        message: "session/agents/nobody.context.md does not exist. Write it: ./context new nobody.",
      },
    ]);
    expect(json).toMatchObject({ files: [{ findings: [{ start: { column: 3 }, end: { column: 13 } }] }] });
  });

  test.each(["github", "sarif"])(
    "%s: in a workflow paths begin where it checked out, not where the project is",
    (format) => {
      const workspace = makeWorkspace();
      const found = (top: string, words: readonly string[] = ["oosh-expert"]) => {
        const options = { env: { GITHUB_WORKSPACE: top }, input: "# x" };
        const { stdout } = workspace.context(
          ["-C", "packages/shop", "validate", ...words, "--format", format],
          options,
        );
        return [...stdout.matchAll(format === "github" ? /file=([^,]+),/g : /"uri": "([^"]+)"/g)].map(
          ([, path]) => path,
        );
      };
      workspace.write(`packages/shop/${FILE}`, contextText({ title: "# x" }));
      expect(found(workspace.root)).toEqual([`packages/shop/${FILE}`]);
      // Elsewhere, and of what is no file, they are what they always are.
      expect(found(workspace.path("tools"))).toEqual([FILE]);
      expect(found("")).toEqual([FILE]);
      expect(new Set(found(workspace.root, ["-"]))).toEqual(new Set([format === "github" ? "<stdin>" : "%3Cstdin%3E"]));
    },
  );

  test("sarif: a run of one tool with its rules, and each result at a place of a rule", () => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert", INVALID_TEXTS["updated-date"]);
    workspace.write("é #1.md", INVALID_TEXTS.title ?? "");
    const ran = workspace.context(["validate", "oosh-expert", "./é #1.md", "nobody", "--format", "sarif"]);
    expect(ran.code).toBe(1);
    const value: unknown = JSON.parse(ran.stdout);
    expect(value).toMatchObject({
      $schema: expect.stringContaining("sarif"),
      version: "2.1.0",
      runs: [
        {
          tool: { driver: { name: "context", rules: expect.any(Array) } },
          columnKind: "utf16CodeUnits",
          results: [
            {
              ruleId: "updated-date",
              level: "error",
              message: { text: expect.any(String) },
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: FILE },
                    region: { startLine: 3, startColumn: 14, endLine: 3, endColumn: 24 },
                  },
                },
              ],
            },
            { ruleId: "title", locations: [{ physicalLocation: { artifactLocation: { uri: "%C3%A9%20%231.md" } } }] },
            { ruleId: "context-missing", level: "error" },
          ],
        },
      ],
    });
    const rules = sarifRules(value);
    for (const result of sarifResults(value)) expect(rules[result.ruleIndex]).toBe(result.ruleId);
    expect(rules.length).toBeGreaterThan(10);
  });

  test.each(["github", "sarif", "json"])("%s says nothing of a good file but that there is nothing", (format) => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert");
    const ran = workspace.context(`validate.all --format ${format}`);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    if (format === "github") expect(ran.stdout).toBe("");
    else expect(() => JSON.parse(ran.stdout)).not.toThrow();
  });
});

describe("colours", () => {
  test.skipIf(!HAS_TERMINAL)("are for a terminal that wants them", () => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert", INVALID_TEXTS.title);
    const isColoured = (env: Readonly<Record<string, string>>, flags = "") => {
      const shown = onTerminal(`./context validate oosh-expert ${flags}`, {
        cwd: workspace.root,
        env: { TERM: "xterm", ...env },
      });
      expect(shown).toContain("title");
      return shown.includes("\u001B[31merror\u001B[0m");
    };
    expect(isColoured({})).toBe(true);
    expect(isColoured({ NO_COLOR: "1" })).toBe(false);
    expect(isColoured({ TERM: "dumb" })).toBe(false);
    expect(isColoured({}, "--no-color")).toBe(false);
  });
});

function readWorkflowCommand(line: string) {
  const [, command = "", list = "", data = ""] = /^::(\w+) ([^:]*)::(.*)$/.exec(line) ?? [];
  const plain = (text: string) =>
    text
      .replaceAll("%2C", ",")
      .replaceAll("%3A", ":")
      .replaceAll("%0A", "\n")
      .replaceAll("%0D", "\r")
      .replaceAll("%25", "%");
  const properties = Object.fromEntries(
    list.split(",").map((pair) => {
      const [key = "", value = ""] = pair.split("=");
      return [key, plain(value)];
    }),
  );
  return { command, properties, message: plain(data) };
}

interface SarifLog {
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
    readonly results: readonly { readonly ruleId: string; readonly ruleIndex: number }[];
  }[];
}

function isSarif(value: unknown): value is SarifLog {
  return typeof value === "object" && value !== null && "runs" in value && Array.isArray(value.runs);
}

function sarifRules(value: unknown): readonly string[] {
  return isSarif(value) ? value.runs.flatMap((run) => run.tool.driver.rules.map((rule) => rule.id)) : [];
}

function sarifResults(value: unknown): SarifLog["runs"][number]["results"] {
  return isSarif(value) ? value.runs.flatMap((run) => run.results) : [];
}
