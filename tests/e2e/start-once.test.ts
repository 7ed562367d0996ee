import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { makeAcme } from "../helpers/acme-project.ts";
import { runProgram } from "../helpers/run-program.ts";
import { SessionLog } from "../helpers/session-log.ts";
import { decisionOf, runStart, SESSION, startDocument, startParts, startPayload } from "../helpers/session-start.ts";
import type { Workspace } from "../helpers/workspace.ts";

describe("a plugin and the project's settings that both run the hook", () => {
  const plugin = { env: { CLAUDE_PLUGIN_ROOT: "/plugins/context" } };

  test("give one document for one start, whichever comes first", async () => {
    for (const [first, second] of [
      [{}, plugin],
      [plugin, {}],
    ] as const) {
      const workspace = makeAcme();
      expect(runStart(workspace, { run: first }).stdout).toContain("<nexus-context");
      expect(runStart(workspace, { run: second })).toMatchObject({ code: 0, stdout: "", stderr: "" });
      // The next event of the session, and another session, are told anew.
      expect(runStart(workspace, { run: second, source: "clear" }).stdout).toContain("<nexus-context");
      expect(runStart(workspace, { run: second, session: "another" }).stdout).toContain("<nexus-context");
    }
  });

  test("give the parts of one document though both run side by side", async () => {
    const workspace = makeAcme();
    workspace.write("00-system/core/orchestrator.md", "Route the user.\n".repeat(3000));
    const both = await Promise.all([startParts(workspace, 4), startParts(workspace, 4, { run: plugin })]);
    const told = both.map((ran) => ran.filter(({ stdout }) => stdout !== "").length).sort();
    expect(told).toEqual([0, expect.any(Number)]);
    expect(told[1]).toBeGreaterThan(1);
  });

  test("give all parts of one document, whether or not the other splits it in the same places", async () => {
    for (const [of, other] of [
      [4, 4],
      [2, 3],
    ] as const) {
      const workspace = makeAcme();
      workspace.write("00-system/core/orchestrator.md", "Route the user.\n".repeat(3000));
      // One part of the plugin's was quicker than any of the project's.
      const input = startPayload(workspace);
      const quick = workspace.context(["session-start", "--part", `2/${of}`], { input, ...plugin });
      expect(quick.stdout).toContain(`part=\\"2\\" of=\\"${of}\\"`);
      const own = await startParts(workspace, other);
      expect(own.map(({ stdout }) => stdout)).toEqual(own.map(() => ""));
      const rest = workspace.context(["session-start", "--part", `1/${of}`], { input, ...plugin });
      expect(rest.stdout).toContain(`part=\\"1\\" of=\\"${of}\\"`);
    }
  });

  test("give one document though the client makes the transcript between the two", () => {
    const workspace = makeAcme();
    const transcript = workspace.path("s.jsonl");
    expect(runStart(workspace, { transcript }).stdout).toContain("<nexus-context");
    workspace.write("s.jsonl", "");
    expect(runStart(workspace, { transcript, run: plugin }).stdout).toBe("");
    workspace.write("s.jsonl", '{"type":"queue-operation"}\n');
    expect(runStart(workspace, { transcript, run: plugin }).stdout).toBe("");
  });

  test("are told apart by the transcript, which grows between two compactions", () => {
    const workspace = makeAcme();
    const log = new SessionLog(workspace.root).edit("02-projects/24-demo/a.md");
    const transcript = workspace.write("s.jsonl", log.text());
    expect(runStart(workspace, { source: "compact", transcript }).stdout).not.toBe("");
    expect(runStart(workspace, { source: "compact", transcript, run: plugin }).stdout).toBe("");
    workspace.write("s.jsonl", log.edit("02-projects/24-demo/b.md").text());
    expect(runStart(workspace, { source: "compact", transcript, run: plugin }).stdout).not.toBe("");
  });

  test("tell the summariser once, and the role's compaction is one", () => {
    const workspace = makeAcme();
    workspace.role("oosh-expert");
    workspace.context("lifecycle.save oosh-expert");
    const transcript = workspace.write(
      "s.jsonl",
      new SessionLog(workspace.root).edit("02-projects/24-demo/a.md").edit("02-projects/24-demo/b.md").text(),
    );
    const input = JSON.stringify({ session_id: SESSION, transcript_path: transcript, trigger: "auto" });
    const run = (env: Readonly<Record<string, string>>) =>
      workspace.context("pre-compact --guidance", { input, env: { HIVEMIND_ROLE: "oosh-expert", ...env } });
    expect(run({}).stdout).toContain("24-demo");
    expect(run(plugin.env)).toMatchObject({ code: 0, stdout: "", stderr: "" });
    expect(workspace.state("oosh-expert")).toMatchObject({ CURRENT: "compacting", COMPACTIONS: "1" });
  });

  test("compact a role once though the client writes a row of its own between the two, and anew at the next compaction", () => {
    const workspace = makeAcme();
    workspace.role("oosh-expert");
    workspace.context("lifecycle.save oosh-expert");
    const log = new SessionLog(workspace.root).edit("02-projects/24-demo/a.md");
    const run = (env: Readonly<Record<string, string>>) => {
      const transcript = workspace.write("s.jsonl", log.text());
      const input = JSON.stringify({ session_id: SESSION, transcript_path: transcript, trigger: "manual" });
      return workspace.context("pre-compact --guidance", { input, env: { HIVEMIND_ROLE: "oosh-expert", ...env } });
    };
    expect(run({}).stdout).toContain("24-demo");
    log.raw('{"type":"last-prompt","lastPrompt":"x"}');
    expect(run(plugin.env)).toMatchObject({ code: 0, stdout: "", stderr: "" });
    expect(workspace.state("oosh-expert")).toMatchObject({ CURRENT: "compacting", COMPACTIONS: "1" });
    const deliveries = "session/.cache/deliveries";
    for (const name of workspace.list(deliveries)) {
      const mark: { at: string } = JSON.parse(workspace.read(`${deliveries}/${name}`));
      const at = new Date(Date.parse(mark.at) - 5000).toISOString();
      workspace.write(`${deliveries}/${name}`, JSON.stringify({ ...mark, at }));
    }
    log.raw('{"type":"last-prompt","lastPrompt":"y"}');
    expect(run(plugin.env).stdout).toContain("24-demo");
    expect(workspace.state("oosh-expert")).toMatchObject({ COMPACTIONS: "2" });
  });

  test("the same hook run again says the same again", () => {
    const workspace = makeAcme();
    const first = runStart(workspace);
    expect(runStart(workspace)).toEqual(first);
  });

  test("answer once where the settings alone tell that both do, by the same program", () => {
    const hooks = { SessionStart: [{ hooks: [{ type: "command", command: "context session-start" }] }] };
    const on = { "agent-context@here": true };
    for (const [shared, local, answers] of [
      [{ enabledPlugins: on, hooks }, {}, 1],
      [{ enabledPlugins: on }, { hooks }, 1],
      [{ enabledPlugins: on, hooks }, { enabledPlugins: { "agent-context@here": false } }, 2],
      [{ enabledPlugins: { "other@here": true }, hooks }, {}, 2],
      [{ enabledPlugins: on }, {}, 2],
      [{ hooks }, {}, 2],
    ] as const) {
      const workspace = makeAcme();
      workspace.write(".claude/settings.json", `\uFEFF${JSON.stringify(shared)}`);
      workspace.write(".claude/settings.local.json", JSON.stringify(local));
      const run = { env: { HOME: workspace.root } };
      const told = [1, 2].map(() => runStart(workspace, { run }).stdout).filter((stdout) => stdout !== "");
      expect(told.length, JSON.stringify([shared, local])).toBe(answers);
      expect(runStart(workspace, { run, source: "clear" }).stdout).not.toBe("");
    }
  });
});

test("settings of all projects and the project's own give one document, but where both have one command, which is run once", () => {
  const hooks = (command: string) =>
    JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: "command", command }] }] } });
  const [mine, other] = ["context session-start --part 1/1", "'/opt/context' session-start --part 1/1"];
  for (const [user, project, answers] of [
    [other, mine, 1],
    [mine, mine, 2],
    [other, "echo", 2],
    ["echo", mine, 2],
    ["~/.claude/hooks/session-start.sh", mine, 2],
    ['"$CLAUDE_PROJECT_DIR"/scripts/session-start.sh', mine, 2],
    ["/home/me/context-tools/session-start.sh", mine, 2],
    ['"$CLAUDE_PROJECT_DIR"/.claude/hooks/session-start.sh', mine, 1],
    ["'/home/me/my tools/bin/context.js' --quiet session-start", mine, 1],
    ["/opt/agent-context/.claude/hooks/session-start.sh", mine, 1],
  ] as const) {
    const workspace = makeAcme();
    const home = makeAcme();
    home.write(".claude/settings.json", hooks(user));
    workspace.write(".claude/settings.local.json", hooks(project));
    const told = [1, 2].map(() => runStart(workspace, { run: { env: { HOME: home.root } } }).stdout);
    expect(told.filter((stdout) => stdout !== "").length, JSON.stringify([user, project])).toBe(answers);
  }
});

test.each([
  ["of all projects", true],
  ["that a project shares", false],
])(
  "settings %s that split the document in another number of parts than this machine's give the parts of one",
  async (_which, ofUser) => {
    const hooks = (of: number) =>
      JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ command: `context session-start --part 1/${of}` }] }] } });
    const workspace = makeAcme();
    workspace.write("00-system/core/orchestrator.md", "Route the user.\n".repeat(3000));
    const home = makeAcme();
    (ofUser ? home : workspace).write(".claude/settings.json", hooks(4));
    workspace.write(".claude/settings.local.json", hooks(6));
    const run = { env: { HOME: home.root } };
    const part = (of: string) => runStart(workspace, { run, words: ["--part", of] }).stdout;
    expect(part("2/4")).toContain('part=\\"2\\" of=\\"4\\"');
    for (const { stdout } of await startParts(workspace, 6, { run })) expect(stdout).toBe("");
    expect(part("1/4")).toContain('part=\\"1\\" of=\\"4\\"');
  },
);

describe("an agent that stands in a workspace within this one", () => {
  const nested = (mark: string): Workspace => {
    const workspace = makeAcme();
    mkdirSync(workspace.path(`apps/inner/${mark}`), { recursive: true });
    mkdirSync(workspace.path("apps/inner/src"), { recursive: true });
    return workspace;
  };

  test.each(["02-projects", "session/agents"])("is told of neither, and how to settle which (%s)", (mark) => {
    const workspace = nested(mark);
    const cwd = workspace.path("apps/inner/src");
    const run = { env: { CLAUDE_PROJECT_DIR: workspace.root } };
    const ran = runStart(workspace, { payload: { cwd }, run });
    expect(ran).toMatchObject({ code: 0, stdout: "" });
    expect(ran.stderr).toBe(
      `context: ${workspace.path("apps/inner")} is a workspace of its own within ${workspace.root}: nothing is told of either. Set CONTEXT_ROOT to the one that is meant.\n`,
    );
    const pinned = { env: { ...run.env, CONTEXT_ROOT: workspace.root } };
    expect(startDocument(workspace, { payload: { cwd }, run: pinned })).toMatchObject({ stderr: "" });
  });

  test("goes on with its project after a compaction: what it did says which is meant", () => {
    const workspace = nested("02-projects");
    const transcript = workspace.write(
      "s.jsonl",
      new SessionLog(workspace.root).edit("02-projects/24-demo/a.md").edit("02-projects/24-demo/b.md").text(),
    );
    const payload = { cwd: workspace.path("apps/inner") };
    expect(startDocument(workspace, { source: "compact", transcript, payload }).xml).toContain('id="24-demo"');
  });

  test("a folder of this workspace, and a worktree of its repository, are no other workspace", () => {
    const workspace = makeAcme();
    const git = (...words: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e", ...words], {
        cwd: workspace.root,
        stdio: "pipe",
      });
    git("init", "-q");
    git("add", "02-projects");
    git("commit", "-qm", "x");
    git("worktree", "add", "-q", ".claude/worktrees/side");
    for (const cwd of ["02-projects/24-demo", ".claude/worktrees/side", ".claude/worktrees/side/02-projects"]) {
      const { stderr } = startDocument(workspace, { payload: { cwd: workspace.path(cwd) } });
      expect(stderr, cwd).toBe("");
    }
  });
});

describe("a session that is taken up again", () => {
  /** A transcript that holds what the hook printed, as the client keeps it. */
  function session(workspace: Workspace, documents: readonly string[], more: (log: SessionLog) => SessionLog): string {
    const log = new SessionLog(workspace.root).edit("02-projects/24-demo/a.md").edit("02-projects/24-demo/b.md");
    for (const content of documents) {
      const attachment = { type: "hook_additional_context", content: [content], hookEvent: "SessionStart" };
      log.raw(JSON.stringify({ parentUuid: null, isSidechain: false, attachment, type: "attachment" }));
    }
    return workspace.write("s.jsonl", more(log).text());
  }
  const same = (log: SessionLog): SessionLog => log;

  test("is told nothing that it has been told and still holds", async () => {
    const workspace = makeAcme();
    const transcript = session(workspace, [], same);
    const { xml } = startDocument(workspace, { source: "resume", transcript });
    session(workspace, [xml], (log) => log.prompt("Go on.").says("Gladly."));
    expect(runStart(workspace, { source: "resume", transcript })).toMatchObject({ code: 0, stdout: "" });
    expect(runStart(workspace, { source: "compact", transcript }).stdout).not.toBe("");
    // Only what it holds in full: half of the parts is not the whole.
    const parts = await startParts(workspace, 2, { source: "resume", transcript });
    expect(parts[0]?.stdout).not.toBe("");
  });

  test("is told nothing where it was told the same a moment ago and nothing was said since", async () => {
    const workspace = makeAcme();
    const transcript = session(workspace, [], same);
    const start = () => runStart(workspace, { source: "resume", transcript });
    expect(start().stdout).toContain("<nexus-context");
    expect(start()).toMatchObject({ code: 0, stdout: "", stderr: "" });
    workspace.write("02-projects/24-demo/01-planning/04-steps.md", "## Phase 1: A\n- [x] a\n## Phase 2: B\n- [ ] b\n");
    expect(start().stdout).toContain("<nexus-context");
    expect(start().stdout).toBe("");
    session(workspace, [], (log) => log.prompt("Go on."));
    expect(start().stdout).toContain("<nexus-context");
    // Each part of one start is told, and none of the next.
    const parts = () => startParts(workspace, 2, { source: "resume", transcript, session: "another" });
    expect((await parts()).filter(({ stdout }) => stdout !== "").length).toBeGreaterThan(0);
    expect((await parts()).filter(({ stdout }) => stdout !== "")).toEqual([]);
  });

  test.skipIf(process.platform !== "linux")(
    "is told by whichever client takes it up: what another was told is not in its context",
    () => {
      const workspace = makeAcme();
      const transcript = session(workspace, [], same);
      workspace.write("payload.json", startPayload(workspace, { source: "resume", transcript }));
      // Processes that are called as the client is.
      const client = workspace.write("client/claude", "#!/bin/sh\n./context session-start <payload.json\n:\n");
      const twice = workspace.write(
        "twice/claude",
        "#!/bin/sh\nfor _ in 1 2; do ./context session-start <payload.json; done\n:\n",
      );
      for (const file of [client, twice]) chmodSync(file, 0o755);
      for (const file of [client, client, twice]) {
        const { code, stdout } = runProgram(file, [], { cwd: workspace.root });
        expect(code).toBe(0);
        expect(stdout.match(/"additionalContext"/g), file).toHaveLength(1);
      }
    },
  );

  test("is told again once a file has changed, or a compaction has taken it away", () => {
    const workspace = makeAcme();
    const transcript = session(workspace, [], same);
    const { xml } = startDocument(workspace, { source: "resume", transcript });
    session(workspace, [xml], (log) =>
      log.add({ type: "system", subtype: "compact_boundary", compactMetadata: { trigger: "manual" } }),
    );
    expect(runStart(workspace, { source: "resume", transcript }).stdout).toContain("<nexus-context");
    // As 2.0.76 begins it, which may go on with what a newer client began.
    const id = "666d5900-c54c-4207-a2ea-25ee16030f3e";
    const head = { parentUuid: null, logicalParentUuid: id, isSidechain: false, userType: "external" };
    const place = { cwd: workspace.root, sessionId: id, version: "2.0.76", gitBranch: "", slug: "warm-tickling-cat" };
    const mark = { ...head, ...place, type: "system", subtype: "compact_boundary", content: "Conversation compacted" };
    session(workspace, [xml], (log) => log.raw(JSON.stringify(mark)));
    expect(runStart(workspace, { source: "resume", transcript }).stdout).toContain("<nexus-context");
    session(workspace, [xml], same);
    workspace.write("02-projects/24-demo/01-planning/04-steps.md", "## Phase 1: A\n- [x] a\n## Phase 2: B\n- [ ] b\n");
    expect(runStart(workspace, { source: "resume", transcript }).stdout).toContain("<nexus-context");
  });
});

describe("a session that went on under another id", () => {
  const record = (session: string, minute: number) => ({
    sessionId: session,
    timestamp: `2026-01-03T14:${String(minute).padStart(2, "0")}:00.000Z`,
  });
  const leg = (workspace: Workspace, name: string, project: string, next: string, from: number): string =>
    workspace.write(
      `client/${name}.jsonl`,
      new SessionLog(workspace.root)
        .call("Edit", { file_path: workspace.path(`02-projects/${project}/a.md`) }, { record: record(name, from) })
        .call("Edit", { file_path: workspace.path(`02-projects/${project}/b.md`) }, { record: record(name, from + 1) })
        .add({ type: "user", message: { role: "user", content: "Go on." }, ...record(next, from + 2) })
        .text(),
    );
  const project = (workspace: Workspace, transcript: string) => {
    runStart(workspace, { source: "compact", transcript });
    return decisionOf(workspace).project;
  };

  test("is followed to where it is written now", () => {
    const workspace = makeAcme();
    const first = leg(workspace, "one", "24-demo", "two", 0);
    leg(workspace, "two", "24-demo", "three", 10);
    leg(workspace, "three", "27-xml-context", "three", 20);
    expect(project(workspace, first)).toBe("27-xml-context");
  });

  test("is followed to the last file that exists, not round in a circle, and not back to where a fork came from", () => {
    const workspace = makeAcme();
    expect(project(workspace, leg(workspace, "one", "24-demo", "gone", 0))).toBe("24-demo");
    leg(workspace, "a", "24-demo", "b", 0);
    leg(workspace, "b", "27-xml-context", "a", 10);
    expect(project(workspace, workspace.path("client/a.jsonl"))).toBe("27-xml-context");
    leg(workspace, "parent", "24-demo", "parent", 0);
    expect(project(workspace, leg(workspace, "fork", "27-xml-context", "parent", 10))).toBe("27-xml-context");
    expect(project(workspace, leg(workspace, "odd", "24-demo", "../../etc/passwd", 0))).toBe("24-demo");
  });
});

test("the record of a start holds what was weighed, without secrets", () => {
  const workspace = makeAcme();
  const token = `ghp_${"a1B2".repeat(9)}`;
  const transcript = workspace.write(
    "s.jsonl",
    new SessionLog(workspace.root)
      .read("02-projects/27-xml-context/a.md")
      .edit(`02-projects/24-demo/${token}.md`)
      .text(),
  );
  runStart(workspace, { source: "compact", transcript, session: SESSION });
  const { evidence } = decisionOf(workspace);
  expect(evidence).toMatchObject([
    { line: 1, project: "27-xml-context" },
    { line: 3, project: "24-demo", text: expect.stringContaining("[REDACTED:") },
  ]);
});
