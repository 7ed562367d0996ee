import { describe, expect, it } from "vitest";
import { type GuidanceFacts, summariserGuidance } from "../../src/trail/guidance.ts";
import type { Since } from "../../src/trail/model.ts";
import { renderTrail } from "../../src/trail/render.ts";
import { REFUSED, type ResultOf, ROOT, Session } from "./session.ts";

const failed = (says = ""): ResultOf => ({ failed: true, says });
const side = { record: { isSidechain: true } };

describe("what is in flight", () => {
  const open = (session: Session, since: Since = "start") =>
    session
      .trail({ since })
      .inFlight.map(({ kind, tool, what, id, state }) => [kind, tool, what, id ?? "-", state].join(" "));

  it.each<readonly [string, object, ResultOf, readonly string[]]>([
    ["Bash", { command: "x  y" }, { open: true }, ["call Bash x y - running"]],
    ["Bash", { command: "x", run_in_background: true }, { open: true }, ["background Bash x - running"]],
    ["Bash", { command: "x", run_in_background: "yes" }, { open: true }, ["call Bash x - running"]],
    ["Bash", { command: "x" }, { note: { backgroundTaskId: "b1" } }, ["background Bash x b1 running"]],
    ["Other", { command: "x" }, { note: { backgroundTaskId: "b1" } }, ["background Other x b1 running"]],
    [
      "Bash",
      { command: "x" },
      { says: "Command was manually moved to the background with ID: b-2." },
      ["background Bash x b-2 running"],
    ],
    [
      "Bash",
      { command: "x" },
      { says: "command was moved to the background ID: b3" },
      ["background Bash x b3 running"],
    ],
    [
      "Monitor",
      { description: "d", command: "x" },
      { says: "Monitor started (task b4, expires in 1m unless the source ends first).", note: { taskId: "b4" } },
      ["background Monitor x b4 running"],
    ],
    [
      "Workflow",
      { script: 'export const meta = { name: "wf" }' },
      { says: "Workflow launched in background. Task ID: w1\nSummary: d", note: { status: "async_launched" } },
      ['background Workflow export const meta = { name: "wf" } w1 running'],
    ],
    ["Bash", { command: "x" }, { says: "x Command running in background with ID: b1" }, []],
    ["Other", { command: "x" }, { says: "Command running in background with ID: b1" }, []],
    ["Bash", { command: "x" }, failed("Command running in background with ID: b1"), []],
    ["Agent", { prompt: "p" }, { says: "Async agent launched. agentId: a1" }, ["sub-agent Agent p a1 running"]],
    [
      "Task",
      { description: "d", prompt: "p" },
      { says: "Async agent launched." },
      ["sub-agent Task d toolu_1 running"],
    ],
    ["Task", { prompt: "p" }, { says: "Done. agentId: a1" }, []],
    ["Read", { file_path: "src/a" }, { open: true }, ["call Read src/a - running"]],
    ["Grep", { pattern: "x", path: "y" }, { open: true }, ["call Grep x - running"]],
    ["WebFetch", { url: "u", prompt: "" }, { open: true }, ["call WebFetch u - running"]],
    ["WebSearch", { query: "q" }, { open: true }, ["call WebSearch q - running"]],
    ["Other", {}, { open: true }, ["call Other  - running"]],
    ["Bash", { command: "x" }, {}, []],
  ])("%s %j with %j", (name, input, result, expected) => {
    expect(open(new Session().call(name, input, result))).toEqual(expected);
  });

  it.each<readonly [string, object, ResultOf, boolean]>([
    ["KillShell", { shell_id: "b1" }, {}, true],
    ["KillBash", { shell_id: "b1" }, {}, true],
    ["TaskStop", { task_id: "b1" }, {}, true],
    ["KillShell", { shell_id: "b1" }, failed(), false],
    ["KillShell", {}, {}, false],
    ["BashOutput", { bash_id: "b1" }, { says: "<status> completed </status>" }, true],
    ["TaskOutput", { task_id: "b1" }, { says: "<status>failed</status>" }, true],
    ["AgentOutputTool", { agentId: "b1" }, { note: { status: "done" } }, true],
    ["AgentOutput", { agent_id: "b1" }, { note: { task: { status: "done" } } }, true],
    ["BashOutput", { bash_id: "b1" }, { says: "no word" }, false],
    ["BashOutput", { bash_id: "b1" }, { says: "<status>pending</status>" }, false],
    ["BashOutput", { bash_id: "b1" }, { says: "<status>not_ready</status>" }, false],
    ["BashOutput", { bash_id: "b1" }, { says: "<status>timeout</status>" }, false],
    ["BashOutput", { bash_id: "b1" }, { says: "<status>running</status>", note: { status: "done" } }, false],
    ["BashOutput", { bash_id: "b2" }, { says: "<status>completed</status>" }, false],
    ["Other", { bash_id: "b1" }, { says: "<status>completed</status>" }, false],
  ])("%s %j with %j ends a background command: %j", (name, input, result, ends) => {
    const session = new Session().bash("x", { note: { backgroundTaskId: "b1" } }).call(name, input, result);
    expect(open(session)).toEqual(ends ? [] : ["background Bash x b1 running"]);
  });

  it("is cut off by a prompt, an interruption or a compaction, and what runs in the background is not", () => {
    const begun = () => new Session().bash("x", { open: true }).bash("y", { note: { backgroundTaskId: "b" } });
    const cut = ["background Bash y b running", "call Bash x - cut-off"];
    expect(open(begun().prompt("go"))).toEqual(cut);
    expect(open(begun().interrupted())).toEqual(cut);
    expect(open(begun().compacted())).toEqual(cut);
    expect(open(begun().says("hm"))).toEqual(["background Bash y b running", "call Bash x - running"]);
    expect(open(begun().compacted(), "compaction")).toEqual(["background Bash y b running"]);
    expect(open(begun().add({ type: "user", isSidechain: true, message: { content: "x" } }))).toHaveLength(2);
    expect(open(new Session().prompt("go").bash("x", { open: true, ...side }))).toEqual([]);
  });

  it.each(["completed", "failed", "killed"])("ends with the client's word %s", (status) => {
    const notice = (id: string) =>
      `<task-notification><tool-use-id>${id}</tool-use-id><status>${status}</status></task-notification>`;
    const session = () => new Session().call("Agent", { prompt: "p" }, { says: "Async agent launched. agentId: a1" });
    expect(open(session().prompt(notice("toolu_1")))).toEqual([]);
    expect(open(session().prompt(notice("a1")))).toEqual([]);
    expect(open(session().prompt(notice("other")))).toHaveLength(1);
    expect(open(session().prompt(notice("a1").replace(status, "running")))).toHaveLength(1);
    expect(open(session().prompt("<task-notification></task-notification>"))).toHaveLength(1);
  });
});

describe("commits", () => {
  it.each<readonly [string, ResultOf, readonly string[]]>([
    ["git commit -m x", { says: "" }, ["- x -"]],
    ["git commit -m x", { says: "On branch main\nnothing to commit, working tree clean" }, []],
    ["git commit -m x", { says: "nothing added to commit but untracked files" }, []],
    ["git commit -m x", { says: "[abc1234] no branch" }, ["- x -"]],
    ["git commit -m x", { says: "[main abc123] too short" }, ["- x -"]],
    [
      "git commit -m x",
      { says: "noise\n[a/b abc1234] t\n[c 0123456789abcdef] u" },
      ["0123456789abcdef u c", "abc1234 t a/b"],
    ],
    ["git commit -m x", { says: "  [main abc1234] x" }, ["- x -"]],
    ["git commit -m x", failed("[main abc1234] x"), ["abc1234 x main"]],
    ["git commit -m x", failed(), []],
    ["git commit -m x", { open: true }, []],
    ["git commit --message x", { says: "" }, ["- x -"]],
    ["git commit --message='x\ny'", { says: "" }, ["- x -"]],
    ["git commit -vm '  \n x  y \nz'", { says: "" }, ["- x y -"]],
    ["git commit -F file", { says: "" }, ["-  -"]],
    ["git commit", { says: "" }, ["-  -"]],
    ["git commit -m", { says: "" }, ["-  -"]],
    ["x || git commit -m x", { says: "" }, []],
    ["git revert abc", { says: "" }, []],
    ["git revert abc", { says: "[main abc1234] Revert" }, ["abc1234 Revert main"]],
    ["git cherry-pick abc", { says: "[main abc1234] Pick" }, ["abc1234 Pick main"]],
    ["git -C d commit -m x", { says: "" }, ["- x -"]],
    ["git commit -m a && git commit -m b", { says: "" }, ["- b -", "- a -"]],
    ["git commit --dry-run -m x", { says: "[main abc1234] x" }, []],
    ["git add x", { says: "[main abc1234] x" }, []],
  ])("of %j with %j", (command, result, expected) => {
    const { commits } = new Session().bash(command, result).trail();
    expect(commits.map(({ hash, title, branch }) => `${hash ?? "-"} ${title} ${branch ?? "-"}`)).toEqual(expected);
  });

  it("are amended where that is said, and else stay", () => {
    const session = () => new Session().bash("git commit -m a", { says: "" }).bash("git commit -m b", { says: "" });
    const titles = (made: Session) => made.trail().commits.map(({ title }) => title);
    expect(titles(session().bash("git commit --amend -m c", { says: "" }))).toEqual(["c", "a"]);
    expect(titles(session().bash("git commit --amend -m c", { open: true }))).toEqual(["b", "a"]);
    expect(titles(session())).toEqual(["b", "a"]);
  });
});

describe("questions", () => {
  const asked = (session: Session, since: Since = "start") =>
    session.trail({ since }).questions.map(({ question, answer, state }) => `${question} = ${answer ?? "-"} ${state}`);

  it.each([
    ["Shall I?", "Shall I? = - open"],
    ["First.\n\nShall  I? **", "Shall I? ** = - open"],
    ["Shall I? `_)\"'”» ", "Shall I? `_)\"'”» = - open"],
    ["行きますか？", "行きますか？ = - open"],
    ["هل أذهب؟", "هل أذهب؟ = - open"],
    ["Which?\n- a\n* b\n+ c\n• d\n1. e\n2) f\n(a) g\nB: h", "Which? - a * b + c • d 1. e 2) f (a) g B: h = - open"],
    ["One?\nTwo?", "Two? = - open"],
    ["Which?\nI go on.", null],
    ["Which? Well.", null],
    ["Which?\n1.x", null],
    ["Which?\n123. x", null],
    [`Which?\n${"- a\n".repeat(8)}`, `Which?${" - a".repeat(8)} = - open`],
    [`Which?\n${"- a\n".repeat(9)}`, null],
    ["No question.", null],
    [`Which?${"*".repeat(8)}`, `Which?${"*".repeat(8)} = - open`],
    [`Which?${"*".repeat(9)}`, null],
    [`Old?\n${"x".repeat(2_000)}`, null],
  ])("at the end of a text: %j", (text, expected) => {
    expect(asked(new Session().says(text))).toEqual(expected === null ? [] : [expected]);
  });

  it("are answered by a prompt, and forgotten with work or another text", () => {
    const session = () => new Session().says("Shall I?");
    expect(asked(session().prompt("yes\nplease"))).toEqual(["Shall I? = yes please answered"]);
    expect(asked(session().says("I go on."))).toEqual([]);
    expect(asked(session().read("x"))).toEqual([]);
    expect(asked(session().prompt("yes").prompt("again"))).toHaveLength(1);
    expect(asked(session().compacted().prompt("yes"), "compaction")).toEqual(["Shall I? = yes answered"]);
    expect(asked(session().compacted(), "compaction")).toEqual([]);
    expect(asked(session().prompt("yes").compacted(), "compaction")).toEqual([]);
    expect(
      asked(new Session().prompt("x").add({ type: "assistant", isSidechain: true, message: { content: "Shall I?" } })),
    ).toEqual([]);
  });

  it.each<readonly [object, ResultOf, readonly string[]]>([
    [
      { questions: [{ question: "A?" }, { question: "B?" }] },
      { says: '"A?"="1", "B?"="2"' },
      ["B? = 2 answered", "A? = 1 answered"],
    ],
    [{ questions: [{ question: "A?" }] }, { says: '"A?"="1' }, ["A? = 1 answered"]],
    [{ questions: [{ question: "A?" }] }, { says: "none" }, ["A? = - answered"]],
    [{ questions: [{ question: "A?" }] }, { says: '"A?"="1"', note: { answers: { "A?": "2" } } }, ["A? = 2 answered"]],
    [{ questions: [{ question: "A?" }] }, { says: '"A?"="1"', note: { answers: { "B?": "2" } } }, ["A? = 1 answered"]],
    [{ questions: [{ question: "A?" }] }, { open: true }, ["A? = - open"]],
    [{ questions: [{ question: "A?" }] }, failed("An error"), []],
    [{ questions: [{ question: "A?" }] }, failed(`${REFUSED} the user said: no`), ["A? = no declined"]],
    [{ questions: [{ question: "A?" }] }, failed("[Request interrupted by user]"), ["A? = - declined"]],
    [{ questions: [{ question: "A?" }] }, failed("User rejected tool use"), ["A? = - declined"]],
    [{ questions: [{ question: "A?" }] }, failed("The user doesn't want to take this action"), ["A? = - declined"]],
    [{ questions: ["A?", { header: "h" }] }, {}, []],
    [{ questions: "A?" }, {}, []],
  ])("of the tool with %j and %j", (input, result, expected) => {
    expect(asked(new Session().call("AskUserQuestion", input, result))).toEqual(expected);
  });

  it("of before the compaction are not told", () => {
    const session = new Session().call("AskUserQuestion", { questions: [{ question: "A?" }] }).compacted();
    expect(asked(session, "compaction")).toEqual([]);
    expect(asked(session)).toHaveLength(1);
  });
});

describe("the to-do list", () => {
  const todos = (session: Session) => session.trail().todos.map(({ text, status }) => `${text} ${status}`);

  it.each<readonly [string, object, ResultOf, readonly string[]]>([
    [
      "TodoWrite",
      { todos: [{ content: " a\nb ", status: "completed" }, { content: "c", status: "odd" }, { content: 3 }] },
      {},
      ["a b completed", "c pending"],
    ],
    ["TodoWrite", { todos: "x" }, {}, []],
    ["TodoWrite", { todos: [{ content: "a" }] }, failed(), []],
    ["TodoWrite", { todos: [{ content: "a" }] }, { open: true }, ["a pending"]],
    ["TaskCreate", { subject: "a", status: "in_progress" }, {}, ["a in_progress"]],
    ["TaskCreate", { subject: "" }, {}, []],
    ["TaskUpdate", { taskId: "1", subject: "a" }, {}, []],
    ["Other", { todos: [{ content: "a" }] }, {}, []],
  ])("%s %j with %j", (name, input, result, expected) => {
    expect(todos(new Session().call(name, input, result))).toEqual(expected);
  });

  it("passes over entries that are none, and knows numbers of several digits", () => {
    expect(todos(new Session().call("TodoWrite", { todos: [null, "x", [], { content: "a" }] }))).toEqual(["a pending"]);
    const numbered = new Session().call("TaskCreate", { subject: "a" }, { says: "Task #12 created" });
    expect(todos(numbered.call("TaskUpdate", { taskId: "12", status: "completed" }))).toEqual(["a completed"]);
    expect(todos(numbered.call("Other", { taskId: "12", status: "deleted" }))).toEqual(["a completed"]);
  });

  it("changes one entry by its number", () => {
    const made = () =>
      new Session()
        .call("TaskCreate", { subject: "a" }, { says: "Task #7 created" })
        .call("TaskCreate", { subject: "b" }, { says: "created" })
        .call("TaskCreate", { subject: "c" }, { says: "#9", note: { task: { id: "x" } } });
    const left = (input: object) => todos(made().call("TaskUpdate", input));
    expect(left({ taskId: "7", status: "completed" })).toEqual(["a completed", "b pending", "c pending"]);
    expect(left({ id: "2", subject: "B" })).toEqual(["a pending", "B pending", "c pending"]);
    expect(left({ taskId: "x", status: "deleted" })).toEqual(["a pending", "b pending"]);
    expect(left({ taskId: "9", status: "deleted" })).toEqual(["a pending", "b pending", "c pending"]);
    expect(left({ status: "deleted" })).toEqual(["a pending", "b pending", "c pending"]);
    expect(left({ taskId: "7", subject: "" })).toEqual(["a pending", "b pending", "c pending"]);
    expect(todos(made().call("TodoWrite", { todos: [{ content: "w" }] }))).toEqual([
      "w pending",
      "a pending",
      "b pending",
      "c pending",
    ]);
  });
});

describe("files", () => {
  const files = (session: Session, since: Since = "start") =>
    session
      .trail({ since })
      .files.map(({ path, change, by, times, movedTo, subAgent }) =>
        [change, path, by, times, movedTo ?? "-", ...(subAgent ? ["sub"] : [])].join(" "),
      );

  it.each<readonly [(session: Session) => Session, readonly string[]]>([
    [(s) => s.bash("mv a.ts b.ts"), ["created b.ts shell 1 -", "deleted a.ts shell 0 b.ts"]],
    [(s) => s.read("b.ts").bash("mv a.ts b.ts"), ["edited b.ts shell 1 -", "deleted a.ts shell 0 b.ts"]],
    [(s) => s.bash("mv a.ts $X"), ["deleted a.ts shell 0 -"]],
    [(s) => s.bash("rm a").bash("echo > a"), ["created a shell 1 -"]],
    [(s) => s.bash("echo > a").bash("echo > a"), ["created a shell 2 -"]],
    [(s) => s.read("a").bash("echo > a"), ["edited a shell 1 -"]],
    [(s) => s.bash("echo > a").edit("a"), ["created a tool 2 -"]],
    [(s) => s.edit("a").bash("echo > a"), ["edited a tool 2 -"]],
    [(s) => s.edit("d/a").edit("d/b").bash("rm d/b").bash("rm -r d"), ["deleted d/a tool 1 -", "deleted d/b tool 1 -"]],
    [(s) => s.edit("d/a").edit("d2/a").bash("rm -r d"), ["deleted d/a tool 1 -", "edited d2/a tool 1 -"]],
    [(s) => s.edit("a", side).bash("rm a"), ["deleted a tool 1 -"]],
    [(s) => s.read("x").bash("rm a", side), ["deleted a shell 0 - sub"]],
    [(s) => s.write("a", { says: "The file a has been updated." }), ["edited a tool 1 -"]],
    [(s) => s.edit("a", { says: "File created successfully at: a" }), ["created a tool 1 -"]],
    [(s) => s.edit("a", { note: { type: "create" } }), ["created a tool 1 -"]],
    [(s) => s.write("a", { note: { type: "update" }, says: "File created successfully" }), ["edited a tool 1 -"]],
    [(s) => s.write("a").write("a"), ["created a tool 2 -"]],
    [(s) => s.call("NotebookRead", { notebook_path: "a" }).write("a"), ["edited a tool 1 -"]],
    [(s) => s.call("Glob", { file_path: "a" }).write("a"), ["created a tool 1 -"]],
    [(s) => s.call("PowerShell", { command: "rm a" }), []],
    [(s) => s.call("Edit", {}), []],
    [(s) => s.edit(ROOT), ["edited . tool 1 -"]],
  ])("%#", (work, expected) => {
    expect(files(work(new Session()))).toEqual(expected);
  });

  it("met before the compaction are not new after it", () => {
    const earlier = () => new Session().bash("echo > a").read("b").edit("c").bash("mv d e");
    const after = earlier().compacted().write("a").write("b").write("c").write("d").write("e").write("f");
    expect(files(after, "compaction")).toEqual([
      "created f tool 1 -",
      "edited e tool 1 -",
      "edited d tool 1 -",
      "edited c tool 1 -",
      "edited b tool 1 -",
      "edited a tool 1 -",
    ]);
    expect(earlier().compacted().trail({ since: "compaction" }).reads).toEqual([]);
  });
});

describe("failures", () => {
  const says = (result: string) => new Session().bash("x", failed(result)).trail().failures[0]?.says;

  it.each([
    ["", ""],
    ["Exit code 1", "Exit code 1"],
    ["Exit code 1\na\nb\nc\nd", "Exit code 1 | b | c | d"],
    ["Exit code 1234\na", "Exit code 1234 | a"],
    ["a\nExit code 1", "a | Exit code 1"],
    ["a\nERROR 1\nb\nfailed 2\nc\nno such 3\ndenied 4", "ERROR 1 | failed 2 | no such 3"],
    ["  <tool_use_error>bad</tool_use_error> \n\n", "bad"],
    ["x".repeat(200), `${"x".repeat(159)}…`],
    ...[
      "error",
      "Failure",
      "exception",
      "cannot",
      "can't",
      "not found",
      "no such",
      "denied",
      "refused",
      "undefined",
      "unexpected",
      "panic",
      "fatal",
    ].map((word): [string, string] => [`a\n${word}\nb`, word]),
  ])("of %j say %j", (result, expected) => {
    expect(says(result)).toBe(expected);
  });

  it.each<readonly [string, object, number]>([
    ["Write", { file_path: "a" }, 1],
    ["MultiEdit", { file_path: "a" }, 1],
    ["NotebookEdit", { notebook_path: "a" }, 1],
    ["Task", { prompt: "p" }, 1],
    ["Agent", { prompt: "p" }, 1],
    ["mcp__a__b", {}, 1],
    ["Writer", {}, 0],
    ["Read", { file_path: "a" }, 0],
    ["WebFetch", { url: "u" }, 0],
    ["Skill", { skill: "s" }, 0],
  ])("of %s %j count: %d", (name, input, count) => {
    const session = new Session().call(name, input, failed("no"));
    expect(session.trail().failures).toHaveLength(count);
    expect(session.call(name, input).trail().failures).toEqual([]);
  });

  it("are answered by the same tool alone where there is no path", () => {
    const session = () => new Session().call("mcp__a__b", {}, failed("no"));
    expect(session().trail().failures).toMatchObject([{ what: "mcp__a__b", tool: "mcp__a__b", times: 1 }]);
    expect(session().call("mcp__a__c", {}).trail().failures).toHaveLength(1);
    expect(new Session().edit("a", failed("no")).read("a").trail().failures).toHaveLength(1);
    expect(new Session().edit("a", failed("no")).write("b").trail().failures).toHaveLength(1);
  });

  it("are one for the commands that failed together, however they are spelled", () => {
    const session = new Session().bash("a && b", failed()).bash("a &&  b", failed()).bash("b && a", failed());
    expect(session.trail().failures.map(({ what, times }) => `${what} ${times}`)).toEqual(["b && a 1", "a && b 2"]);
    expect(session.bash("a && b").trail().failures).toEqual([]);
    expect(new Session().bash("make | tail", failed()).bash("make | grep x", failed()).trail().failures).toHaveLength(
      1,
    );
    expect(new Session().bash("cd x", failed()).trail().failures).toMatchObject([{ what: "cd x" }]);
    expect(new Session().bash("cd x", failed()).bash("cd  x").trail().failures).toEqual([]);
    expect(new Session().bash("echo a; echo b", failed()).bash("echo  a; echo b").trail().failures).toEqual([]);
    expect(new Session().bash("cd x", failed()).bash("cd y").trail().failures).toHaveLength(1);
  });

  it.each(["cd", "pushd", "popd", "echo", "printf", "true", "sleep", "export", "set", "source", "."])(
    "do not hang on %s, which does nothing itself",
    (verb) => {
      const session = new Session().bash(`${verb} x && make`, failed()).bash("make");
      const same = /^(?:cd|pushd|popd)$/.test(verb) ? 1 : 0;
      expect(session.trail().failures).toHaveLength(same);
    },
  );

  it.each(["tail", "head", "grep", "tee", "cat", "less", "sort", "uniq", "wc", "sed", "awk"])(
    "do not hang on %s, behind a pipe or not",
    (verb) => {
      expect(new Session().bash(`make | ${verb} x`, failed()).bash("make").trail().failures).toEqual([]);
      expect(new Session().bash(`make && ${verb} x`, failed()).bash("make").trail().failures).toEqual([]);
    },
  );

  it("of a test run are answered by a run that passed, though a pipe hides its exit code", () => {
    const session = () => new Session().bash("npm test", failed("Tests 1 failed"));
    expect(session().bash("npm test | tail", { says: "Tests 3 passed" }).trail().failures).toEqual([]);
    expect(session().bash("npm test | tail", { says: "nothing" }).trail().failures).toHaveLength(1);
    expect(
      new Session()
        .bash("make; npm test", failed("Tests 1 failed"))
        .bash("make; npm test", { says: "Tests 3 passed" })
        .trail().failures,
    ).toEqual([]);
  });
});

describe("what the person said and stopped", () => {
  it("names links and issues, without the marks behind them", () => {
    const refs = (text: string) =>
      new Session()
        .prompt(text)
        .trail()
        .references.map(({ kind, text: said }) => `${kind} ${said}`);
    expect(refs("https://a.b/c). http://d/e?f#g! <https://h> [https://i/x]*")).toEqual([
      "link https://i/x",
      "link https://h",
      "link http://d/e?f#g",
      "link https://a.b/c",
    ]);
    expect(refs("https://a/[b]")).toEqual(["link https://a/[b]"]);
    expect(refs("#1 !2 a/b#3 AB-4 A1-5")).toEqual(["issue A1-5", "issue AB-4", "issue a/b#3", "issue !2", "issue #1"]);
    expect(refs("x#1 ##2 &#3 a-4 A-5 #6x #7- UTF-8 SHA-1 ISO-9 MD-5 GPT-4 AB-12345678 UTFX-1")).toEqual([
      "issue UTFX-1",
    ]);
    expect(refs("#1 then #2 then #1")).toEqual(["issue #1", "issue #2"]);
    expect(refs("#1 https://a #2")).toEqual(["issue #2", "issue #1", "link https://a"]);
    const both = new Session()
      .prompt("<command-name>/x</command-name><command-args>#5</command-args>")
      .says("#6")
      .bash("#7");
    expect(both.trail().references.map(({ text }) => text)).toEqual(["#5"]);
    expect(
      new Session()
        .prompt("x")
        .add({ type: "user", isSidechain: true, message: { content: "#8" } })
        .trail().references,
    ).toEqual([]);
  });

  it("keeps the first request beyond a compaction, and no other", () => {
    const session = new Session().prompt("one").prompt("two").compacted().prompt("three");
    const said = (since: Since) =>
      session.trail({ since }).requests.map(({ text, first }) => `${text}${first ? "!" : ""}`);
    expect(said("compaction")).toEqual(["three", "one!"]);
    expect(said("start")).toEqual(["three", "two", "one!"]);
    expect(new Session().prompt("  ").prompt("x").trail().requests).toMatchObject([{ text: "x", first: true }]);
    expect(new Session().prompt("\u001b[0m").trail().requests).toEqual([]);
    expect(new Session().prompt("x".repeat(3_000)).trail().requests[0]?.text).toHaveLength(2_000);
  });

  it("keeps the last request until something newer is asked for, however often the agent's memory was compacted meanwhile", () => {
    const said = (session: Session) =>
      session.trail({ since: "compaction" }).requests.map(({ text, first }) => `${text}${first ? "!" : ""}`);
    const session = new Session().prompt("one").prompt("two").prompt("three").compacted().bash("x").compacted();
    expect(said(session)).toEqual(["three", "one!"]);
    expect(said(session.prompt("go on"))).toEqual(["go on", "one!"]);
    expect(said(new Session().prompt("one").compacted())).toEqual(["one!"]);
  });

  it("has a remark only where a call was refused with one", () => {
    const requests = (says: string) =>
      new Session()
        .bash("x", failed(says))
        .trail()
        .requests.map(({ text }) => text);
    expect(requests(`${REFUSED} the user said:\n stop `)).toEqual(["stop"]);
    expect(requests(`${REFUSED} the user said: `)).toEqual([]);
    expect(requests("Exit code 1: the user said: x")).toEqual([]);
    expect(requests(REFUSED)).toEqual([]);
  });

  it("tells a stop with what it stopped", () => {
    const stops = (session: Session, since: Since = "start") =>
      session.trail({ since }).stops.map(({ kind, what }) => `${kind} ${what}`);
    expect(stops(new Session().interrupted())).toEqual(["interrupted "]);
    expect(stops(new Session().says("x").interrupted())).toEqual(["interrupted "]);
    expect(stops(new Session().edit("./src//a.ts", { open: true }).interrupted())).toEqual([
      "interrupted Edit src/a.ts",
    ]);
    expect(stops(new Session().call("NotebookEdit", { notebook_path: "n" }, failed(REFUSED)))).toEqual([
      "rejected NotebookEdit n",
    ]);
    expect(stops(new Session().call("Task", { description: "d  e" }, failed(REFUSED)))).toEqual(["rejected Task d e"]);
    expect(stops(new Session().call("Other", {}, failed(REFUSED)))).toEqual(["rejected Other"]);
    expect(stops(new Session().call("AskUserQuestion", {}, failed(REFUSED)))).toEqual([]);
    expect(stops(new Session().bash("x", failed("Exit code 1")))).toEqual([]);
    expect(stops(new Session().bash("x", failed(REFUSED)).interrupted())).toEqual(["rejected Bash x"]);
    expect(stops(new Session().bash("x", failed("no")).interrupted())).toEqual(["interrupted Bash x"]);
    expect(stops(new Session().bash("x", { open: true }).compacted().interrupted(), "compaction")).toEqual([
      "interrupted ",
    ]);
    expect(stops(new Session().bash("x", failed(REFUSED)).compacted(), "compaction")).toEqual([]);
    expect(stops(new Session().prompt("x").bash("x", { ...failed(REFUSED), ...side }))).toEqual([]);
  });

  it("has no time where the record's is none", () => {
    const at = (timestamp: unknown) =>
      new Session().add({ type: "user", timestamp, message: { content: "x" } }).trail().requests[0]?.at;
    for (const time of ["2026-01-03T14:00Z", "2026-01-03T14:00:00", "2026-01-03T14:00:00.123456789+01:00"])
      expect(at(time)).toBe(time);
    for (const time of [
      "2026-01-03",
      "x2026-01-03T14:00Z",
      "2026-01-03T14:00Zx",
      "2026-01-03T14:00:00.1234567890Z",
      "",
      3,
    ])
      expect(at(time)).toBeNull();
  });

  it("counts compactions by their boundaries, or by summaries alone", () => {
    const compactions = (session: Session) => session.trail().compactions;
    const summary = { type: "user", isCompactSummary: true, message: { content: "S" } };
    const boundary = { type: "system", subtype: "compact_boundary" };
    expect(compactions(new Session().compacted().compacted())).toBe(2);
    expect(compactions(new Session().add(summary).add(summary))).toBe(2);
    expect(compactions(new Session().add(boundary).prompt("x").add(summary))).toBe(2);
    expect(compactions(new Session().prompt("x").add({ ...boundary, isSidechain: true }))).toBe(0);
    expect(compactions(new Session().add({ ...boundary, isSidechain: true }))).toBe(1);
  });
});

describe("a rendered trail", () => {
  const text = (session: Session, format: "md" | "xml" | "json", since: Since = "start", budget = 3_000) =>
    renderTrail(session.trail({ since }), { format, budget }).text;

  it("says nothing of a failure that said nothing", () => {
    const silent = new Session().bash("make", failed(""));
    expect(text(silent, "xml")).toContain('<failure at="14:00">make</failure>');
    expect(text(silent, "json")).not.toContain('"says"');
  });

  it("says since when it tells", () => {
    const compacted = new Session().compacted().edit("a");
    expect(text(compacted, "md", "compaction")).toMatch(/^# Work trail, since the last compaction\n/);
    expect(text(compacted, "md")).toMatch(/^# Work trail, from the start\n/);
    expect(text(new Session().edit("a"), "md", "compaction")).toMatch(/^# Work trail, from the start\n/);
    expect(text(compacted, "xml", "compaction")).toMatch(/^<work-trail since="compaction" /);
    expect(text(compacted, "xml")).toMatch(/^<work-trail since="start" /);
    expect(text(new Session().edit("a"), "xml", "compaction")).toMatch(/^<work-trail since="start" /);
    expect(text(compacted, "json", "compaction")).toContain('"since":"compaction","compactions":1,');
    expect(text(new Session().edit("a"), "json", "compaction")).toContain('"since":"start","compactions":0,');
  });

  it("of which only the end was read says so, unless a compaction stands in it", () => {
    const told = (session: Session, format: "md" | "xml" | "json") =>
      renderTrail(session.trail({ since: "compaction", whole: false }), { format, budget: 3_000 }).text;
    expect(told(new Session().edit("a"), "md")).toMatch(/^# Work trail, of the newest records\n/);
    expect(told(new Session().edit("a"), "xml")).toMatch(/^<work-trail since="end" /);
    expect(told(new Session().edit("a"), "json")).toContain('"since":"end","compactions":0,');
    expect(told(new Session().compacted().edit("a"), "md")).toMatch(/^# Work trail, since the last compaction\n/);
  });

  it("of nothing is nothing but its frame", () => {
    const nothing = new Session();
    expect(
      ["md", "xml", "json"].map((format) => text(nothing, format === "md" ? "md" : format === "xml" ? "xml" : "json")),
    ).toEqual([
      "# Work trail, from the start\n",
      '<work-trail since="start"/>\n',
      '{"schema_version":1,"since":"start","compactions":0}\n',
    ]);
  });

  it("shows the day with each time where there are several, and no time where there is none", () => {
    const two = new Session()
      .edit("a")
      .add({ type: "user", timestamp: "2026-01-04T09:05:00Z", message: { content: "x" } });
    expect(text(two, "md")).toContain("- edited a (2026-01-03T14:00)\n");
    expect(text(two, "md")).not.toContain("Times are of");
    expect(text(two, "xml")).toContain('at="2026-01-04T09:05">x<');
    expect(text(two, "xml")).toMatch(/^<work-trail since="start">\n/);
    expect(text(new Session().add({ type: "user", timestamp: null, message: { content: "x" } }), "md")).toBe(
      "# Work trail, from the start\n\n## What the person asked for, newest first\n- x (the first request)\n",
    );
  });

  it("says what is left out, in short where there is little room", () => {
    const session = new Session();
    for (let at = 0; at < 40; at += 1) session.edit(`src/folder-${at}/file.ts`).prompt(`request ${at}`);
    const left = (format: "md" | "xml" | "json", budget: number) =>
      text(session, format, "start", budget)
        .trimEnd()
        .split("\n")
        .at(format === "xml" ? -2 : -1);
    expect(left("md", 300)).toMatch(/^Left out: files \d+, requests \d+\.$/);
    expect(left("md", 100)).toMatch(/^Left out: \d+ entries\.$/);
    expect(left("xml", 300)).toMatch(/^<omitted files="\d+" requests="\d+"\/>$/);
    expect(text(session, "xml", "start", 100)).toMatch(/^<work-trail omitted="\d+">\n/);
    expect(left("json", 300)).toMatch(/^"omitted":\{"files":\d+,"requests":\d+\}\}$/);
    expect(left("json", 100)).toMatch(/^"omitted":\{"total":\d+\}\}$/);
    expect(text(session, "md", "start", 12)).toBe("Work trail: 80 entries left out.\n");
    expect(text(session, "md", "start", 4)).toBe("Work trail\n");
    expect(text(session, "xml", "start", 6)).toBe("<work-trail/>\n");
    expect(text(session, "json", "start", 9)).toBe('{"schema_version":1}\n');
    expect(text(session, "json", "start", 3)).toBe("{}\n");
    expect(text(session, "json", "start", 0)).toBe("");
  });

  it("shows long texts in short where there is little room, and paths and links whole", () => {
    const long = "word ".repeat(60).trim();
    const path = `src/${"x".repeat(100)}.ts`;
    const session = new Session().prompt(`${long}\nhttps://a/${"y".repeat(90)}`).edit(path);
    const short = text(session, "json", "start", 190);
    expect(short).toContain(`"text":"${long.slice(0, 79).trimEnd()}…"`);
    expect(short).toContain(path);
    const run = new Session().bash(`cd /${"folder/".repeat(20)} && make`).bash(`echo ${"x".repeat(300)}`);
    expect(text(run, "json", "start", 60)).toContain('"command":"make"');
    expect(short).not.toContain('"at"');
  });
});

describe("the guidance for a summary", () => {
  const NOTHING: GuidanceFacts = {
    projectId: null,
    phase: null,
    currentTask: null,
    openTasks: [],
    recoverCommand: null,
  };
  const guidance = (session: Session, facts: Partial<GuidanceFacts> = {}) =>
    summariserGuidance(session.trail(), { ...NOTHING, ...facts })
      .split("\n")
      .slice(1, -1);

  it.each<readonly [Partial<GuidanceFacts>, readonly string[]]>([
    [{ projectId: "24-a" }, ["- Project: 24-a"]],
    [{ projectId: "24-a", phase: "" }, ["- Project: 24-a"]],
    [{ projectId: " 24-a\nb ", phase: "x\ny" }, ["- Project: 24-a b, phase x y"]],
    [{ phase: "x" }, []],
    [{ currentTask: "a\n b" }, ["- Current task, word for word: a\n b"]],
    [{ projectId: "24-a", recoverCommand: "run  it" }, ["- Project: 24-a", "To recover after the compaction: run it"]],
  ])("of %j", (facts, expected) => {
    expect(guidance(new Session(), facts).join("\n")).toBe(expected.join("\n"));
  });

  it("leaves out what is done, deleted, outside the root, and the task that is told already", () => {
    const session = new Session()
      .call("TodoWrite", { todos: [{ content: "a", status: "completed" }, { content: "b" }, { content: "c" }] })
      .edit("kept")
      .edit("gone")
      .bash("rm gone; echo > shell; echo > /tmp/scratch")
      .call("Write", {}, { open: true })
      .read("x", { open: true })
      .bash("sleep 1", { open: true });
    expect(guidance(session, { currentTask: "b" })).toEqual([
      "- Current task, word for word: b",
      "- Files changed: kept",
      "- Files written by commands: shell",
      "- Open tasks: c",
    ]);
  });

  it("names what runs, with its id where it has one", () => {
    const session = new Session()
      .bash("serve", { note: { backgroundTaskId: "b1" } })
      .call("Task", { prompt: "look" }, { open: true });
    expect(guidance(session)).toEqual(["- Still running, not to be started again: look; serve (b1)"]);
  });

  it("tells one request once, and two as the last and the first", () => {
    expect(guidance(new Session().prompt("a\nb"))).toEqual(["- The person's last request: a b"]);
    expect(guidance(new Session().prompt("a").prompt("b").prompt("c"))).toEqual([
      "- The person's last request: c",
      "- The person's first request: a",
    ]);
  });

  it("counts what it has no room for, and cuts one that is too long alone", () => {
    const session = new Session();
    for (let at = 10; at < 90; at += 1) session.edit(`src/${"x".repeat(30)}-${at}.ts`);
    const [line = ""] = guidance(session);
    expect(line).toMatch(/^- Files changed: src\/x+-89\.ts; .*; src\/x+-44\.ts \(34 more\)$/);
    const [long = ""] = guidance(new Session().edit(`src/${"y".repeat(2000)}`).edit("z"));
    expect(long).toBe("- Files changed: z (1 more)");
    const [cut = ""] = guidance(new Session().edit("z").edit(`src/${"y".repeat(2000)}`));
    expect(cut).toMatch(/^- Files changed: src\/y+… \(1 more\)$/);
    expect(cut.length).toBe(2000 - "Keep these in the summary:\n".length - 1);
  });

  it("shows a file whose line has just the room there is, and cuts one that is longer", () => {
    const line = (length: number) => guidance(new Session().edit("f".repeat(length)))[0] ?? "";
    expect(line(1955)).toBe(`- Files changed: ${"f".repeat(1955)}`);
    expect(line(1956)).toBe(`- Files changed: ${"f".repeat(1954)}…`);
  });

  it("gives what nobody wanted to those that had to leave something out, the first of them first", () => {
    const session = new Session().prompt("go");
    for (let at = 10; at < 40; at += 1) {
      session.edit(`src/${"x".repeat(30)}-${at}.ts`).bash(`make ${at}`, failed("no rule".repeat(10)));
    }
    const text = summariserGuidance(session.trail(), NOTHING);
    const [, request, errors = "", files = ""] = text.split("\n");
    expect(request).toBe("- The person's last request: go");
    expect(errors.length).toBeGreaterThan(1300);
    expect(files).toMatch(/^- Files changed: src\/x+-39\.ts; .*\([0-9]+ more\)$/);
    expect(text.length).toBeLessThanOrEqual(2000);
    expect(text.length).toBeGreaterThan(1900);
    const behind = summariserGuidance(session.trail(), { ...NOTHING, taken: 300 });
    expect(behind.length).toBeLessThanOrEqual(1700);
    expect(behind).toContain("- Files changed: ");
  });

  it("leaves out the last parts where the first take all the room", () => {
    const session = new Session().prompt("first").prompt("x".repeat(300));
    for (let at = 0; at < 9; at += 1) {
      session.edit(`${"f".repeat(60)}${at}`).bash(`make ${"m".repeat(70)}${at}`, failed("error ".repeat(40)));
      session
        .call("TaskCreate", { subject: `${"t".repeat(100)}${at}` })
        .bash(`${"s".repeat(60)}${at}`, { note: { backgroundTaskId: `b${at}` } });
    }
    const all = summariserGuidance(session.trail(), {
      projectId: "p".repeat(300),
      phase: "q".repeat(60),
      currentTask: "c".repeat(900),
      openTasks: [],
      recoverCommand: "r".repeat(300),
    });
    expect(all.split("\n").map((line) => `${line.slice(0, 12)} ${line.length}`)).toEqual([
      "Keep these i 26",
      "- Project: p 379",
      "- Current ta 631",
      "- The person 229",
      "- Unanswered 228",
      "- Files chan 213",
      "- Open tasks 53",
      "To recover a 233",
      " 0",
    ]);
  });
});
