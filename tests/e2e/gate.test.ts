import { spawn } from "node:child_process";
import { chmodSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hookScript } from "../../src/install/hook-scripts.ts";
import { guardedCommand } from "../../src/install/our-hooks.ts";
import { makeCompacted, PASSES, PENDING, PLAN, ROLE, reasonOf, SESSION, SKILL, STEPS_FILE } from "../gate/session.ts";
import { commit, git } from "../helpers/git-repository.ts";
import { BARE_ENV, runProgram } from "../helpers/run-program.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const FIXTURES = new URL("../fixtures/claude-code/", import.meta.url);

/** What the client sent, as if it had happened in this session and project. */
function recorded(version: string, name: string, root: string, transcript: string): object {
  const text = readFileSync(new URL(`${version}/payloads/${name}.json`, FIXTURES), "utf8");
  const payload: object = JSON.parse(text.replaceAll("/home/dev/acme", () => JSON.stringify(root).slice(1, -1)));
  return { ...payload, session_id: SESSION, transcript_path: transcript };
}

describe("after a compaction", () => {
  test("edits are denied until what the document does not hold is read", () => {
    const { workspace, edit, read, state } = makeCompacted();
    expect(workspace.exists(PENDING)).toBe(true);
    const reason = reasonOf(edit());
    expect(reason).toContain("1 of 3 required files has not been read");
    expect(reason).toContain(`- ${workspace.path(PLAN)}\n`);
    expect(read(workspace.path(STEPS_FILE))).toMatchObject(PASSES);
    reasonOf(edit({ tool_name: "Write" }));
    expect(read(workspace.path(PLAN))).toMatchObject(PASSES);
    expect(workspace.exists(PENDING)).toBe(false);
    expect(edit()).toMatchObject(PASSES);
    expect(state()).toMatchObject({ denials: 2, opened: null });
  });

  test("the third denial is the last, and says so; then edits pass with a note", () => {
    const { workspace, edit, state } = makeCompacted();
    expect(reasonOf(edit())).toContain("denial 1 of at most 3");
    expect(reasonOf(edit())).toContain("denial 2 of at most 3");
    expect(reasonOf(edit())).toContain("the next edit passes");
    const fourth = edit();
    expect(fourth).toMatchObject({ code: 0, stdout: "" });
    expect(fourth.stderr).toMatch(/^context: the gate lets go after 3 denials.*03-plan\.md.*\n$/);
    expect(edit()).toMatchObject(PASSES);
    expect(workspace.exists(PENDING)).toBe(false);
    expect(state()).toMatchObject({ denials: 3, opened: "denials" });
  });

  test("the edits of one message are denied together, as one: the model has not heard of the first yet", () => {
    const { edit, append, state } = makeCompacted();
    const deny = (message: string, call: string): string => {
      const content = [{ type: "tool_use", id: call, name: "Edit", input: {} }];
      append((log) => log.add({ type: "assistant", message: { id: message, content } }));
      return reasonOf(edit({ tool_use_id: call }));
    };
    for (let count = 0; count < 6; count++) expect(deny("m1", `a${count}`)).toContain("denial 1 of at most 3");
    for (let count = 0; count < 6; count++) expect(deny("m2", `b${count}`)).toContain("denial 2 of at most 3");
    expect(deny("m3", "c")).toContain("the next edit passes");
    // Once more the same call: whoever asks again has heard the answer.
    expect(edit({ tool_use_id: "c" }).stderr).toContain("the gate lets go after 3 denials");
    expect(state()).toMatchObject({ denials: 3, opened: "denials", repeats: 10 });
  });

  test("the next compaction begins anew", () => {
    const { workspace, edit, transcript, append, state } = makeCompacted();
    for (let count = 0; count < 4; count++) edit();
    append((log) => log.prompt("go on").read(workspace.path(STEPS_FILE)));
    const common = { session_id: SESSION, transcript_path: transcript, cwd: workspace.root };
    const input = JSON.stringify({ ...common, hook_event_name: "SessionStart", source: "compact" });
    expect(workspace.context("session-start", { input }).code).toBe(0);
    append((log) => log.compacted());
    expect(state()).toMatchObject({ denials: 0, opened: null });
    expect(reasonOf(edit())).toContain("denial 1 of at most 3");
  });

  test.each(["2.1.332", "2.0.76"])("the client's own payloads do the same, %s", (version) => {
    const { workspace, gate, transcript } = makeCompacted();
    const payload = (name: string) => recorded(version, name, workspace.root, transcript);
    reasonOf(gate(payload("PreToolUse.Edit.tui")));
    reasonOf(gate(payload("PreToolUse.Write.headless")));
    for (const name of ["PreToolUse.Read.tui", "PreToolUse.Bash.tui", "PreToolUse.Skill.tui", "PostToolUse.Edit.tui"]) {
      expect(gate(payload(name))).toMatchObject(PASSES);
    }
    // It reads the steps or the overview, which the document holds.
    expect(gate(payload("PostToolUse.Read.headless"))).toMatchObject(PASSES);
    reasonOf(gate(payload("PreToolUse.Edit.headless")));
  });

  test("every other tool passes, and so does a read that is still to come", () => {
    const { workspace, gate } = makeCompacted();
    for (const tool_name of ["Bash", "Read", "Grep", "Task", "mcp__x__write", "TodoWrite"]) {
      const call = { hook_event_name: "PreToolUse", tool_name, tool_input: { file_path: workspace.path(PLAN) } };
      expect(gate(call)).toMatchObject(PASSES);
    }
    expect(workspace.exists(PENDING)).toBe(true);
    for (const tool_name of ["Edit", "Write", "NotebookEdit"]) {
      reasonOf(gate({ hook_event_name: "PreToolUse", tool_name, tool_input: {} }));
    }
  });

  test("the role's files are required too, and reading them all makes it active", () => {
    const { workspace, edit, read } = makeCompacted({
      env: { HIVEMIND_ROLE: ROLE },
      prepare: (made) => {
        made.role(ROLE);
        made.write(SKILL, "# Skill\n");
        made.write("docs/oosh-architecture.md", "# Architecture\n");
      },
    });
    const reason = reasonOf(edit());
    expect(reason).toContain(workspace.path(SKILL));
    expect(reason).toContain(workspace.path("docs/oosh-architecture.md"));
    expect(reason).toContain(workspace.path(PLAN));
    // The document holds it whole.
    expect(reason).not.toContain(`${ROLE}.context.md`);
    read(workspace.path(PLAN));
    read(workspace.path(SKILL));
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "recovering" });
    const last = read(workspace.path("docs/oosh-architecture.md"));
    expect(last).toMatchObject({ code: 0, stdout: "" });
    expect(last.stderr).toBe(`context: ${ROLE}: recovering -> active, proved by what was read.\n`);
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "active", PREVIOUS: "recovering", EVENT: "RECOVERED" });
    expect(workspace.context(`lifecycle.history ${ROLE}`).stdout).toContain("gate");
  });

  test("parallel reads are all ticked off", async () => {
    const names = Array.from({ length: 8 }, (_, at) => `02-working/note-${at}.md`);
    const { workspace, transcript, edit, read } = makeCompacted({
      files: names,
      prepare: (made) => {
        for (const name of names) made.write(`02-projects/24-demo/${name}`, `# ${name}\n`);
      },
    });
    reasonOf(edit());
    const runs = names.map((name) => {
      const { child, ended } = workspace.start(["gate"]);
      child.stdin?.end(
        JSON.stringify({
          session_id: SESSION,
          transcript_path: transcript,
          cwd: workspace.root,
          hook_event_name: "PostToolUse",
          tool_name: "Read",
          tool_input: { file_path: workspace.path(`02-projects/24-demo/${name}`) },
        }),
      );
      return ended;
    });
    const all = await Promise.all(runs);
    for (const ran of all) expect(ran).toMatchObject({ code: 0, stdout: "" });
    // On a busy machine one may wait for the others longer than a client is to be kept waiting; it says so.
    for (const [index, name] of names.entries()) {
      if (all[index]?.stderr.includes("is held by another process"))
        read(workspace.path(`02-projects/24-demo/${name}`));
    }
    expect(workspace.exists(PENDING)).toBe(false);
    expect(edit()).toMatchObject(PASSES);
  });
});

test("a file that the manifest lists twice is shown once, counted once and required once", () => {
  const files = [
    "01-planning/01-overview.md",
    "./01-planning/01-overview.md",
    "01-planning\\03-plan.md",
    "x/../01-planning/03-plan.md",
  ];
  const { workspace, edit, read } = makeCompacted({ files });
  const document = workspace.read("session/.cache/session-start.xml");
  expect(document.split('<file path="02-projects/24-demo/01-planning/01-overview.md"')).toHaveLength(2);
  expect(document).toContain("I have loaded ALL 2 files from files_to_load");
  expect(reasonOf(edit())).toContain("1 of 2 required files has not been read");
  read(workspace.path(PLAN));
  expect(edit()).toMatchObject(PASSES);
});

describe("a file counts as read", () => {
  test("when the client restored it, kept its reading, or the transcript shows the read before its tick came", () => {
    for (const how of ["restored", "read"] as const) {
      const { workspace, append, edit } = makeCompacted();
      const path = workspace.path(PLAN);
      const file = { filePath: path, content: "…", numLines: 4, startLine: 1, totalLines: 4 };
      const attachment = { type: "file", filename: path, content: { type: "text", file } };
      if (how === "read") append((log) => log.read(path));
      else
        append((log) =>
          log.raw(JSON.stringify({ parentUuid: "u", isSidechain: false, attachment, type: "attachment" })),
        );
      expect(edit()).toMatchObject(PASSES);
      expect(workspace.exists(PENDING)).toBe(false);
    }
  });

  test("by what it really is: relative, through a link, in a worktree", () => {
    const spellings: ((workspace: Workspace) => [path: string, more?: object])[] = [
      () => [PLAN],
      (made) => ["01-planning/../01-planning/03-plan.md", { cwd: made.path("02-projects/24-demo") }],
      (made) => {
        symlinkSync(made.path("02-projects"), made.path("linked"));
        return [made.path("linked/24-demo/01-planning/03-plan.md")];
      },
      (made) => [made.write(`.claude/worktrees/fix/${PLAN}`, "# Plan\n")],
    ];
    for (const spelling of spellings) {
      const { workspace, read, edit } = makeCompacted();
      const [path, more] = spelling(workspace);
      read(path, more);
      expect([path, edit().stdout]).toEqual([path, ""]);
    }
  });

  test("in a worktree that lies elsewhere, and not in a repository that is another", () => {
    for (const own of [true, false]) {
      const { workspace, read, edit } = makeCompacted();
      const elsewhere = makeWorkspace();
      git(workspace.root, "init", "--quiet");
      if (own) {
        git(workspace.root, "add", PLAN);
        commit(workspace.root, "plan");
        git(workspace.root, "worktree", "add", "--quiet", elsewhere.path("tree"));
      } else {
        elsewhere.write(`tree/${PLAN}`, "# Plan\n");
        git(elsewhere.path("tree"), "init", "--quiet");
      }
      read(elsewhere.path(`tree/${PLAN}`), { cwd: elsewhere.path("tree") });
      if (own) expect(edit()).toMatchObject(PASSES);
      else reasonOf(edit());
    }
  });

  test("once all of its lines were shown", () => {
    const { workspace, read, edit } = makeCompacted();
    const path = workspace.path(PLAN);
    const lines = (startLine: number, numLines: number) => ({
      tool_response: { type: "text", file: { filePath: path, content: "…", startLine, numLines, totalLines: 90 } },
    });
    read(path, lines(1, 40));
    expect(reasonOf(edit())).toContain("03-plan.md (read on from line 41)");
    read(path, lines(61, 30));
    expect(reasonOf(edit())).toContain("(read on from line 41)");
    read(path, lines(41, 20));
    expect(edit()).toMatchObject(PASSES);
  });

  test("as far as the document shows it: reading on from the cut is enough", () => {
    const long = Array.from({ length: 3000 }, (_, at) => `Line ${at + 1} of what was planned.\n`).join("");
    const { workspace, read, edit } = makeCompacted({
      files: ["01-planning/04-steps.md"],
      prepare: (made) => made.write(STEPS_FILE, `## Phase 2: Build\n- [ ] Go on\n\n${long}`),
    });
    const line = Number(/04-steps\.md \(read on from line (\d+)\)/.exec(reasonOf(edit()))?.[1]);
    expect(line).toBeGreaterThan(100);
    const path = workspace.path(STEPS_FILE);
    const file = { filePath: path, content: "…", startLine: line, numLines: 3004 - line + 1, totalLines: 3004 };
    read(path, { tool_response: { type: "text", file } });
    expect(edit()).toMatchObject(PASSES);
  });

  test("not when a sub-agent read it, nor is a sub-agent denied", () => {
    const { workspace, append, read, edit } = makeCompacted();
    const inside = { agent_id: "ae42f2cfce97ecca6", agent_type: "lab-helper" };
    read(workspace.path(PLAN), inside);
    reasonOf(edit());
    expect(edit(inside)).toMatchObject(PASSES);
    append((log) => log.read(workspace.path(PLAN), { record: { isSidechain: true } }));
    reasonOf(edit());
    expect(workspace.exists(PENDING)).toBe(true);
  });

  test.each(["Task", "Skill"])(
    "not while the main line waits for what %s began, in a client that does not say who calls",
    (tool) => {
      const { workspace, append, read, edit } = makeCompacted();
      append((log) => log.call(tool, {}));
      reasonOf(edit());
      append((log) => log.call(tool, {}, { open: true }));
      read(workspace.path(PLAN));
      expect(edit()).toMatchObject(PASSES);
      append((log) => log.prompt("go on"));
      reasonOf(edit());
    },
  );

  test("not by an edit of the main line's own beside the call of a sub-agent", () => {
    const { append, edit } = makeCompacted();
    const use = (id: string, name: string) => ({ type: "tool_use", id, name, input: {} });
    for (const block of [use("t1", "Agent"), use("t2", "Edit")]) {
      append((log) => log.add({ type: "assistant", message: { id: "m1", content: [block] } }));
    }
    reasonOf(edit({ tool_use_id: "t2" }));
    expect(edit({ tool_use_id: "of-the-sub-agent" })).toMatchObject(PASSES);
  });

  test("not when it was read before the compaction, or written at by name only", () => {
    const { workspace, append, edit } = makeCompacted();
    append((log) => log.bash(`cat ${workspace.path(PLAN)}`).says(`I have read ${workspace.path(PLAN)}.`));
    reasonOf(edit());
  });

  test.each([
    ["phase", /^current_phase: .*$/m, "current_phase: phase-1"],
    ["version", /^resume_schema_version: .*$/m, "resume_schema_version: v1"],
  ])("as well where its manifest's %s is none", (_, line, wrong) => {
    const manifest = "02-projects/24-demo/01-planning/resume-context.md";
    const { workspace, read, edit } = makeCompacted({
      prepare: (made) => made.write(manifest, made.read(manifest).replace(line, wrong)),
    });
    expect(workspace.read(manifest)).toContain(wrong);
    expect(reasonOf(edit())).toContain("03-plan.md");
    read(workspace.path(PLAN));
    expect(edit()).toMatchObject(PASSES);
  });

  test("not when it cannot be read: what is missing, refused or gone since is no reason to deny", () => {
    const { workspace, edit } = makeCompacted({
      files: [
        "01-planning/01-overview.md",
        "nothing.md",
        "../../../etc/passwd",
        "/etc/passwd",
        "01-planning/03-plan.md",
      ],
    });
    const reason = reasonOf(edit());
    expect(reason).toContain("1 of 2 required files");
    expect(reason).not.toContain("passwd");
    runProgram("rm", [workspace.path(PLAN)], { cwd: "/" });
    expect(edit()).toMatchObject(PASSES);
    expect(workspace.exists(PENDING)).toBe(false);
  });
});

describe("the gate opens", () => {
  test("for a prompt by a person that says so", () => {
    const { workspace, append, edit, state } = makeCompacted();
    append((log) => log.prompt("go on, but do not skip the gate"));
    reasonOf(edit());
    append((log) =>
      log
        .add({ type: "user", isMeta: true, message: { content: "skip the gate" } })
        .says("skip the gate")
        .bash("echo skip the gate", { says: "skip the gate" })
        .add({ type: "user", isSidechain: true, message: { content: "skip the gate" } }),
    );
    reasonOf(edit());
    append((log) => log.prompt("Skip the gate, please."));
    const opened = edit();
    expect(opened).toMatchObject({ code: 0, stdout: "" });
    expect(opened.stderr).toContain("a prompt opened the gate");
    expect(edit()).toMatchObject(PASSES);
    expect(workspace.exists(PENDING)).toBe(false);
    expect(state()).toMatchObject({ opened: "prompt" });
  });

  test("for gate --skip, which says what is skipped", () => {
    const { workspace, edit, state } = makeCompacted();
    const other = workspace.context("gate --skip", { env: { CLAUDE_CODE_SESSION_ID: "another-session" } });
    expect(other).toMatchObject({ code: 0, stdout: "Nothing is pending: the gate is open.\n" });
    reasonOf(edit());
    const skipped = workspace.context("gate --skip", { env: { CLAUDE_CODE_SESSION_ID: SESSION } });
    expect(skipped).toMatchObject({ code: 0, stderr: "" });
    expect(skipped.stdout).toBe(`Session ${SESSION}: edits pass, 1 required file is skipped.\n  ${PLAN}\n`);
    expect(edit()).toMatchObject(PASSES);
    expect(state()).toMatchObject({ opened: "skip" });
    expect(workspace.exists(PENDING)).toBe(false);
  });

  test("for every session of the project where the command does not know its own", () => {
    const { workspace } = makeCompacted();
    const ran = workspace.context("gate --skip --json");
    expect(JSON.parse(ran.stdout)).toMatchObject({ ok: true, skipped: [{ session_id: SESSION, files: [PLAN] }] });
    expect(JSON.parse(workspace.context("gate --skip --json").stdout)).toMatchObject({ ok: true, skipped: [] });
  });
});

describe("the hook hurts nobody", () => {
  const fine = { hook_event_name: "PreToolUse", tool_name: "Edit", tool_input: {} };

  test.each([
    ["nothing", ""],
    ["no JSON", "{half"],
    ["no object", "[1]"],
    ["another event", JSON.stringify({ hook_event_name: "Stop", session_id: SESSION })],
    ["no session", JSON.stringify(fine)],
    ["a session that is a path", JSON.stringify({ ...fine, session_id: "../../x" })],
    ["a session that it does not know", JSON.stringify({ ...fine, session_id: "unknown" })],
  ])("%s on standard input: exit 0 and no decision", (_what, input) => {
    const { workspace } = makeCompacted();
    const ran = workspace.context("gate", { input });
    expect(ran).toMatchObject({ code: 0, stdout: "" });
    expect(ran.stderr.split("\n").length).toBeLessThanOrEqual(2);
    expect(workspace.exists(PENDING)).toBe(true);
  });

  test("a broken state is set aside and edits pass; a transcript that is gone is no fault", () => {
    const broken = makeCompacted();
    broken.workspace.write(`session/.cache/gate/${SESSION}.json`, "{half");
    const ran = broken.edit();
    expect(ran).toMatchObject({ code: 0, stdout: "" });
    expect(ran.stderr).toMatch(/^context: .*is not JSON; it is set aside as .*\.json\.corrupt-[0-9TZ]+\.\n$/);
    expect(broken.edit()).toMatchObject(PASSES);
    expect(broken.workspace.exists(PENDING)).toBe(false);
    const lost = makeCompacted();
    runProgram("rm", [lost.transcript], { cwd: "/" });
    reasonOf(lost.edit());
    lost.read(lost.workspace.path(PLAN));
    expect(lost.edit()).toMatchObject(PASSES);
  });

  test("CONTEXT_DISABLED=1 and a folder that is none: nothing", () => {
    const { edit, gate, workspace } = makeCompacted();
    const disabled = gate(fine, { env: { CONTEXT_DISABLED: "1" } });
    expect(disabled).toMatchObject(PASSES);
    const input = JSON.stringify({ ...fine, session_id: SESSION });
    expect(workspace.context(["gate", "--root", "/no/such/folder"], { input })).toMatchObject({ code: 0, stdout: "" });
    expect(workspace.context("gate --no-such-option", { input })).toMatchObject({ code: 0, stdout: "" });
    reasonOf(edit());
  });

  test("in a loop of compactions nothing is asked for", () => {
    const { workspace, transcript, append, edit, state } = makeCompacted();
    append((log) => log.compacted().read(workspace.path(STEPS_FILE)).compacted());
    const input = JSON.stringify({
      session_id: SESSION,
      transcript_path: transcript,
      cwd: workspace.root,
      hook_event_name: "SessionStart",
      source: "compact",
    });
    workspace.context("session-start --part 1/4", { input });
    expect(state()).toMatchObject({ opened: "loop" });
    expect(workspace.exists(PENDING)).toBe(false);
    expect(edit()).toMatchObject(PASSES);
  });

  test("a start that is none after a compaction asks for nothing", () => {
    for (const source of ["startup", "resume", "clear", "fork", "compact"]) {
      const workspace = makeWorkspace();
      const input = JSON.stringify({ session_id: SESSION, hook_event_name: "SessionStart", source });
      expect(workspace.context("session-start", { input }).code).toBe(0);
      expect([source, workspace.exists("session/.cache/gate"), workspace.exists(PENDING)]).toEqual([
        source,
        false,
        false,
      ]);
    }
  });

  test("its files are this user's alone, and hold ids and paths only", () => {
    const { workspace } = makeCompacted();
    for (const name of [`session/.cache/gate/${SESSION}.json`, `${PENDING}/${SESSION}`]) {
      expect([name, statSync(workspace.path(name)).mode & 0o777]).toEqual([name, 0o600]);
    }
    expect(workspace.read(`session/.cache/gate/${SESSION}.json`)).not.toContain("Approach");
  });

  test("a link that leads out of the project is neither followed nor written", () => {
    const outside = makeWorkspace();
    const { workspace, edit, transcript } = makeCompacted();
    runProgram("rm", ["-r", workspace.path("session/.cache")], { cwd: "/" });
    symlinkSync(outside.root, workspace.path("session/.cache"));
    const input = JSON.stringify({
      session_id: SESSION,
      transcript_path: transcript,
      cwd: workspace.root,
      hook_event_name: "SessionStart",
      source: "compact",
    });
    expect(workspace.context("session-start", { input }).code).toBe(0);
    expect(edit()).toMatchObject({ code: 0, stdout: "" });
    expect(outside.list(".")).toEqual(["context", "session"]);
  });

  test("what another session left behind a day ago is cleared away by one that has nothing to read", () => {
    const { workspace, read, gate } = makeCompacted();
    const stale = workspace.write(`${PENDING}/left-behind`, "");
    runProgram("touch", ["-d", "2 days ago", stale], { cwd: "/" });
    read(workspace.path(PLAN));
    expect(workspace.list(PENDING)).toEqual(["left-behind"]);
    expect(gate(fine)).toMatchObject(PASSES);
    expect(workspace.exists(PENDING)).toBe(false);
    const fresh = workspace.write(`${PENDING}/at-work`, "");
    expect(gate(fine)).toMatchObject(PASSES);
    expect(workspace.list(PENDING)).toEqual(["at-work"]);
    expect(fresh).toContain("at-work");
  });
});

describe("gate.sh", () => {
  /** With a program that writes down that it was started. */
  function withScript(workspace: Workspace): string {
    const script = workspace.write(".claude/hooks/gate.sh", hookScript("gate"));
    chmodSync(script, 0o755);
    return script;
  }
  const stub = '#!/bin/sh\necho "$@" > "$CLAUDE_PROJECT_DIR/started"\ncat >/dev/null\nexit 1\n';

  test("ends before the program starts while nothing is pending, and starts it when something is", () => {
    const workspace = makeWorkspace();
    const script = withScript(workspace);
    runProgram("rm", [workspace.path("context")], { cwd: "/" });
    chmodSync(workspace.write("context", stub), 0o755);
    const run = () => runProgram(script, [], { cwd: "/", env: { CLAUDE_PROJECT_DIR: workspace.root }, input: "{}" });
    expect(run()).toMatchObject(PASSES);
    expect(workspace.exists("started")).toBe(false);
    workspace.write(`${PENDING}/${SESSION}`, "");
    expect(run()).toMatchObject({ code: 0 });
    expect(workspace.read("started")).toBe("gate\n");
  });

  test("denies and ticks off as the program does", () => {
    const { workspace, transcript } = makeCompacted();
    const script = withScript(workspace);
    const run = (payload: object) =>
      runProgram(script, [], {
        cwd: "/",
        env: { CLAUDE_PROJECT_DIR: workspace.root },
        input: JSON.stringify({ session_id: SESSION, transcript_path: transcript, cwd: workspace.root, ...payload }),
      });
    const edit = { hook_event_name: "PreToolUse", tool_name: "Edit", tool_input: {} };
    reasonOf(run(edit));
    run({ hook_event_name: "PostToolUse", tool_name: "Read", tool_input: { file_path: workspace.path(PLAN) } });
    expect(run(edit)).toMatchObject(PASSES);
  });

  test("looks where the program does: in the root that CONTEXT_ROOT names, by the script and by the line of a person's own settings", () => {
    const { workspace, transcript } = makeCompacted();
    const script = withScript(workspace);
    const elsewhere = makeWorkspace();
    const input = JSON.stringify({
      session_id: SESSION,
      transcript_path: transcript,
      cwd: workspace.root,
      hook_event_name: "PreToolUse",
      tool_name: "Edit",
      tool_input: {},
    });
    const env = { CLAUDE_PROJECT_DIR: elsewhere.root, CONTEXT_ROOT: workspace.root };
    reasonOf(runProgram(script, [], { cwd: "/", env, input }));
    const program = JSON.stringify(workspace.path("context"));
    const line = guardedCommand(program, "gate", `${program} gate`);
    reasonOf(runProgram("sh", ["-c", line], { cwd: "/", env, input }));
    const swapped = { CLAUDE_PROJECT_DIR: workspace.root, CONTEXT_ROOT: elsewhere.root };
    expect(runProgram(script, [], { cwd: "/", env: swapped, input })).toMatchObject(PASSES);
  });

  test("takes a large payload off the client's hands although it needs none of it", async () => {
    const workspace = makeWorkspace();
    const script = withScript(workspace);
    for (let count = 0; count < 5; count++) {
      const errors: string[] = [];
      const code = await new Promise<number | null>((resolve) => {
        const child = spawn(script, [], { env: { ...BARE_ENV, CLAUDE_PROJECT_DIR: workspace.root } });
        child.stdin.on("error", (error) => errors.push(error.message));
        child.stdin.end("x".repeat(2_000_000));
        child.on("close", resolve);
      });
      expect({ code, errors }).toEqual({ code: 0, errors: [] });
    }
  });

  test("does not wait for a client that keeps its end open, or has closed it", async () => {
    const workspace = makeWorkspace();
    const script = withScript(workspace);
    const child = spawn(script, [], { env: { ...BARE_ENV, CLAUDE_PROJECT_DIR: workspace.root } });
    const code = await new Promise<number | null>((resolve) => child.on("exit", resolve));
    // Nobody ended its input: whoever waits for that does not come here.
    expect(code).toBe(0);
    child.stdin.end();
    const env = { CLAUDE_PROJECT_DIR: workspace.root };
    expect(runProgram("sh", ["-c", `'${script}' <&-`], { cwd: "/", env })).toMatchObject(PASSES);
  });

  test("costs a small part of a start of Node while nothing is pending", () => {
    const workspace = makeWorkspace();
    const script = withScript(workspace);
    const env = { CLAUDE_PROJECT_DIR: workspace.root };
    const time = (file: string, args: readonly string[]) => {
      const start = performance.now();
      runProgram(file, args, { cwd: "/", env, input: "{}" });
      return performance.now() - start;
    };
    const median = (times: readonly number[]) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
    const pairs = Array.from({ length: 15 }, () => [time(script, []), time(process.execPath, ["-e", "0"])] as const);
    expect(median(pairs.map(([shell, node]) => shell / node))).toBeLessThan(0.35);
  });
});
