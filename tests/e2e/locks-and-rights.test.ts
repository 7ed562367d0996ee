import { chmodSync, chownSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { hostname } from "node:os";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { contextText } from "../helpers/context-text.ts";
import { sharedLauncher } from "../helpers/program-under-test.ts";
import { runProgram, type Started, startProgram } from "../helpers/run-program.ts";
import { machineFile, makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const ROLE = "oosh-expert";
const FILE = machineFile(ROLE);
const LOCK = `${FILE}.lock`;
const isRoot = process.getuid?.() === 0;
/** Somebody who owns nothing; without being root, a folder that even its owner may not write does the same. */
const asOther = isRoot ? 65_534 : undefined;

function saved(): Workspace {
  const workspace = makeWorkspace();
  workspace.role(ROLE);
  workspace.context(`lifecycle.save ${ROLE}`);
  return workspace;
}

let holder: Started;
beforeAll(() => {
  holder = startProgram("sleep", ["600"], { cwd: "/" });
});
afterAll(async () => {
  holder.child.kill();
  await holder.ended;
});

/** What a process of ours writes into its lock: see the description of ProcessIdentity. */
function lockOf(pid: number, more: Readonly<Record<string, unknown>> = {}): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const started = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  // In a container the kernel's number of its processes' numbering: see `space` there.
  const space = /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0];
  const inside = space === "4026531836" ? {} : { space };
  return JSON.stringify({ pid, started, boot, host: hostname(), ...inside, token: `${pid}-test-1`, ...more });
}

describe("a state that another process holds", () => {
  test("makes a command wait about two seconds and end with code 4; nothing is changed", async () => {
    const workspace = saved();
    const before = workspace.read(FILE);
    const lock = lockOf(holder.child.pid ?? 0);
    workspace.write(LOCK, lock);
    const commands = ["lifecycle.save", "lifecycle.init", "lifecycle.recover", "lifecycle.pre.compact", "recover"];
    const all = await Promise.all(
      commands.map((command) => workspace.start([command, ROLE], { cwd: workspace.root }).ended),
    );
    for (const [index, ran] of all.entries()) {
      expect(ran, commands[index]).toMatchObject({ code: 4 });
      expect(ran.ms).toBeGreaterThanOrEqual(1900);
      expect(ran.stderr).toContain(`${LOCK} is held by process ${holder.child.pid}`);
    }
    // What the agent needs is printed all the same.
    expect(all.at(-1)?.stdout).toContain(contextText().trimEnd());
    const json: unknown = JSON.parse(workspace.context(`lifecycle.save ${ROLE} --json`).stdout);
    expect(json).toMatchObject({ ok: false, error: { code: "locked" } });
    expect(workspace.read(FILE)).toBe(before);
    expect(workspace.read(LOCK)).toBe(lock);
    expect(workspace.context("lifecycle.status")).toMatchObject({ code: 0, stderr: "" });
  });

  test("makes a hook skip it after a moment, and say so", async () => {
    const workspace = saved();
    workspace.write(LOCK, lockOf(holder.child.pid ?? 0));
    const { child, ended } = workspace.start(["pre-compact"], { cwd: workspace.root, env: { HIVEMIND_ROLE: ROLE } });
    child.stdin?.end("{}");
    const ran = await ended;
    expect(ran).toMatchObject({ code: 0, stdout: "{}\n" });
    expect(ran.ms).toBeLessThan(30_000);
    expect(ran.stderr).toMatch(
      /^context: The state of oosh-expert was not changed: .*\.lock is held by process \d+.*\n$/,
    );
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "saved" });
  });

  test("does not let a compaction through that is to be stopped unless the role is saved", () => {
    const workspace = saved();
    workspace.write(LOCK, lockOf(holder.child.pid ?? 0));
    const run = () =>
      workspace.context("pre-compact --require-saved", {
        input: JSON.stringify({ session_id: "s", hook_event_name: "PreCompact", trigger: "manual" }),
        env: { HIVEMIND_ROLE: ROLE },
      });
    // The file is good: that the machine does not say so yet is told, and stops nobody.
    expect(run()).toMatchObject({ code: 0, stderr: expect.stringContaining("is held by process") });
    workspace.write(`session/agents/${ROLE}.context.md`, "nothing\n");
    expect(run()).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(`${ROLE} is not saved`) });
  });

  test("is waited for where it is let go in time", async () => {
    const workspace = saved();
    workspace.write(LOCK, lockOf(holder.child.pid ?? 0));
    const { ended } = workspace.start(["lifecycle.save", ROLE], { cwd: workspace.root });
    // The waiter has its own draft beside the lock for as long as it waits.
    await waitFor(() => workspace.list("session/stateMachines").some((name) => name.endsWith(".tmp")));
    rmSync(workspace.path(LOCK));
    expect(await ended).toMatchObject({ code: 0 });
    expect(workspace.list("session/stateMachines")).toEqual(["oosh_expert.history.jsonl", "oosh_expert.states.env"]);
  });

  test.each([
    ["whose process is gone", () => lockOf(process.pid, { pid: endedPid(), started: "1" })],
    ["whose number another process has by now", () => lockOf(holder.child.pid ?? 0, { started: "1" })],
    ["from before the machine was started again", () => lockOf(holder.child.pid ?? 0, { boot: "another" })],
  ])("is taken over at once from an owner %s", (_what, lock) => {
    const workspace = saved();
    workspace.write(LOCK, lock());
    utimesSync(workspace.path(LOCK), 1, 1);
    workspace.write(`session/stateMachines/.oosh_expert.states.env.${endedPid()}-abc-1x.tmp`, "half");
    // Whoever waits for its end instead gives up with code 4.
    expect(workspace.context(`lifecycle.save ${ROLE}`)).toMatchObject({ code: 0, stderr: "" });
    expect(workspace.list("session/stateMachines")).toEqual(["oosh_expert.history.jsonl", "oosh_expert.states.env"]);
  });

  test("that says nobody's name is taken over after a minute, as is said, and doctor sees it", () => {
    const workspace = saved();
    workspace.write(LOCK, "");
    const ran = workspace.context(`lifecycle.save ${ROLE}`);
    expect(ran).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("\n  Try again in a minute: then it is taken over.\n"),
    });
    const minute = Date.now() / 1000 - 70;
    utimesSync(workspace.path(LOCK), minute, minute);
    expect(workspace.context("doctor").stdout).toContain(`stale-lock: ${LOCK}: `);
    expect(workspace.context(`lifecycle.save ${ROLE}`)).toMatchObject({ code: 0 });
    expect(workspace.exists(LOCK)).toBe(false);
  });

  test("is never taken from an owner on another machine", () => {
    const workspace = saved();
    workspace.write(LOCK, lockOf(process.pid, { pid: endedPid(), host: "elsewhere.invalid" }));
    const ran = workspace.context(`lifecycle.save ${ROLE}`);
    expect(ran.code).toBe(4);
    expect(ran.stderr).toContain("on elsewhere.invalid");
    expect(workspace.exists(LOCK)).toBe(true);
  });
});

describe("a folder that may not be written", () => {
  const run = (workspace: Workspace, words: string, input = "") =>
    runProgram(sharedLauncher(), ["-C", workspace.root, ...words.split(" ")], {
      cwd: "/",
      as: asOther,
      input,
      env: { HIVEMIND_ROLE: ROLE },
    });

  /** All may be read, nothing may be written. */
  function readOnly(workspace: Workspace): void {
    runProgram("chmod", ["-R", "a=rX", workspace.path("session")], { cwd: workspace.root });
  }

  test.each(["lifecycle.save", "lifecycle.init", "lifecycle.recover", "lifecycle.pre.compact"])(
    "stops %s with the path and the cause, and nothing is changed",
    (command) => {
      const workspace = saved();
      readOnly(workspace);
      const before = workspace.read(FILE);
      const ran = run(workspace, `${command} ${ROLE}`);
      expect(ran).toMatchObject({ code: 1, stdout: "" });
      expect(ran.stderr).toContain(`${LOCK} cannot be locked: permission denied`);
      expect(ran.stderr).toContain("Nothing was changed.");
      expect(workspace.read(FILE)).toBe(before);
    },
  );

  test("does not keep recover from printing, nor the hook from letting the client go on", () => {
    const workspace = saved();
    readOnly(workspace);
    const recovered = run(workspace, "recover oosh-expert");
    expect(recovered.code).toBe(1);
    expect(recovered.stdout).toContain(contextText().trimEnd());
    expect(recovered.stderr).toContain("permission denied");
    const hook = run(workspace, "pre-compact", "{}");
    expect(hook).toMatchObject({ code: 0, stdout: "{}\n" });
    expect(hook.stderr).toMatch(/^context: The state of oosh-expert was not changed: .*permission denied.*\n$/);
  });

  test("is read like any other: status, history, validation, and a recovery without a machine", () => {
    const workspace = saved();
    workspace.role("no-machine");
    readOnly(workspace);
    for (const words of ["lifecycle.status", "lifecycle.history oosh-expert", "validate.all", "recover no-machine"]) {
      expect(run(workspace, words)).toMatchObject({ code: 0 });
    }
    expect(run(workspace, "new other-role").stderr).toContain(
      "other-role.context.md cannot be written: permission denied",
    );
  });

  test("a state file that may not be read is not taken for none", () => {
    const workspace = saved();
    chmodSync(workspace.path(FILE), 0o000);
    chmodSync(workspace.path("session/stateMachines"), isRoot ? 0o777 : 0o755);
    const before = workspace.list("session/stateMachines");
    const ran = run(workspace, "lifecycle.save oosh-expert");
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(`${FILE} cannot be read: permission denied`);
    expect(workspace.list("session/stateMachines")).toEqual(before);
  });

  test("states are their owner's alone", () => {
    const workspace = saved();
    const modes = runProgram("stat", ["-c", "%a", "session/stateMachines", FILE], { cwd: workspace.root });
    expect(modes.stdout).toBe("700\n600\n");
  });
});

describe("a disk that is full", () => {
  /** Runs a command that may write files of so many blocks of 512 bytes: beyond that the system fails as a full disk does. */
  const limited = (workspace: Workspace, blocks: number, words: string) =>
    runProgram("sh", ["-c", `ulimit -f ${blocks}; exec ./context ${words}`], {
      cwd: workspace.root,
      env: { HIVEMIND_ROLE: ROLE },
    });

  test.each([0, 1])("leaves the state as it was, and says so (room for %d blocks)", (blocks) => {
    const workspace = saved();
    // Long enough that the state does not fit where the lock does.
    workspace.write(FILE, `# ${"x".repeat(600)}\n${workspace.read(FILE)}`);
    const before = workspace.read(FILE);
    const names = workspace.list("session/stateMachines");
    const ran = limited(workspace, blocks, `lifecycle.recover ${ROLE}`);
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toContain("(EFBIG)");
    expect(ran.stderr).toContain(
      "Nothing was changed. Raise the limit of a file's size (ulimit -f), and run it again.",
    );
    expect(workspace.read(FILE)).toBe(before);
    expect(workspace.list("session/stateMachines")).toEqual(names);
    // Nothing happened, so nothing is told to have happened.
    const history: unknown = JSON.parse(workspace.context(`lifecycle.history ${ROLE} --json`).stdout);
    expect(history).toMatchObject({ entries: [{ event: "SAVE" }, { event: "CONTEXT_VALID" }] });
    expect(limited(workspace, blocks, "pre-compact")).toMatchObject({ code: 0, stdout: "{}\n" });
    expect(workspace.context(`lifecycle.recover ${ROLE}`)).toMatchObject({ code: 0 });
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "active", REVISION: "3" });
  });

  test("is one by the system's own word, where a small one can be mounted", ({ skip }) => {
    const workspace = saved();
    const folder = workspace.path("session/stateMachines");
    const mounted = runProgram("mount", ["-t", "tmpfs", "-o", "size=64k,nr_inodes=40", "tmpfs", folder], { cwd: "/" });
    skip(mounted.code !== 0, "no file system may be mounted here");
    onTestFinished(() => {
      runProgram("umount", [folder], { cwd: "/" });
    });
    workspace.context(`lifecycle.init ${ROLE}`);
    const before = workspace.read(FILE);
    runProgram("sh", ["-c", 'cat /dev/zero > "$1/fill"', "sh", folder], { cwd: "/" });
    const ran = workspace.context(`lifecycle.save ${ROLE}`);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("no space left on the device");
    expect(ran.stderr).toContain("Nothing was changed. Free space on that disk, and run it again.\n");
    expect(workspace.read(FILE)).toBe(before);
    expect(workspace.context("pre-compact", { env: { HIVEMIND_ROLE: ROLE } })).toMatchObject({
      code: 0,
      stdout: "{}\n",
    });
    // What is to be written there and is not: each command says the same one thing to do.
    for (const words of [
      ["lifecycle.export", "--out"],
      ["report", "--out"],
    ]) {
      const { code, stderr } = workspace.context([...words, `${folder}/out`]);
      expect({ words, code, hint: stderr.split("\n")[1] }).toEqual({
        ...{ words, code: 1 },
        hint: "  Free space on that disk, and run it again.",
      });
    }
    const looked = workspace.context("doctor").stdout;
    expect(looked).toContain("fail folder-unwritable: session/stateMachines/: It is on a disk with 0 bytes left.\n");
    expect(looked).toContain("Free space on the disk of session/stateMachines/.\n");
    runProgram("rm", [`${folder}/fill`], { cwd: "/" });
    expect(workspace.context("doctor").stdout).not.toContain("folder-unwritable");
    expect(workspace.context(`lifecycle.save ${ROLE}`)).toMatchObject({ code: 0 });
    runProgram("sh", ["-c", 'cd "$1" && for i in $(seq 300); do : >"$i" || exit; done', "sh", folder], { cwd: "/" });
    expect(workspace.context(`lifecycle.save ${ROLE}`)).toMatchObject({ code: 1 });
    runProgram("rm", [`${folder}/1`], { cwd: "/" });
    const counted = workspace.context("doctor").stdout;
    expect(counted).toContain("session/stateMachines/: It is on a disk with room for 1 more file.\n");
    expect(counted).toContain("Delete files on the disk of session/stateMachines/.\n");
  });
});

test("a file that is mounted alone, as into a container, is told as such, and how it can be written", ({ skip }) => {
  const workspace = saved();
  const file = `session/agents/${ROLE}.context.md`;
  const other = workspace.write("other", contextText());
  skip(runProgram("mount", ["--bind", other, workspace.path(file)], { cwd: "/" }).code !== 0, "nothing may be mounted");
  onTestFinished(() => {
    runProgram("umount", [workspace.path(file)], { cwd: "/" });
  });
  const { code, stderr } = workspace.context(`new ${ROLE} --force`);
  expect(code).toBe(1);
  expect(stderr).toContain(`${file} cannot be written: it is a mount of its own, or in use (EBUSY).\n`);
  expect(stderr).toContain("  Mount the folder that holds it, not it alone, and run it again.\n");
});

test("what doctor says of a state that may not be read, or that a later version wrote, is what its commands say", () => {
  const workspace = saved();
  const look = (): string =>
    runProgram(sharedLauncher(), ["-C", workspace.root, "doctor"], { cwd: "/", as: asOther }).stdout;
  runProgram("chmod", ["-R", "a+rX", workspace.root], { cwd: "/" });
  workspace.setState(ROLE, { SCHEMA: "99" });
  expect(look()).toContain("      Update this program; the file is left as it is.\n");
  runProgram("chmod", ["0", workspace.path(FILE)], { cwd: "/" });
  expect(look()).toContain("      Give this user the rights to it, or take the link away, and run it again.\n");
});

describe("a place where no folder can be made", () => {
  test.skipIf(process.platform !== "linux")("is told, and neither a command nor a hook waits there for ever", () => {
    const workspace = makeWorkspace();
    workspace.role(ROLE);
    const env = { CONFIG_PATH: "/proc/x", HIVEMIND_ROLE: ROLE };
    for (const command of ["lifecycle.init", "lifecycle.save"]) {
      const { code, stderr } = workspace.context(`${command} ${ROLE}`, { env });
      expect({ command, code }).toEqual({ command, code: 1 });
      expect(stderr).toContain("/proc/x/stateMachines/oosh_expert.states.env.lock cannot be locked: no such file or");
      expect(stderr).toContain("Nothing was changed. Choose a place where folders can be made, and run it again.");
    }
    expect(workspace.context(`-C /proc/self new ${ROLE}`)).toMatchObject({ code: 1 });
    for (const hook of ["pre-compact", "session-start", "gate"]) {
      const input = '{"session_id":"abc","source":"startup","tool_name":"Read"}';
      expect(workspace.context(hook, { env, input })).toMatchObject({ code: 0 });
      expect(workspace.context(`-C /proc/self ${hook}`, { env, input })).toMatchObject({ code: 0 });
    }
  });

  test("is told by what is in the way, where that is a file", () => {
    const workspace = makeWorkspace();
    rmSync(workspace.path("session/agents"), { recursive: true });
    workspace.write("session/agents", "");
    expect(workspace.context(`new ${ROLE}`).stderr).toBe(
      `context: session/agents/${ROLE}.context.md cannot be written: a part of the path is not a folder (ENOTDIR).\n` +
        "  Take away what is in the way, and run it again.\n",
    );
  });
});

test("results that a full disk swallowed are not told to be done, except to a client that runs a hook", () => {
  const workspace = makeWorkspace();
  workspace.role(ROLE);
  workspace.context(`lifecycle.save ${ROLE}`);
  const full = (words: string) =>
    runProgram("sh", ["-c", `exec ./context ${words} > /dev/full`], { cwd: workspace.root, input: "{}" });
  for (const words of ["lifecycle.export", "lifecycle.status --json", `recover ${ROLE}`, "validate.all", "--help"]) {
    const { code, stderr } = full(words);
    expect({ words, code }).toEqual({ words, code: 1 });
    expect(stderr).toContain("context: Standard output cannot be written: no space left on the device (ENOSPC).\n");
  }
  // What is wrong anyway keeps its own code.
  expect(full("lifecycle.save --nonsense").code).toBe(2);
  for (const hook of ["pre-compact", "session-start", "gate"]) expect(full(hook).code).toBe(0);
  const closed = runProgram("sh", ["-c", "exec ./context lifecycle.status >&-"], { cwd: workspace.root });
  expect(closed).toMatchObject({ code: 0, stderr: "" });
});

test("a context file that others may not read is replaced by one of its rights", () => {
  const workspace = makeWorkspace();
  workspace.role(ROLE);
  const file = workspace.path(`session/agents/${ROLE}.context.md`);
  chmodSync(file, 0o600);
  expect(workspace.context(`new ${ROLE} --force`).code).toBe(0);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

function endedPid(): number {
  const ran = runProgram("sh", ["-c", "echo $$"], { cwd: "/" });
  return Number(ran.stdout);
}

async function waitFor(holds: () => boolean): Promise<void> {
  const end = performance.now() + 20_000;
  while (!holds()) {
    if (performance.now() > end) throw new Error("it never came to hold");
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

describe("a place for a result that may not be looked at", () => {
  test.each(["report", "lifecycle.export"])(
    "%s says that it cannot be read, not that another file is there",
    (command) => {
      const workspace = makeWorkspace();
      runProgram("chmod", ["a+rx", workspace.root], { cwd: "/" });
      workspace.write("theirs", "x");
      runProgram("chmod", ["0", workspace.path("theirs")], { cwd: "/" });
      const words = ["-C", workspace.root, command, "--out", workspace.path("theirs")];
      const ran = runProgram(sharedLauncher(), words, { cwd: "/", as: asOther });
      expect(ran).toMatchObject({ code: 1, stdout: "" });
      expect(ran.stderr).toContain("theirs cannot be read: permission denied (EACCES).");
      expect(ran.stderr).not.toContain("is there");
    },
  );
});

test.skipIf(!isRoot)(
  "what root saves in a project of another user, as by sudo or in a container, that one goes on with",
  () => {
    const workspace = makeWorkspace();
    workspace.role(ROLE);
    runProgram("chown", ["-R", `${asOther}:${asOther}`, workspace.root], { cwd: "/" });
    const project = ["-C", workspace.root];
    const run = (words: string, as?: number, input = ""): number | null =>
      runProgram(sharedLauncher(), [...project, ...words.split(" ")], {
        cwd: "/",
        as,
        input,
        env: { HIVEMIND_ROLE: ROLE },
      }).code;
    const payload = { session_id: "5e551041-0000-4000-8000-000000000001", cwd: workspace.root, trigger: "manual" };
    const compaction = JSON.stringify({ ...payload, hook_event_name: "PreCompact" });
    const start = JSON.stringify({ ...payload, hook_event_name: "SessionStart", source: "compact" });
    for (const as of [undefined, asOther, undefined, asOther]) {
      expect(run(`lifecycle.save ${ROLE} --take-over`, as)).toBe(0);
      expect(run("new tester --force", as)).toBe(0);
      expect(run("pre-compact", as, compaction)).toBe(0);
      expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "compacting" });
      expect(run("session-start --part 1/1", as, start)).toBe(0);
      expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "recovering" });
      expect(run(`recover ${ROLE}`, as)).toBe(0);
    }
    expect(run("lifecycle.status", asOther)).toBe(0);
    expect(run("init --yes")).toBe(0);
    const owned = runProgram("find", [workspace.root, "-user", "root", "!", "-path", "*/.cache/*"], { cwd: "/" });
    expect(owned.stdout).toBe("");
  },
);

test.skipIf(!isRoot)("what init rewrites stays with its group where the person is in it", () => {
  const workspace = makeWorkspace();
  const other = asOther ?? 0;
  const home = makeWorkspace().root;
  // The one that workspaces have may lie where nobody else comes.
  rmSync(workspace.path("context"));
  symlinkSync(sharedLauncher(), workspace.path("context"));
  const settings = workspace.write(".claude/settings.json", "{}\n");
  runProgram("chown", ["-R", `${other}:${other}`, workspace.root], { cwd: "/" });
  chmodSync(settings, 0o664);
  for (const groups of ["4321", `${other}`]) {
    chownSync(settings, other, 4321);
    const as = ["--reuid", `${other}`, "--regid", `${other}`, "--groups", groups];
    const ran = runProgram("setpriv", [...as, sharedLauncher(), "init", "--yes"], {
      cwd: workspace.root,
      env: { HOME: home },
    });
    expect(ran.code, ran.stderr).toBe(0);
    expect(workspace.read(".claude/settings.json")).toContain("session-start.sh");
    const { uid, gid, mode } = statSync(settings);
    expect([uid, gid, mode & 0o777]).toEqual([other, groups === "4321" ? 4321 : other, 0o664]);
    workspace.write(".claude/settings.json", "{}\n");
  }
});

test.skipIf(!isRoot)(
  "init needs no right to write in the project's own folder, where those that it writes in are there",
  () => {
    const workspace = makeWorkspace();
    const home = makeWorkspace().root;
    rmSync(workspace.path("context"));
    symlinkSync(sharedLauncher(), workspace.path("context"));
    workspace.write(".claude/settings.json", "{}\n");
    const other = `${asOther ?? 0}`;
    runProgram("chown", ["-R", `${other}:${other}`, workspace.path(".claude"), workspace.path("session")], {
      cwd: "/",
    });
    const ran = runProgram(sharedLauncher(), ["init", "--yes"], {
      cwd: workspace.root,
      env: { HOME: home },
      as: asOther,
    });
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(workspace.read(".claude/settings.json")).toContain("session-start.sh");
  },
);
