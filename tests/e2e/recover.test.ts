import { chownSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { contextText, INVALID_TEXTS } from "../helpers/context-text.ts";
import { commit, git } from "../helpers/git-repository.ts";
import { runProgram } from "../helpers/run-program.ts";
import { machineFile, makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const ROLE = "oosh-expert";
const FILE = `session/agents/${ROLE}.context.md`;
const DASHES = "-".repeat(72);

/** The text below a heading of the second level, up to the next one of the program's own. */
function section(text: string, heading: string): string {
  const from = text.indexOf(`\n## ${heading}\n`);
  expect(from, `"## ${heading}" in\n${text}`).toBeGreaterThan(-1);
  const rest = text.slice(from + heading.length + 5);
  const end = rest.indexOf("\n## ");
  return (end === -1 ? rest : rest.slice(0, end)).trim();
}

function saved(text?: string): Workspace {
  const workspace = makeWorkspace();
  workspace.role(ROLE, text);
  workspace.write(`.claude/agents/${ROLE}/SKILL.md`, "# Skill\n");
  workspace.write("docs/oosh-architecture.md", "# Architecture\n");
  workspace.context(`lifecycle.save ${ROLE}`);
  return workspace;
}

describe("the recovery text", () => {
  test.each(["\n", "\r\n", "\r"])("takes no time over a long run of %j in the context file", async (newline) => {
    const workspace = saved(`${contextText()}${newline.repeat(200_000)}last\n`);
    // Less than one is needed; to look for the text's end at each of these lines took a quarter of a minute.
    const ran = await workspace.start(["recover", ROLE], { cwd: workspace.root, cpuSeconds: 5 }).ended;
    expect(ran).toMatchObject({ code: 0, signal: null });
    expect(ran.stdout).toContain(`last\n${DASHES}\n`);
  });

  test("is whole and in order: checklist, skill, architecture, changes, context file, completion", () => {
    const workspace = saved();
    const ran = workspace.context(`recover ${ROLE}`);
    expect(ran.code).toBe(0);
    const saidAt = /Saved (\S+)\./.exec(ran.stdout)?.[1] ?? "";
    expect(`STATE_SAVED_AT=${saidAt}`).toBe(`STATE_SAVED_AT=${workspace.state(ROLE).SAVED_AT}`);
    expect(ran.stdout.replace(/^\d\. .*$/gm, "<step>").replace(/(?:<step>\n)+/, "<steps>\n")).toBe(
      [
        `# Recovery of ${ROLE}`,
        "",
        `Role: ${ROLE}`,
        "Owner: no session recorded",
        `Project: ${workspace.root}`,
        `Workspace: ${workspace.root} (paths below are relative to it)`,
        "",
        "## Checklist",
        "",
        "<steps>",
        "",
        "## Skill file",
        "",
        `.claude/agents/${ROLE}/SKILL.md`,
        "",
        "## Architecture",
        "",
        "docs/oosh-architecture.md",
        "",
        "## Changed since the save",
        "",
        `- Saved ${saidAt}.`,
        "- Nothing changed since.",
        "",
        "## Context file",
        "",
        `${FILE}, whole, between the two lines of dashes.`,
        "",
        DASHES,
        ...contextText()
          .trimEnd()
          .replace(/^\d\. .*$/gm, "<step>")
          .split("\n"),
        DASHES,
        "",
        `Recovery of ${ROLE} is complete: begin with step 1 of the checklist.`,
        "",
      ].join("\n"),
    );
  });

  test("has the same numbered checklist for every role", () => {
    const workspace = makeWorkspace();
    workspace.role("first-role");
    workspace.role("second-role", INVALID_TEXTS.title);
    const lists = ["first-role", "second-role", "no-role"].map((role) =>
      section(workspace.context(`recover ${role}`).stdout, "Checklist"),
    );
    expect(new Set(lists).size).toBe(1);
    const numbers = (lists[0] ?? "").split("\n").map((line) => /^(\d+)\. [A-Z]/.exec(line)?.[1]);
    expect(numbers).toEqual(numbers.map((_number, index) => String(index + 1)));
    expect(numbers.length).toBeGreaterThan(3);
  });

  test.each([
    ["a good file", contextText()],
    ["a file that is not valid", INVALID_TEXTS.title ?? ""],
    ["a file with keys that are gone", contextText({ keyFiles: ["no/such/file"] })],
  ])("is the same bytes for the same files, at any time and place, of %s", (_what, text) => {
    const workspace = saved(text);
    const worlds: readonly Readonly<Record<string, string>>[] = [
      {},
      { CLAUDE_CODE_SESSION_ID: "someone" },
      { TZ: "Asia/Tokyo", LANG: "C", LC_ALL: "C" },
      { TZ: "America/St_Johns", LANG: "de_DE.UTF-8", LC_ALL: "tr_TR.UTF-8", CLAUDE_CODE_SESSION_ID: "another" },
    ];
    const outputs = worlds.map((env) => {
      // The second time the clock has moved on, and the role has recovered since.
      if (env.TZ !== undefined) workspace.setState(ROLE, { RECOVERED_AT: "2099-01-01T00:00:00.000Z" });
      return workspace.context(`recover ${ROLE}`, { env }).stdout;
    });
    expect(new Set(outputs).size).toBe(1);
    expect(outputs[0]).toContain(text.trimEnd());
  });

  test("names the owner that the state file names", () => {
    const workspace = makeWorkspace();
    workspace.role(ROLE);
    workspace.context(`lifecycle.save ${ROLE}`, { env: { CLAUDE_CODE_SESSION_ID: "abc-1" } });
    const { OWNED_SINCE } = workspace.state(ROLE);
    expect(workspace.context(`recover ${ROLE}`).stdout).toContain(`\nOwner: session abc-1 since ${OWNED_SINCE}\n`);
  });

  test("holds the file whole, whatever it holds", () => {
    const text = contextText({
      more: ["", DASHES, "## Checklist", "```", "## Context file", "```", "漢字 🚀", "last"],
    });
    const ran = saved(text).context(`recover ${ROLE}`);
    expect(ran.stdout).toContain(`\n${DASHES}\n${text.trimEnd()}\n${DASHES}\n\nRecovery of`);
    const windows = saved(`\uFEFF${text.replaceAll("\n", "\r\n")}`).context(`recover ${ROLE}`);
    expect(windows.stdout).toContain(`\n${DASHES}\n${text.trimEnd()}\n${DASHES}\n\nRecovery of`);
  });
});

describe("what is missing is said in place", () => {
  test("the skill and the architecture document", () => {
    const workspace = makeWorkspace();
    workspace.role(ROLE);
    const { stdout, code } = workspace.context(`recover ${ROLE}`);
    expect(code).toBe(0);
    expect(section(stdout, "Skill file")).toBe(`.claude/agents/${ROLE}/SKILL.md (missing)`);
    expect(section(stdout, "Architecture")).toBe("docs/oosh-architecture.md (missing)");
    expect(section(stdout, "Changed since the save")).toBe(
      "- No save is recorded: what the context file says may be old.",
    );
  });

  test("names the file of the client's own sub-agent of that name, where the role has no folder of its own", () => {
    const workspace = makeWorkspace();
    workspace.write(`.claude/agents/${ROLE}.md`, `---\nname: ${ROLE}\n---\n`);
    expect(workspace.context(`new ${ROLE}`).code).toBe(0);
    expect(workspace.read(`session/agents/${ROLE}.context.md`)).toContain(`2. Read \`.claude/agents/${ROLE}.md\`\n`);
    expect(section(workspace.context(`recover ${ROLE}`).stdout, "Skill file")).toBe(`.claude/agents/${ROLE}.md`);
    workspace.write(`.claude/agents/${ROLE}/SKILL.md`, "# Skill\n");
    expect(section(workspace.context(`recover ${ROLE}`).stdout, "Skill file")).toBe(`.claude/agents/${ROLE}/SKILL.md`);
  });

  test("an invalid context file is printed with its errors, and exit code 0", () => {
    const workspace = makeWorkspace();
    workspace.role(ROLE, INVALID_TEXTS["recovery-steps"]);
    const ran = workspace.context(`recover ${ROLE}`);
    expect(ran.code).toBe(0);
    const text = section(ran.stdout, "Context file");
    expect(text).toContain("It is not valid: 1 error.");
    expect(text).toMatch(/^- line \d+: Expected a heading that starts with "## Recovery Steps"/m);
    expect(ran.stdout).toContain((INVALID_TEXTS["recovery-steps"] ?? "").trimEnd());
    const json: unknown = JSON.parse(workspace.context(`recover ${ROLE} --json`).stdout);
    expect(json).toMatchObject({ ok: true, context: { path: FILE, valid: false } });
  });

  test("a missing context file is exit code 1, with the roles that exist", () => {
    const workspace = makeWorkspace();
    workspace.role("scrum-master");
    workspace.role("a-role");
    workspace.context(`lifecycle.init ${ROLE}`);
    const ran = workspace.context(`recover ${ROLE}`);
    expect(ran.code).toBe(1);
    expect(section(ran.stdout, "Context file")).toContain(
      `${FILE} does not exist.\nRoles that exist: a-role, ${ROLE}, scrum-master.`,
    );
    expect(ran.stdout).toContain(`Recovery of ${ROLE} is not complete: the context file is missing.`);
    expect(ran.stderr).toContain(`context: ${FILE} does not exist.`);
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "active", REVISION: "0" });
    const json: unknown = JSON.parse(workspace.context(`recover ${ROLE} --json`).stdout);
    expect(json).toMatchObject({
      ok: false,
      error: { code: "context-missing" },
      roles: ["a-role", ROLE, "scrum-master"],
    });
  });

  test("a role without a machine is recovered, and none is made", () => {
    const workspace = makeWorkspace();
    workspace.role(ROLE);
    expect(workspace.context(`recover ${ROLE}`)).toMatchObject({ code: 0, stderr: "" });
    expect(workspace.list("session")).toEqual(["agents"]);
  });
});

describe("what changed since the save", () => {
  const changes = (workspace: Workspace) =>
    section(workspace.context(`recover ${ROLE}`).stdout, "Changed since the save")
      .split("\n")
      .slice(1);

  test("branch, commit, the context file, and key files that are gone", () => {
    const workspace = makeWorkspace();
    git(workspace.root, "init", "--quiet", "--initial-branch", "main");
    const first = commit(workspace.root, "first");
    workspace.role(ROLE, contextText({ keyFiles: ["src/kept.ts", "src/gone.ts"] }));
    workspace.write("src/kept.ts", "");
    workspace.write("src/gone.ts", "");
    const save = workspace.context(`lifecycle.save ${ROLE}`);
    expect(save.code).toBe(0);
    expect(workspace.state(ROLE)).toMatchObject({ BRANCH: "main", COMMIT: first });
    expect(changes(workspace)).toEqual(["- Nothing changed since."]);

    git(workspace.root, "checkout", "--quiet", "-b", "feature/x");
    expect(changes(workspace)).toEqual(["- Branch was main, is feature/x."]);
    const second = commit(workspace.root, "second");
    rmSync(workspace.path("src/gone.ts"));
    workspace.role(ROLE, contextText({ keyFiles: ["src/kept.ts", "src/gone.ts"], more: ["- news"] }));
    const found = [
      "- Branch was main, is feature/x.",
      `- Commit was ${first}, is ${second}.`,
      "- The context file was edited.",
      "- Key file gone: src/gone.ts",
    ];
    expect(changes(workspace)).toEqual(found);
    git(workspace.root, "checkout", "--quiet", "--detach");
    git(workspace.root, "pack-refs", "--all");
    expect(changes(workspace)).toEqual(["- Branch was main, is none.", ...found.slice(1)]);

    const json: unknown = JSON.parse(workspace.context(`recover ${ROLE} --json`).stdout);
    expect(json).toMatchObject({
      changes: [
        expect.stringMatching(/^Saved /),
        "Branch was main, is none.",
        ...found.slice(1).map((line) => line.slice(2)),
      ],
    });
    // A save records the new facts.
    workspace.context(`lifecycle.save ${ROLE}`);
    expect(changes(workspace)).toEqual(["- Key file gone: src/gone.ts"]);
  });

  test("counts from when the file was saved, not from a compaction that found it as it was", () => {
    const workspace = makeWorkspace();
    git(workspace.root, "init", "--quiet", "--initial-branch", "main");
    workspace.role(ROLE);
    workspace.context(`lifecycle.save ${ROLE}`);
    const { SAVED_AT } = workspace.state(ROLE);
    workspace.context(`lifecycle.recover ${ROLE}`);
    git(workspace.root, "checkout", "--quiet", "-b", "feature/x");
    const env = { HIVEMIND_ROLE: ROLE };
    workspace.context("pre-compact", { env });
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "compacting", UNSAVED: "0", SAVED_AT });
    workspace.context("session-start", { env, input: '{"source":"compact"}' });
    expect(changes(workspace)).toEqual(["- Branch was main, is feature/x."]);
    workspace.context(`lifecycle.pre.compact ${ROLE}`);
    expect(changes(workspace)).toEqual(["- Branch was main, is feature/x."]);
    // What was written meanwhile knows of the branch.
    workspace.role(ROLE, contextText({ more: ["- news"] }));
    workspace.context("pre-compact", { env });
    expect(changes(workspace)).toEqual(["- Nothing changed since."]);
  });

  test("in a worktree it is the worktree's branch, and the project is the main checkout", () => {
    const workspace = makeWorkspace();
    git(workspace.root, "init", "--quiet", "--initial-branch", "main");
    workspace.role(ROLE);
    git(workspace.root, "add", "session");
    commit(workspace.root, "first");
    git(workspace.root, "worktree", "add", "--quiet", "-b", "side", workspace.path("side tree"));
    const ran = workspace.context(["-C", "side tree", "lifecycle.save", ROLE]);
    expect(ran.code).toBe(0);
    const recovered = workspace.context(["-C", "side tree", "recover", ROLE]);
    expect(recovered.stdout).toMatch(/- Saved \S+ on branch side\.\n- Nothing changed since\./);
    expect(recovered.stdout).toContain(`\nProject: ${workspace.root}\nWorkspace: ${workspace.path("side tree")} (`);
  });

  test("a compaction that began before a good save is told", () => {
    const workspace = makeWorkspace();
    workspace.role(ROLE, INVALID_TEXTS.title);
    workspace.context("pre-compact", { env: { HIVEMIND_ROLE: ROLE } });
    expect(section(workspace.context(`recover ${ROLE}`).stdout, "Changed since the save")).toContain(
      "- The last compaction began before a good save.",
    );
  });

  test("key files that lead out of the project are not looked at", () => {
    const workspace = saved(contextText({ keyFiles: ["../../no/such", "/no/such/file", "~/notes.md"] }));
    expect(changes(workspace).filter((line) => line.includes("no/such"))).toEqual([]);
  });
});

describe("context.yaml", () => {
  const architecture = (workspace: Workspace) => {
    const ran = workspace.context(`recover ${ROLE}`);
    expect(ran.code).toBe(0);
    return { line: section(ran.stdout, "Architecture"), notes: ran.stderr };
  };

  test("names the architecture document", () => {
    const workspace = saved();
    workspace.write("docs/my map.md", "");
    workspace.write("context.yaml", "recovery:\n  architecture: docs/my map.md # here\n");
    expect(architecture(workspace).line).toBe("docs/my map.md");
  });

  test.each([
    ["does not parse", "recovery: [", /^context\.yaml: line 1, column \d+: /m, "docs/oosh-architecture.md"],
    [
      "has an unknown key",
      "bugdets: {}\nrecovery: {architecture: x.md}",
      /^context\.yaml: bugdets is not a known key; did you mean "budgets"\?/m,
      "x.md (missing)",
    ],
    [
      "has a wrong value",
      "recovery: {architecture: 5}",
      /^context\.yaml: recovery\.architecture: .*default is used/m,
      "docs/oosh-architecture.md",
    ],
    [
      "names a file outside",
      "recovery: {architecture: ../../etc/passwd}",
      /^oosh-expert: /,
      "../../etc/passwd (refused: outside the project)",
    ],
    ["names a folder", "recovery: {architecture: docs}", /^oosh-expert: /, "docs (a folder)"],
  ])("that %s is told, and what is good in it holds", (_what, text, told, line) => {
    const workspace = saved();
    workspace.write("context.yaml", text);
    const found = architecture(workspace);
    expect(found.notes).toMatch(told);
    expect(found.line).toBe(line);
  });

  test("a folder of that name, and a document that is a link out, are told", () => {
    const workspace = saved();
    mkdirSync(workspace.path("context.yaml"));
    rmSync(workspace.path("docs/oosh-architecture.md"));
    symlinkSync("/etc/passwd", workspace.path("docs/oosh-architecture.md"));
    const found = architecture(workspace);
    expect(found.notes).toContain("context.yaml is a folder, expected a file; the defaults are used.");
    expect(found.line).toBe("docs/oosh-architecture.md (refused: outside the project)");
  });
});

test("a machine in any state is left active, once", () => {
  const workspace = saved();
  workspace.setState(ROLE, { CURRENT: "compacting" });
  expect(workspace.context(`recover ${ROLE}`).stderr).toBe(`${ROLE}: compacting -> active.\n`);
  expect(workspace.read(machineFile(ROLE))).toContain("STATE_CURRENT=active\n");
});

describe("a context file of which nothing is left", () => {
  test("a compaction makes a machine for a name that was a slip, and the role that was meant is still named", () => {
    const workspace = saved();
    const input = JSON.stringify({ hook_event_name: "PreCompact", trigger: "auto", session_id: "s" });
    const env = { HIVEMIND_ROLE: "oosh-exprt" };
    for (const hook of ["pre-compact", "session-start"]) workspace.context(hook, { env, input });
    expect(workspace.exists(machineFile("oosh-exprt"))).toBe(true);
    const { code, stderr } = workspace.context("recover", { env });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('Did you mean "oosh-expert"?') });
  });

  const LOST: readonly [what: string, code: string, lose: (workspace: Workspace) => void][] = [
    ["is missing", "context-missing", (workspace) => rmSync(workspace.path(FILE))],
    ["is empty", "context-empty", (workspace) => workspace.write(FILE, "")],
    ["is empty", "context-empty", (workspace) => workspace.write(FILE, "\uFEFF \n\n")],
    // As a power loss leaves it, and a copy that was broken off.
    ["is empty", "context-empty", (workspace) => workspace.write(FILE, "\0".repeat(5000))],
  ];

  /** A file that a person has left out of the checkout. */
  const LEFT_OUT: (typeof LOST)[number] = [
    "is missing",
    "context-missing",
    (workspace) => git(workspace.root, "sparse-checkout", "set", "--no-cone", "/.claude/"),
  ];

  test.each([...LOST, LEFT_OUT])(
    "%s: it is no recovery, and what git has of it is named as a command that brings it back",
    (what, code, lose) => {
      const workspace = saved();
      git(workspace.root, "init", "--quiet");
      git(workspace.root, "add", FILE);
      commit(workspace.root, "saved");
      const before = workspace.read(FILE);
      const state = workspace.read(machineFile(ROLE));
      lose(workspace);
      const ran = workspace.context(`recover ${ROLE}`);
      expect(ran).toMatchObject({
        code: 1,
        stdout: expect.stringContaining(`is not complete: the context file ${what}.`),
      });
      const [, way = ""] = /Git has it as it was committed last: (.*)\n/.exec(ran.stderr) ?? [];
      expect(JSON.parse(workspace.context(`recover ${ROLE} --json`).stdout)).toMatchObject({
        ok: false,
        error: { code },
      });
      expect(workspace.read(machineFile(ROLE))).toBe(state);
      git(workspace.root, ...way.split(" ").slice(1));
      expect(workspace.read(FILE)).toBe(before);
      expect(workspace.context(`recover ${ROLE}`)).toMatchObject({ code: 0 });
    },
  );

  test.each(LOST)("%s: whoever saves or checks it is told of git too, and no hint stands twice", (_, __, lose) => {
    const workspace = saved();
    git(workspace.root, "init", "--quiet");
    git(workspace.root, "add", FILE);
    commit(workspace.root, "saved");
    lose(workspace);
    for (const command of ["lifecycle.save", "lifecycle.pre.compact"]) {
      const { code, stdout, stderr } = workspace.context(`${command} ${ROLE}`);
      expect({ code, hints: (stdout + stderr).match(/Git has it|context new/g) }).toEqual({
        code: 1,
        hints: ["Git has it"],
      });
    }
    const { stdout, stderr } = workspace.context(`validate ${ROLE}`);
    expect((stdout + stderr).match(/Git has it|context new/g)).toEqual(["Git has it"]);
    expect(stderr).toMatch(/^ {2}Git has it/m);
    if (workspace.exists(FILE)) return;
    // A new one would take the place of what git has.
    const looked = workspace.context("doctor").stdout;
    expect(looked).toContain(`Run ./context validate ${ROLE};`);
    expect(looked).not.toContain("context new");
  });

  test("asked for in a folder below, the command that brings it back is one for that folder", () => {
    const workspace = saved();
    git(workspace.root, "init", "--quiet");
    git(workspace.root, "add", FILE);
    commit(workspace.root, "saved");
    rmSync(workspace.path(FILE));
    const cwd = workspace.path("docs");
    const { stderr } = workspace.context(`recover ${ROLE}`, { cwd });
    const [, way = ""] = /Git has it as it was committed last: (.*)\n/.exec(stderr) ?? [];
    expect(runProgram("sh", ["-c", way], { cwd }).code).toBe(0);
    expect(workspace.exists(FILE)).toBe(true);
  });

  test.each([[null], [""]])(
    "git has none of it where it was saved, but %j: a new one is what is left to do",
    (kept) => {
      const workspace = saved();
      const text = workspace.read(FILE);
      git(workspace.root, "init", "--quiet");
      if (kept !== null) {
        workspace.write(FILE, kept);
        git(workspace.root, "add", FILE);
      }
      commit(workspace.root, "begin");
      workspace.write(FILE, text);
      workspace.context(`lifecycle.save ${ROLE}`);
      rmSync(workspace.path(FILE));
      const { stderr } = workspace.context(`recover ${ROLE}`);
      expect(stderr).toContain(`./context new ${ROLE}.`);
      expect(stderr).not.toContain("Git has it");
    },
  );

  const AWAY: readonly [how: string, go: (root: string) => void, from: RegExp][] = [
    ["another branch is checked out", (root) => git(root, "checkout", "--quiet", "old"), /^checkout main -- /],
    [
      "a commit took it away",
      (root) => {
        git(root, "rm", "--quiet", FILE);
        commit(root, "gone");
      },
      /^checkout [0-9a-f]{40} -- /,
    ],
  ];

  test.each(AWAY)("%s: it is named where git has it, which is where the role was saved", (_, go, from) => {
    const workspace = saved();
    git(workspace.root, "init", "--quiet", "--initial-branch=main");
    commit(workspace.root, "begin");
    git(workspace.root, "branch", "old");
    git(workspace.root, "add", FILE);
    commit(workspace.root, "saved");
    expect(workspace.context(`lifecycle.save ${ROLE}`).code).toBe(0);
    const before = workspace.read(FILE);
    go(workspace.root);
    expect(workspace.exists(FILE)).toBe(false);
    for (const command of ["lifecycle.save", "lifecycle.pre.compact", "validate", "recover"]) {
      const { code, stderr } = workspace.context(`${command} ${ROLE}`);
      expect(code).toBe(1);
      const [, way = ""] = /Git has it where the role was saved last: git (.*)\n/.exec(stderr) ?? [];
      expect(way).toMatch(from);
      git(workspace.root, ...way.split(" "));
      expect(workspace.read(FILE)).toBe(before);
      git(workspace.root, "rm", "--quiet", "--force", FILE);
    }
  });

  test.skipIf(process.getuid?.() !== 0)(
    "it is missing, and git refuses another user's repository: what to ask git is named",
    () => {
      const workspace = saved();
      git(workspace.root, "init", "--quiet");
      git(workspace.root, "add", FILE);
      commit(workspace.root, "saved");
      rmSync(workspace.path(FILE));
      chownSync(workspace.root, 54_321, 54_321);
      chownSync(workspace.path(".git"), 54_321, 54_321);
      const env = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
      const { code, stderr } = workspace.context(`recover ${ROLE}`, { env });
      const way = `Git may have it as it was committed last: git checkout HEAD -- ${FILE}\n`;
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(way) });
      expect(stderr).not.toContain("context new");
    },
  );

  test.each(LOST)("%s, and git has none of it: a new one is what is left to do", (_, __, lose) => {
    const workspace = saved();
    lose(workspace);
    const { code, stderr } = workspace.context(`recover ${ROLE}`);
    const [, way = ""] = /\.\/context (new oosh-expert(?: --force)?)/.exec(stderr) ?? [];
    expect({ code, made: workspace.context(way).code }).toEqual({ code: 1, made: 0 });
    expect(workspace.context(`recover ${ROLE}`).code).toBe(0);
  });
});
