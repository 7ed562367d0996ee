import { utimesSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { makeAcme } from "../helpers/acme-project.ts";
import { SessionLog } from "../helpers/session-log.ts";
import { SESSION } from "../helpers/session-start.ts";

const ROLE = "oosh-expert";

const LOOK = ["Agent", { description: "Look", prompt: "Look around." }] as const;

/** A row of the client's on a hook of its own event. */
const hookRow = (hookEvent: string) => ({
  type: "attachment",
  attachment: { type: "hook_success", hookName: hookEvent, hookEvent, stdout: "" },
});

/** What a sub-agent does, as 2.1.50 writes it into its main line's transcript. */
const progress = (call: string, type = "agent_progress") => ({
  ...{ type: "progress", version: "2.1.50", toolUseID: "agent_msg_1", parentToolUseID: call },
  data: { type, agentId: "a1", message: { type: "user", message: { role: "user", content: [] } } },
});

const SKILL = ["Skill", { skill: "look-around" }] as const;

const ofAnswer = (id: string, call: string, name = "Bash") => ({
  type: "assistant",
  version: "2.1.300",
  message: { id, role: "assistant", content: [{ type: "tool_use", id: call, name, input: {} }] },
});
const ofSubAgent = (message: { readonly role: string; readonly content: unknown; readonly id?: string }) => ({
  ...{ type: message.role, version: "1.0.100", isSidechain: true, message },
});
const result = (call: string, content = "done") => ({
  type: "user",
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: call, content }] },
});
const repeat = <T>(count: number, log: T, each: (log: T) => T): T =>
  Array.from({ length: count }).reduce((last: T) => each(last), log);

const working = (root: string) =>
  new SessionLog(root).prompt("go on").edit(`${root}/02-projects/24-demo/02-working/a.md`);

/** A call without a result, as a client writes it down. */
const opened = (version: string) => ({ open: true, record: { version } });

/** What a client before 2.1.332 has in the main line's transcript at a compaction of which it does not say whose it is. */
const WAITING: Readonly<Record<string, (log: SessionLog) => SessionLog>> = {
  "for the one that was called last": (log) => log.call(...LOOK, opened("2.1.300")),
  "as an older client calls it": (log) => log.call("Task", LOOK[1], opened("2.0.76")),
  "for that of a skill": (log) => log.call(...SKILL, opened("2.1.300")),
  "beside calls that have their results": (log) =>
    log
      .call(...LOOK, opened("1.9.400"))
      .bash("ls")
      .add(hookRow("PostToolUse"))
      .add({ type: "system", subtype: "informational" }),
  "for the second of two": (log) => log.call(...LOOK).call(...LOOK, opened("2.1.331")),
  "for the first of many": (log) =>
    repeat(12, log.call(...LOOK, opened("2.1.300")), (each) => each.call(...LOOK).add(hookRow("PostToolUse"))),
  "for one of an answer whose last call has its result": (log) =>
    log
      .add(ofAnswer("msg_1", "toolu_a", "Task"))
      .add(ofAnswer("msg_1", "toolu_b"))
      .add(result("toolu_b")),
  "where a row behind the call is torn": (log) =>
    log.call(...LOOK, opened("2.1.300")).raw('{"parentUuid":null,"type":"user","message":{"ro'),
  "for one that works on before its eyes": (log) =>
    repeat(40, log.call(...LOOK, opened("2.1.50")), (each) => each.add(progress("toolu_2"))),
  "for that of a skill, which works on before its eyes": (log) =>
    repeat(90, log.call(...SKILL, opened("2.1.300")), (each) => each.add(progress("toolu_2", "skill_progress"))),
  "for one that read what fills the transcript's end": (log) =>
    log
      .call(...LOOK, opened("2.1.50"))
      .add({ ...progress("toolu_2"), data: { text: "x".repeat(70_000), type: "agent_progress" } }),
  "for one whose own rows stand there too, as clients from before 2.0.76 write them": (log) =>
    repeat(
      2,
      log.call("Task", LOOK[1], opened("1.0.100")).add(ofSubAgent({ role: "user", content: "Look." })),
      (each) => each.add(ofSubAgent({ ...ofAnswer("msg_3", "toolu_c").message, id: `msg_${each.text().length}` })),
    ),
  "in a client that may or may not say so": (log) => log.call(...LOOK, opened("2.1.331")),
};
const WORKING: Readonly<Record<string, (log: SessionLog) => SessionLog>> = {
  "with all results": (log) => log.call(...LOOK),
  "with another tool, behind one": (log) => log.call(...LOOK).bash("make", opened("2.1.300")),
  "with a skill": (log) => log.call(...SKILL, { says: "Launching skill: look-around" }),
  "with a sub-agent in the background": (log) =>
    log.call(...LOOK, { says: "Async agent launched. agentId: a1" }).bash("ls"),
  "behind one that was stopped": (log) =>
    log.call(...LOOK, opened("2.1.300")).prompt("[Request interrupted by user for tool use]"),
  "behind one that died with its client": (log) => log.call(...LOOK, opened("2.1.300")).prompt("go on"),
  "in a session that was taken up again": (log) => log.call(...LOOK, opened("2.1.300")).add(hookRow("SessionStart")),
  "behind one whose result another answer followed": (log) =>
    log
      .add(ofAnswer("msg_1", "toolu_a", "Task"))
      .add(ofAnswer("msg_2", "toolu_b"))
      .add(result("toolu_b")),
  "behind one that worked before its eyes": (log) =>
    log
      .add(ofAnswer("msg_1", "toolu_a", "Task"))
      .add(progress("toolu_a"))
      .add(result("toolu_a")),
  "with a result of megabytes, and the work of one beside it that is done": (log) =>
    log
      .add(ofAnswer("msg_1", "toolu_a", "Task"))
      .add(ofAnswer("msg_1", "toolu_b", "Task"))
      .add(result("toolu_a", "x y ".repeat(300_000)))
      .add(progress("toolu_b"))
      .add(result("toolu_b")),
  "with a result of megabytes": (log) =>
    log.call(...LOOK, { says: "x y ".repeat(300_000), record: { version: "2.1.300" } }),
};

/** The same in clients that do say whose a compaction is: one of which they do not is the main line's. */
const SAID: Readonly<Record<string, (log: SessionLog) => SessionLog>> = {
  "2.1.332": (log) => log.call(...LOOK, opened("2.1.332")),
  "a later one": (log) => log.call(...LOOK, opened("2.2.0")),
  "one of which a later number is tried": (log) => log.call(...LOOK, opened("2.1.340-beta.1")),
  "the next but one": (log) => log.call(...LOOK, opened("10.0.0-beta.1")),
  "one that goes on with what an older one left": (log) =>
    log.call(...LOOK, opened("2.1.300")).bash("ls", opened("2.1.332")),
  "one that names no version": (log) => log.call(...LOOK, { open: true }),
};

type Hook = readonly [words: string, event: string, more: object];

/** Whether a hook moves the role of a main line whose transcript ends so. */
function moves([words, event, more]: Hook, log: (log: SessionLog) => SessionLog): boolean {
  const workspace = makeAcme();
  workspace.role(ROLE);
  expect(workspace.context(`lifecycle.save ${ROLE}`).code).toBe(0);
  const transcript = workspace.write("client/s.jsonl", log(working(workspace.root)).text());
  const before = workspace.state(ROLE);
  const ran = workspace.context(words, {
    env: { CLAUDE_PROJECT_DIR: workspace.root, HIVEMIND_ROLE: ROLE },
    input: JSON.stringify({
      ...{ session_id: SESSION, transcript_path: transcript, cwd: workspace.root },
      ...{ hook_event_name: event, ...more },
    }),
  });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  return JSON.stringify(workspace.state(ROLE)) !== JSON.stringify(before);
}

describe.each<Hook>([
  ["pre-compact", "PreCompact", { trigger: "auto" }],
  ["session-start --part 1/4", "SessionStart", { source: "compact" }],
])("%s, of a payload that does not say whose a compaction is,", (...hook) => {
  test.each(Object.entries(WAITING))("leaves the role where the main line waits %s", (_, log) => {
    expect(moves(hook, log)).toBe(false);
  });

  test.each(Object.entries(WORKING))("moves the role where the main line works on %s", (_, log) => {
    expect(moves(hook, log)).toBe(true);
  });

  test.each(Object.entries(SAID))("moves the role where the client is %s", (_, log) => {
    expect(moves(hook, log)).toBe(true);
  });
});

describe.each(["2.0.76", "2.1.300"])("a sub-agent that works in the background of %s", (version) => {
  const filled = (input_tokens: number) => ({
    ...{ type: "assistant", version, timestamp: new Date().toISOString() },
    message: {
      ...{ role: "assistant", content: [{ type: "text", text: "On it." }] },
      usage: { input_tokens: 1000, cache_read_input_tokens: input_tokens, output_tokens: 10 },
    },
  });
  const compaction = { type: "system", subtype: "compact_boundary", version };
  /**
   * A main line with so many tokens, and a sub-agent of its own with so many, which wrote its last a while ago; one of them has
   * compacted since and not been answered yet.
   */
  function hooks(
    main: number,
    agent: number,
    { ageMs = 0, compacted = "" }: { ageMs?: number; compacted?: string } = {},
  ) {
    const workspace = makeAcme();
    workspace.role(ROLE);
    expect(workspace.context(`lifecycle.save ${ROLE}`).code).toBe(0);
    const launched = { toolUseResult: { isAsync: true, status: "async_launched", agentId: "a1b2" } };
    const log = working(workspace.root).call(...LOOK, { says: "Async agent launched.", record: launched });
    // Behind it, what a client says in the model's place, and what it writes of a sub-agent.
    const of = { data: { type: "agent_progress", message: filled(9) }, type: "progress" };
    const rest = log
      .add(filled(main))
      .add({ ...filled(0), message: { role: "assistant", content: [] } })
      .add(of);
    if (compacted === "main") rest.add(compaction);
    const transcript = workspace.write("client/s.jsonl", rest.text());
    const folder = version === "2.0.76" ? "client" : "client/s/subagents";
    const its = new SessionLog("/").add({ ...filled(agent), isSidechain: true });
    if (compacted === "agent") its.add({ ...compaction, isSidechain: true });
    const file = workspace.write(`${folder}/agent-a1b2.jsonl`, its.text());
    const written = new Date(Date.now() - ageMs);
    utimesSync(file, written, written);
    return (words: string, hook_event_name: string, more: object) => {
      const payload = {
        session_id: SESSION,
        transcript_path: transcript,
        cwd: workspace.root,
        hook_event_name,
        ...more,
      };
      const env = { CLAUDE_PROJECT_DIR: workspace.root, HIVEMIND_ROLE: ROLE };
      const ran = workspace.context(words, { env, input: JSON.stringify(payload) });
      expect(ran).toMatchObject({ code: 0, stderr: "" });
      return [workspace.state(ROLE).CURRENT, ran.stdout.includes("nexus-context")];
    };
  }
  const AUTO: Hook = ["pre-compact --guidance", "PreCompact", { trigger: "auto" }];
  const MANUAL: Hook = ["pre-compact --guidance", "PreCompact", { trigger: "manual" }];
  const START: Hook = ["session-start --part 1/4", "SessionStart", { source: "compact" }];

  test("compacts by itself where its context is the fuller one, and the role stays where it is", () => {
    const run = hooks(20_000, 150_000);
    for (const hook of [AUTO, START, AUTO, START]) expect(run(...hook)).toEqual(["saved", false]);
    // What a person asks for is the main line's.
    expect(run(...MANUAL)).toEqual(["compacting", false]);
    expect(run(...START)).toEqual(["recovering", true]);
  });

  test("does not where the main line's is, nor where it was done long before", () => {
    const run = hooks(150_000, 20_000);
    expect(run(...AUTO)).toEqual(["compacting", false]);
    expect(run(...START)).toEqual(["recovering", true]);
    const done = hooks(20_000, 150_000, { ageMs: 120_000 });
    expect(done(...AUTO)).toEqual(["compacting", false]);
    expect(done(...START)).toEqual(["recovering", true]);
  });

  test("is measured by what each has held since its last compaction", () => {
    const ofAgent = hooks(150_000, 120_000, { compacted: "main" });
    for (const hook of [AUTO, START]) expect(ofAgent(...hook)).toEqual(["saved", false]);
    const ofMain = hooks(120_000, 150_000, { compacted: "agent" });
    expect(ofMain(...AUTO)).toEqual(["compacting", false]);
    expect(ofMain(...START)).toEqual(["recovering", true]);
  });
});

test("what a sub-agent does whose result is still to come is told at a compaction and after it, by a client that says whose that is", () => {
  const workspace = makeAcme();
  const transcript = workspace.write(
    "client/s.jsonl",
    working(workspace.root)
      .call(...LOOK, opened("2.1.332"))
      .text(),
  );
  const run = (words: string, more: object) =>
    workspace.context(words, {
      env: { CLAUDE_PROJECT_DIR: workspace.root },
      input: JSON.stringify({ session_id: SESSION, transcript_path: transcript, cwd: workspace.root, ...more }),
    }).stdout;
  expect(run("pre-compact --guidance", { hook_event_name: "PreCompact", trigger: "auto" })).toContain(
    "- Still running, not to be started again: Look\n",
  );
  expect(run("session-start --print", { hook_event_name: "SessionStart", source: "compact" })).toContain(
    "## In flight\n- Look (sub-agent, Agent",
  );
});

test("a compaction that a person asks for is the main line's, whatever its transcript ends with", () => {
  const workspace = makeAcme();
  workspace.role(ROLE);
  expect(workspace.context(`lifecycle.save ${ROLE}`).code).toBe(0);
  const transcript = workspace.write(
    "client/s.jsonl",
    working(workspace.root)
      .call(...LOOK, opened("2.1.300"))
      .text(),
  );
  const run = (words: string, hook_event_name: string, more: object) =>
    workspace.context(words, {
      env: { CLAUDE_PROJECT_DIR: workspace.root, HIVEMIND_ROLE: ROLE },
      input: JSON.stringify({
        ...{ session_id: SESSION, transcript_path: transcript, cwd: workspace.root, hook_event_name },
        ...more,
      }),
    });
  const start = () => run("session-start --part 1/4", "SessionStart", { source: "compact" });
  expect(start()).toMatchObject({ code: 0, stdout: "" });
  expect(run("pre-compact --guidance", "PreCompact", { trigger: "manual" })).toMatchObject({ code: 0, stderr: "" });
  expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "compacting" });
  // The client was killed while it waited, and has written nothing of it since.
  expect(start().stdout).toContain("nexus-context");
  expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "recovering" });

  // The next sub-agent's.
  const later = { version: "2.1.300", timestamp: new Date(Date.now() + 1000).toISOString() };
  workspace.write(
    "client/s.jsonl",
    working(workspace.root)
      .call(...LOOK, { open: true, record: later })
      .text(),
  );
  expect(start()).toMatchObject({ code: 0, stdout: "" });
  // One that went on working.
  workspace.write(
    "client/s.jsonl",
    working(workspace.root)
      .call(...LOOK, opened("2.1.50"))
      .add({ ...progress("toolu_2"), ...later })
      .text(),
  );
  expect(start()).toMatchObject({ code: 0, stdout: "" });
  // One behind which a person asks once more.
  const called = { version: "2.1.300", timestamp: new Date().toISOString() };
  workspace.write(
    "client/s.jsonl",
    working(workspace.root)
      .bash("ls")
      .call(...LOOK, { open: true, record: called })
      .text(),
  );
  expect(start()).toMatchObject({ code: 0, stdout: "" });
  expect(run("pre-compact --guidance", "PreCompact", { trigger: "manual" })).toMatchObject({ code: 0 });
  expect(start().stdout).toContain("nexus-context");
});

test("a compaction that a person asks for in another session says nothing of whose this one's is", () => {
  const workspace = makeAcme();
  const OTHER = "scribe";
  for (const role of [ROLE, OTHER]) {
    workspace.role(role);
    expect(workspace.context(`lifecycle.save ${role}`).code).toBe(0);
  }
  const path = workspace.write(
    "client/s.jsonl",
    working(workspace.root)
      .call(...LOOK, opened("2.1.300"))
      .text(),
  );
  const run = (words: string, session_id: string, more: object) =>
    workspace.context(words, {
      env: { CLAUDE_PROJECT_DIR: workspace.root, HIVEMIND_ROLE: session_id === SESSION ? ROLE : OTHER },
      input: JSON.stringify({ session_id, transcript_path: path, cwd: workspace.root, ...more }),
    });
  const asked = { hook_event_name: "PreCompact", trigger: "manual" };
  const start = { hook_event_name: "SessionStart", source: "compact" };
  expect(run("pre-compact --guidance", `${SESSION}-2`, asked)).toMatchObject({ code: 0, stderr: "" });
  expect(run("session-start --part 1/4", SESSION, start)).toMatchObject({ code: 0, stdout: "" });
  expect(run("pre-compact --guidance", SESSION, asked)).toMatchObject({ code: 0, stderr: "" });
  expect(run("session-start --part 1/4", SESSION, start).stdout).toContain("nexus-context");
});

test.each([
  ["pre-compact", "PreCompact", { trigger: "auto" }, "{}\n"],
  ["pre-compact --guidance", "PreCompact", { trigger: "auto" }, ""],
  ["session-start --part 1/4", "SessionStart", { source: "compact" }, ""],
])("%s has nothing to say of a sub-agent's compaction, and changes nothing", (words, event, more, nothing) => {
  const workspace = makeAcme();
  workspace.role(ROLE);
  expect(workspace.context(`lifecycle.save ${ROLE}`).code).toBe(0);
  const log = new SessionLog(workspace.root)
    .prompt("go on")
    .edit(workspace.path("02-projects/24-demo/02-working/a.md"));
  const transcript = workspace.write("client/s.jsonl", log.text());
  const run = (agent: object) =>
    workspace.context(words, {
      env: { CLAUDE_PROJECT_DIR: workspace.root, HIVEMIND_ROLE: ROLE },
      input: JSON.stringify({
        ...{ session_id: SESSION, transcript_path: transcript, cwd: workspace.root, ...agent },
        ...{ hook_event_name: event, ...more },
      }),
    });
  const before = workspace.state(ROLE);
  expect(run({ agent_id: "aed63fb72845f784c", agent_type: "general-purpose" })).toMatchObject({
    ...{ code: 0, stdout: nothing, stderr: "" },
  });
  expect(workspace.state(ROLE)).toEqual(before);
  expect(workspace.exists("session/.cache")).toBe(false);
  // A client that runs as a kind of agent says which.
  expect(run({ agent_type: "reviewer" })).toMatchObject({ code: 0 });
  expect(workspace.state(ROLE)).not.toEqual(before);
});
