import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runProgram } from "../helpers/run-program.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const ROLE = "oosh-expert";

function project(...roles: readonly string[]): Workspace {
  const workspace = makeWorkspace();
  for (const role of roles) workspace.role(role);
  return workspace;
}

/** Starts to wait; `began` settles once something is said on stderr, which is when a role is missing. */
function waiting(workspace: Workspace, ...words: readonly string[]) {
  const started = workspace.start(["lifecycle.wait", ...words]);
  const began = new Promise<void>((resolve) => started.child.stderr?.once("data", () => resolve()));
  return { ...started, began };
}

/** Processor time of a process, in the kernel's ticks of 10 ms. The launcher replaces itself by Node, so it is the same process. */
function ticks(pid: number | undefined): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe("lifecycle.wait", () => {
  test("is over at once where the role is there already", () => {
    const workspace = project(ROLE);
    workspace.context(`lifecycle.save ${ROLE}`);
    for (const timeout of ["60s", "0"]) {
      const ran = workspace.context(`lifecycle.wait ${ROLE} --for saved --timeout ${timeout}`);
      expect(ran).toMatchObject({ code: 0, stdout: `${ROLE}: saved\n`, stderr: "" });
    }
  });

  test("waits for a role that has no machine yet, and says so", async () => {
    const workspace = project(ROLE);
    const { ended, began } = waiting(workspace, ROLE, "--for", "saved,compacting");
    await began;
    workspace.context(`lifecycle.save ${ROLE}`);
    expect(await ended).toMatchObject({
      code: 0,
      stdout: `${ROLE}: saved\n`,
      stderr: `${ROLE} has no machine yet; waiting for it.\n`,
    });
  });

  test("waits for a role that nobody knows, and names the one that was probably meant", async () => {
    const workspace = project("tester");
    const { ended, began } = waiting(workspace, "testr", "--for", "active");
    await began;
    workspace.context("lifecycle.init testr");
    const ran = await ended;
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain(
      'There is no role testr yet, neither a context file nor a machine; waiting for it. Did you mean "tester"?',
    );
  });

  test("a state that was passed through between two looks was reached", async () => {
    const workspace = project(ROLE);
    workspace.context(`lifecycle.init ${ROLE}`);
    const { ended, began } = waiting(workspace, ROLE, "later-one", "--for", "saving", "--any", "--json");
    await began;
    workspace.context(`lifecycle.save ${ROLE}`);
    const ran = await ended;
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      ok: true,
      for: ["saving"],
      any: true,
      timed_out: false,
      roles: [
        { role: ROLE, reached: true, reached_state: "saving", reached_revision: 1, event: "SAVE" },
        { role: "later-one", reached: false, state: null },
      ],
    });
  });

  test("all of several roles have to get there, each in its time; with --any one is enough", async () => {
    const workspace = project("a", "b");
    const all = waiting(workspace, "a", "b", "--for", "saved");
    const any = waiting(workspace, "a", "b", "--for", "saved", "--any");
    await Promise.all([all.began, any.began]);
    workspace.context("lifecycle.save a");
    expect(await any.ended).toMatchObject({ code: 0, stdout: "a: saved\n" });
    workspace.context("lifecycle.recover a");
    expect(all.child.exitCode).toBeNull();
    workspace.context("lifecycle.save b");
    expect(await all.ended).toMatchObject({ code: 0, stdout: "a: saved\nb: saved\n" });
  });

  test("exits 3 when the time is over, and tells who is missing and where it is", () => {
    const workspace = project("a", "b");
    workspace.context("lifecycle.save a");
    for (const timeout of ["0", "50ms"]) {
      const ran = workspace.context(`lifecycle.wait a b --for saved --timeout ${timeout}`);
      expect(ran).toMatchObject({ code: 3, stdout: "a: saved\n" });
      expect(ran.stderr).toContain("context: b (no machine) has not reached saved.");
      const json: unknown = JSON.parse(
        workspace.context(`lifecycle.wait a b --for saved --timeout ${timeout} --json`).stdout,
      );
      expect(json).toMatchObject({ ok: false, error: { code: "timed-out" }, timed_out: true });
    }
  });

  test.each([
    [["--for", "save"], '"save" is no state', 'Did you mean "saved"?'],
    [["--for", "saved,"], '"" is no state', "A state is one of"],
    [[], "No state is named", "--for <state>"],
    [["--for", "saved", "--timeout", "soon"], 'found "soon"', "500ms, 60s, 5m or 2h"],
    [["--for", "saved", "--timeout", "9000h"], "at most 500h", "9000h"],
    [["--for", "saved", "--any", "--all"], "exclude each other", "--any and --all"],
  ])("refuses %j and says what is expected", (words, found, expected) => {
    const ran = project().context(["lifecycle.wait", ROLE, ...words]);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain(found);
    expect(ran.stderr).toContain(expected);
  });

  test("a state that cannot be read is no reason to wait", () => {
    const workspace = project(ROLE);
    workspace.write("session/stateMachines/oosh_expert.states.env", "rubbish");
    const ran = workspace.context(`lifecycle.wait ${ROLE} --for saved`);
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toContain("oosh_expert.states.env");
    // Where one is enough, another one that is there is.
    workspace.role("tester");
    workspace.context("lifecycle.save tester");
    expect(workspace.context(`lifecycle.wait ${ROLE} tester --for saved --any`)).toMatchObject({
      code: 0,
      stdout: "tester: saved\n",
    });
  });

  test("nor is one that cannot be read any more when the time is over", async () => {
    const workspace = project(ROLE);
    workspace.context(`lifecycle.save ${ROLE}`);
    const { ended, began } = waiting(workspace, ROLE, "later-one", "--for", "active", "--timeout", "3s");
    await began;
    workspace.write("session/stateMachines/oosh_expert.states.env", "rubbish");
    const ran = await ended;
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toContain("oosh_expert.states.env");
  });

  test("says where a role that is stuck is told from one that takes its time", () => {
    const workspace = project(ROLE);
    workspace.context(`lifecycle.save ${ROLE}`);
    workspace.setState(ROLE, { CURRENT: "compacting", SINCE: "2026-02-03T12:15:00.000Z" });
    const [, look = ""] =
      /; (.*) says who is stuck\.\n/.exec(
        workspace.context(`lifecycle.wait ${ROLE} --for active --timeout 0`).stderr,
      ) ?? [];
    const told = runProgram("sh", ["-c", look], { cwd: workspace.root });
    expect(told.stderr).toContain(`${ROLE} is stuck in "compacting"`);
  });

  test("says that the project's folder is gone, at once and when its time is over", async () => {
    const workspace = project(ROLE);
    const { ended, began } = waiting(workspace, ROLE, "--for", "saved", "--timeout", "3s");
    await began;
    rmSync(workspace.root, { recursive: true });
    const ran = await ended;
    mkdirSync(workspace.root);
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain(`The folder ${workspace.root} is gone; watching for another one in its place.\n`);
    expect(ran.stderr).toContain(`  ${workspace.root} is gone: name the project's folder with -C.\n`);
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("ends by %s with %d and makes nothing", async (signal, code) => {
    const workspace = project();
    const { child, ended, began } = waiting(workspace, ROLE, "--for", "saved", "--json");
    await began;
    child.kill(signal);
    const ran = await ended;
    expect(ran.code).toBe(code);
    expect(JSON.parse(ran.stdout)).toMatchObject({ ok: false, error: { code: "interrupted" }, timed_out: false });
    expect(workspace.list("session")).toEqual(["agents"]);
  });

  test.skipIf(process.platform !== "linux")("uses no processor while it waits", async () => {
    const workspace = project(ROLE);
    const { child, ended, began } = waiting(workspace, ROLE, "--for", "saved", "--timeout", "3s");
    await began;
    const before = ticks(child.pid);
    await pause(2000);
    const used = ticks(child.pid) - before;
    expect((await ended).code).toBe(3);
    // Ticks are of 10 ms: a loop would use two hundred, a look every 10 ms some fifty.
    expect(used).toBeLessThan(15);
  });
});
