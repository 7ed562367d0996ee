import { describe, expect, it } from "vitest";
import { Session } from "./session.ts";

describe("commits", () => {
  function made(session: Session): readonly unknown[] {
    return session.trail().commits.map(({ hash, title, branch }) => [hash, title, branch]);
  }

  it("come from git's own line, newest first", () => {
    const session = new Session()
      .bash("git commit -m one", { says: "[main (root-commit) abc1234] one\n 1 file changed" })
      .bash("git add -A && git commit -qam two && git push", { says: "[feat/x def5678] two\n" })
      .bash("git -C sub commit -F -", { says: "[detached HEAD 0123abc] three" });
    expect(made(session)).toEqual([
      ["0123abc", "three", "detached HEAD"],
      ["def5678", "two", "feat/x"],
      ["abc1234", "one", "main"],
    ]);
  });

  it("come from the command where git said nothing", () => {
    const here = "git commit -q -m \"$(cat <<'EOF'\nFix the parser\n\nLong text.\nEOF\n)\"";
    expect(made(new Session().bash(here, { says: "" }))).toEqual([[null, "Fix the parser", null]]);
    expect(made(new Session().bash("git commit -qam 'Fix it'", { says: "" }))).toEqual([[null, "Fix it", null]]);
    expect(made(new Session().bash("git commit --message=x", { says: "" }))).toEqual([[null, "x", null]]);
  });

  it("are none where the commit failed, but stay where a later command of the same call failed", () => {
    expect(
      made(new Session().bash("git commit -m x", { failed: true, says: "Exit code 1\nnothing to commit" })),
    ).toEqual([]);
    const pushed = new Session().bash("git commit -m x && git push", {
      failed: true,
      says: "Exit code 1\n[main abc1234] x\n! [rejected] main -> main",
    });
    expect(made(pushed)).toEqual([["abc1234", "x", "main"]]);
  });

  it("are none in other git commands and in text about them", () => {
    const session = new Session()
      .bash("git log -1", { says: "[main abc1234] x" })
      .bash("echo git commit -m x")
      .bash("git commit --dry-run -m x", { says: "" });
    expect(made(session)).toEqual([]);
  });

  it("replace the last one when amended", () => {
    const session = new Session()
      .bash("git commit -m x", { says: "[main abc1234] x" })
      .bash("git commit --amend --no-edit", { says: "[main def5678] x" });
    expect(made(session)).toEqual([["def5678", "x", "main"]]);
  });
});

describe("a commit", () => {
  const titles = (session: Session) => session.trail().commits.map(({ title, hash }) => `${hash ?? "-"} ${title}`);
  const made = () => new Session().bash("git commit -m x", { says: "[main abc1234] x" });

  it("stays where the amending of it failed, and keeps its title where none is given", () => {
    expect(titles(made().bash("git commit --amend --no-edit", { failed: true, says: "Exit code 1\nhook" }))).toEqual([
      "abc1234 x",
    ]);
    expect(titles(made().bash("git commit -q --amend --no-edit", { says: "" }))).toEqual(["- x"]);
  });

  it("is taken back by a reset to before it", () => {
    const two = () => made().bash("git commit -m y", { says: "[main def5678] y" });
    expect(titles(two().bash("git reset --soft HEAD~1"))).toEqual(["abc1234 x"]);
    expect(titles(two().bash("git reset HEAD^^"))).toEqual([]);
    expect(titles(two().bash("git reset --hard HEAD~9"))).toEqual([]);
    expect(titles(two().bash("git reset --hard HEAD"))).toHaveLength(2);
    expect(titles(two().bash("git reset HEAD~1 -- a"))).toHaveLength(2);
    expect(titles(two().bash("git reset HEAD~1 a"))).toHaveLength(2);
    expect(titles(two().bash("git reset --soft HEAD~1", { failed: true }))).toHaveLength(2);
  });

  it("has the title of its message, though quotes stand in it", () => {
    const message = `git commit -q -m "$(cat <<'EOF'\nFix "x" > y\n\nrm a "b" && mv c d\nEOF\n)" && git push`;
    const trail = new Session().bash(message, { says: "" }).trail();
    expect(trail.commits.map(({ title }) => title)).toEqual(['Fix "x" > y']);
    expect(trail.files).toEqual([]);
    const input = "git commit -q -F - <<'EOF'\n\nTold by input\n\nMore\nEOF";
    expect(titles(new Session().bash(input, { says: "" }))).toEqual(["- Told by input"]);
    expect(titles(new Session().bash("git commit -qm'glued on'", { says: "" }))).toEqual(["- glued on"]);
  });
});

describe("the to-do list", () => {
  it("takes the client's own list for what it is, tasks of before included", () => {
    const trail = new Session()
      .call("TaskCreate", { subject: "Two" }, { says: "Task #2 created successfully: Two" })
      .call(
        "TaskList",
        {},
        { says: "#1 [completed] One\n#2 [in_progress] Two (dev) [blocked by #1]\n#3 [pending] Three\nelse" },
      )
      .trail();
    expect(trail.todos).toEqual([
      { text: "Two (dev)", status: "in_progress" },
      { text: "One", status: "completed" },
      { text: "Three", status: "pending" },
    ]);
  });

  it("is the last that was written, and the current task is the one in progress", () => {
    const trail = new Session()
      .call("TodoWrite", { todos: [{ content: "Old", status: "in_progress" }] })
      .call("TodoWrite", {
        todos: [
          { content: "Parse", status: "completed", activeForm: "Parsing" },
          { content: "Write the state file", status: "in_progress" },
          { content: "Test", status: "pending" },
          { content: "", status: "pending" },
          "stray",
        ],
      })
      .call("TodoWrite", { todos: [] }, { failed: true })
      .compacted()
      .trail({ since: "compaction" });
    expect(trail.currentTask).toBe("Write the state file");
    expect(trail.todos).toEqual([
      { text: "Parse", status: "completed" },
      { text: "Write the state file", status: "in_progress" },
      { text: "Test", status: "pending" },
    ]);
  });

  it("is put together from TaskCreate and TaskUpdate", () => {
    const trail = new Session()
      .call("TaskCreate", { subject: "One" }, { says: "Task #1 created successfully: One" })
      .call("TaskCreate", { subject: "Two" }, { note: { task: { id: "2", subject: "Two" } } })
      .call("TaskCreate", { subject: "Three" }, { says: "Task #3 created" })
      .call("TaskUpdate", { taskId: "1", status: "completed" })
      .call("TaskUpdate", { taskId: "2", status: "in_progress", subject: "Two, better" })
      .call("TaskUpdate", { taskId: "3", status: "deleted" })
      .call("TaskUpdate", { taskId: "99", status: "completed" })
      .trail();
    expect(trail.todos).toEqual([
      { text: "One", status: "completed" },
      { text: "Two, better", status: "in_progress" },
    ]);
    expect(trail.currentTask).toBe("Two, better");
  });
});

describe("what is in flight", () => {
  const launched = {
    says: "Async agent launched successfully.\nagentId: ag1",
    note: { isAsync: true, agentId: "ag1" },
  };

  it("is a call without a result, until a new turn shows that it was cut off", () => {
    const session = new Session().bash("make", { open: true });
    expect(session.trail().inFlight).toMatchObject([{ kind: "call", what: "make", state: "running" }]);
    expect(session.prompt("go on").trail().inFlight).toMatchObject([{ state: "cut-off" }]);
    expect(session.compacted().trail({ since: "compaction" }).inFlight).toEqual([]);
  });

  it("is cut off by a command of the person's own, and not by one of the client's, which may be typed meanwhile", () => {
    const behind = (command: string) =>
      new Session()
        .call("Task", { description: "Look", prompt: "…" }, { open: true })
        .prompt(`<command-message>x</command-message>\n<command-name>/${command}</command-name>`)
        .trail().inFlight;
    expect(behind("next")).toMatchObject([{ state: "cut-off" }]);
    expect(behind("status")).toMatchObject([{ state: "running" }]);
  });

  it("is a sub-agent until the client says that it is done", () => {
    const session = new Session().call("Agent", { description: "Look", prompt: "…" }, launched).prompt("meanwhile");
    expect(session.trail().inFlight).toMatchObject([{ kind: "sub-agent", what: "Look", id: "ag1", state: "running" }]);
    session.prompt(
      "<task-notification>\n<tool-use-id>toolu_1</tool-use-id>\n<status>completed</status></task-notification>",
    );
    expect(session.trail().inFlight).toEqual([]);
  });

  it("is a sub-agent that was done and is sent on, until it is done again", () => {
    const done = (call: string) =>
      `<task-notification>\n<task-id>ag1</task-id>\n<tool-use-id>${call}</tool-use-id>\n<status>completed</status></task-notification>`;
    const sent = { says: '{"success":true,"message":"Resuming agent ag1","resumedAgentId":"ag1"}' };
    const session = new Session()
      .call("Agent", { description: "Look", prompt: "…" }, launched)
      .prompt(done("toolu_1"))
      .call("SendMessage", { to: "ag1", summary: "Look again", message: "…" }, sent);
    const running = { what: "Look again", id: "ag1", state: "running" };
    expect(session.trail().inFlight).toMatchObject([running]);
    expect(session.compacted().trail({ since: "compaction" }).inFlight).toMatchObject([running]);
    expect(session.prompt(done("toolu_2")).trail().inFlight).toEqual([]);
    // What is still at work takes the message where it is.
    const told = new Session().call("SendMessage", { to: "ag1", message: "…" }, { says: '{"success":true}' });
    expect(told.trail().inFlight).toEqual([]);
  });

  it("is a sub-agent that was stopped and is sent on, once", () => {
    const session = new Session()
      .call("Agent", { description: "Look", prompt: "…" }, launched)
      .call("TaskStop", { task_id: "ag1" })
      .call("SendMessage", { to: "ag1", summary: "Look again" }, { says: '{"resumedAgentId":"ag1"}' });
    expect(session.trail().inFlight).toMatchObject([{ what: "Look again", id: "ag1" }]);
  });

  it("is a sub-agent that waits for its result", () => {
    const trail = new Session().call("Task", { description: "Look", prompt: "…" }, { open: true }).trail();
    expect(trail.inFlight).toMatchObject([{ kind: "sub-agent", state: "running" }]);
  });

  it("is a job that comes up again and again, until it is taken off, and none that does once", () => {
    const job = { cron: "*/7 * * * *", prompt: "Check the deploy.", recurring: true };
    const session = new Session()
      .call("CronCreate", job, { says: "Scheduled recurring job 702313a7 (Every 7 minutes). Next run: 8:37pm." })
      .call("CronCreate", { ...job, recurring: false }, { says: "Scheduled one-shot task 6a01ac5e (59 23 31 12 *)." });
    const running = { kind: "background", what: "Check the deploy.", id: "702313a7", state: "running" };
    expect(session.compacted().trail({ since: "compaction" }).inFlight).toMatchObject([running]);
    expect(session.call("CronDelete", { id: "702313a7" }).trail().inFlight).toEqual([]);
  });

  it("is a monitor that has told what came up, until it has ended", () => {
    const told = (more: string) =>
      `<task-notification>\n<task-id>b4</task-id>\n${more}<event>x</event></task-notification>`;
    const begin = () =>
      new Session().call("Monitor", { command: "tail -f log" }, { says: "Monitor started (task b4, …)" });
    expect(begin().prompt(told("")).trail().inFlight).toMatchObject([{ what: "tail -f log", id: "b4" }]);
    expect(begin().prompt(told("<status>completed</status>")).trail().inFlight).toEqual([]);
  });

  it("is a command in the background, over a compaction too, until it is killed or its end is seen", () => {
    const begin = (): Session =>
      new Session().bash("npm run dev", { says: "Command running in background with ID: bash_1" }).compacted();
    expect(begin().trail({ since: "compaction" }).inFlight).toMatchObject([
      { kind: "background", what: "npm run dev", id: "bash_1", state: "running" },
    ]);
    expect(
      begin().call("BashOutput", { bash_id: "bash_1" }, { says: "<status>running</status>" }).trail().inFlight,
    ).toHaveLength(1);
    expect(
      begin().call("BashOutput", { bash_id: "bash_1" }, { says: "<status>completed</status>" }).trail().inFlight,
    ).toEqual([]);
    expect(begin().call("KillShell", { shell_id: "bash_1" }).trail().inFlight).toEqual([]);
    expect(begin().call("KillShell", { shell_id: "bash_2" }).trail().inFlight).toHaveLength(1);
  });
});
