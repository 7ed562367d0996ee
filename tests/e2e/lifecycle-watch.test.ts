import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { LAUNCHER, PROGRAM_ROOT } from "../helpers/program-under-test.ts";
import { runProgram, startProgram } from "../helpers/run-program.ts";
import { HAS_TMUX } from "../helpers/tmux-server.ts";
import { machineFile, makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const TRANSITION = z.fromJSONSchema(
  JSON.parse(readFileSync(join(PROGRAM_ROOT, "schemas", "lifecycle_transition_v1.json"), "utf8")),
);

function project(): Workspace {
  const workspace = makeWorkspace();
  for (const role of ["tester", "web-one"]) workspace.role(role);
  workspace.context("lifecycle.init tester");
  return workspace;
}

/** Starts to watch; settles once it does. */
async function watching(workspace: Workspace, ...words: readonly string[]) {
  const started = workspace.start(["lifecycle.status", "--watch", ...words]);
  let said = "";
  await new Promise<void>((resolve) => {
    started.child.stderr?.on("data", (chunk) => {
      said += String(chunk);
      if (said.includes("Watching")) resolve();
    });
    started.child.once("exit", () => resolve());
  });
  return started;
}

/** Waits until something is so; a test that waits in vain runs into its time limit. */
async function until(check: () => boolean): Promise<void> {
  while (!check()) await new Promise((resolve) => setTimeout(resolve, 30));
}

describe("lifecycle.status --watch, off a terminal", () => {
  test("prints the table once, then a line a transition, with nothing that only a terminal takes", async () => {
    const workspace = project();
    const { child, ended } = await watching(workspace);
    let out = "";
    child.stdout?.on("data", (chunk) => {
      out += String(chunk);
    });
    workspace.context("lifecycle.save tester");
    workspace.context("lifecycle.save web-one");
    await until(() => out.includes("web-one: saving -> saved"));
    child.kill("SIGINT");
    const ran = await ended;
    expect(ran.code).toBe(130);
    expect(ran.stdout).not.toContain("\u001B");
    const [header, row, ...lines] = ran.stdout.trimEnd().split("\n");
    expect(header).toMatch(/^ROLE/);
    expect(row).toMatch(/^tester +active/);
    const time = /^\d{4}-[^ ]+Z {2}/;
    expect(lines.map((line) => line.replace(time, ""))).toEqual([
      "tester: active -> saving  SAVE by lifecycle.save  revision 1",
      "tester: saving -> saved  CONTEXT_VALID by lifecycle.save  revision 2",
      "web-one: active (its machine is new)  revision 0",
      "web-one: active -> saving  SAVE by lifecycle.save  revision 1",
      "web-one: saving -> saved  CONTEXT_VALID by lifecycle.save  revision 2",
    ]);
  });

  test("--json is one line a transition, as the shipped schema says, and nothing else", async () => {
    const workspace = project();
    const { child, ended } = await watching(workspace, "--json", "--filter", "role=tester");
    let out = "";
    child.stdout?.on("data", (chunk) => {
      out += String(chunk);
    });
    workspace.context("lifecycle.save web-one");
    workspace.context("lifecycle.save tester");
    workspace.context(`lifecycle.recover tester`, { env: { CLAUDE_CODE_SESSION_ID: "abc" } });
    await until(() => out.split("\n").length > 3);
    child.kill("SIGTERM");
    const ran = await ended;
    expect(ran.code).toBe(143);
    const lines = ran.stdout.trimEnd().split("\n");
    const values = lines.map((line) => TRANSITION.parse(JSON.parse(line)));
    expect(values).toMatchObject([
      { role: "tester", from: "active", to: "saving", event: "SAVE", revision: 1 },
      { role: "tester", from: "saving", to: "saved", event: "CONTEXT_VALID", revision: 2 },
      { role: "tester", from: "saved", to: "active", event: "RECOVERED", revision: 3, session_id: "abc" },
    ]);
    expect(TRANSITION.safeParse({ ...JSON.parse(lines[0] ?? ""), revision: "1" }).success).toBe(false);
  });

  test("says that the project's folder is gone, and goes on with the one that comes in its place", async () => {
    const workspace = project();
    const { child, ended } = await watching(workspace);
    let said = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk) => {
        said += String(chunk);
      });
    }
    rmSync(workspace.root, { recursive: true });
    await until(() => said.includes(`The folder ${workspace.root} is gone; watching for another one in its place.`));
    workspace.role("tester");
    await until(() => said.includes(`The folder ${workspace.root} is there again.`));
    runProgram(LAUNCHER, ["-C", workspace.root, "lifecycle.init", "tester"], { cwd: tmpdir() });
    await until(() => said.includes("tester: active (its machine is new)"));
    child.kill("SIGINT");
    const ran = await ended;
    expect(ran.stdout).toContain("\ntester: active -> gone ");
    expect(ran.stderr.match(/The folder/g)).toHaveLength(2);
  });

  test("ends where nobody reads any more", async () => {
    const workspace = project();
    const line = "./context lifecycle.status --watch --json -q | head -n 1";
    const { ended } = startProgram("sh", ["-c", line], { cwd: workspace.root });
    const timer = setInterval(() => workspace.context("lifecycle.save tester"), 300);
    const piped = await ended.finally(() => clearInterval(timer));
    expect(piped).toMatchObject({ code: 0, stderr: "" });
    expect(piped.stdout.split("\n")).toHaveLength(2);
  });

  test("refuses what it cannot do, before anything is written", () => {
    const workspace = project();
    for (const words of [
      "--watch --filter state=savd",
      "--watch --unsaved",
      "--watch A-B",
      "--watch --new",
      "a b --watch",
    ]) {
      const ran = workspace.context(`lifecycle.status ${words}`);
      expect(ran).toMatchObject({ code: 2, stdout: "" });
      const [line = "", ...more] = workspace.context(`lifecycle.status --json ${words}`).stdout.split("\n");
      expect(more).toEqual([""]);
      expect(JSON.parse(line)).toMatchObject({ ok: false, error: { code: "usage" } });
    }
  });
});

describe.skipIf(!HAS_TMUX)("lifecycle.status --watch, on a terminal", () => {
  /** A terminal of the test's own, with a shell in the project. */
  function terminal(workspace: Workspace) {
    const socket = workspace.path("tmux.socket");
    const tmux = (...words: readonly string[]): string =>
      runProgram("tmux", ["-S", socket, "-f", "/dev/null", ...words], { cwd: workspace.root, env: { PS1: "$ " } })
        .stdout;
    onTestFinished(() => {
      runProgram("tmux", ["-S", socket, "kill-server"], { cwd: "/" });
    });
    tmux("new-session", "-d", "-s", "w", "-x", "100", "-y", "10", "sh");
    return {
      type: (line: string) => tmux("send-keys", "-t", "w", line, "Enter"),
      key: (key: string) => tmux("send-keys", "-t", "w", key),
      resize: (columns: number, rows: number) => tmux("resize-window", "-t", "w", "-x", `${columns}`, "-y", `${rows}`),
      shown: () => tmux("capture-pane", "-p", "-t", "w"),
      flags: () => tmux("display-message", "-p", "-t", "w", "#{alternate_on} #{cursor_flag}").trim(),
    };
  }

  const WATCH = `'${LAUNCHER}' lifecycle.status --watch; echo "code $?"; stty -a | tr ' ' '\\n' | grep -xE -- '-?(icanon|echo|isig);?' | tr '\\n' ' '`;
  const WHOLE = /isig icanon echo/;

  test.each<[string, (screen: ReturnType<typeof terminal>, workspace: Workspace) => void, number]>([
    ["q", ({ key }) => key("q"), 0],
    ["Ctrl-C", ({ key }) => key("C-c"), 130],
    [
      "SIGTERM",
      (_terminal, workspace) => void runProgram("sh", ["-c", `kill $(cat pid)`], { cwd: workspace.root }),
      143,
    ],
  ])("redraws on change, and leaves the terminal whole by %s", async (_name, end, code) => {
    const workspace = project();
    const screen = terminal(workspace);
    // The launcher and the shell in front of it are replaced by Node: the number is the program's own.
    screen.type(
      `sh -c 'echo $$ > pid; exec "$0" lifecycle.status --watch' '${LAUNCHER}'; ${WATCH.slice(WATCH.indexOf("echo"))}`,
    );
    await until(() => /^tester +active/m.test(screen.shown()));
    expect(screen.flags()).toBe("1 0");
    workspace.context("lifecycle.save tester");
    await until(() => /^tester +saved/m.test(screen.shown()));
    workspace.role("tester", "# Nothing\n");
    await until(() => /^tester +saved .* error/m.test(screen.shown()));
    end(screen, workspace);
    await until(() => screen.shown().includes("echo ") && screen.shown().includes("code ") && screen.flags() === "0 1");
    await until(() => WHOLE.test(screen.shown()));
    expect(screen.shown()).toContain(`code ${code}\n`);
    expect(screen.shown()).not.toMatch(/^tester +saved/m);
  });

  test("follows the terminal's size, and says what is below it", async () => {
    const workspace = project();
    for (const role of ["a", "b", "c", "d", "e", "f"]) workspace.context(`lifecycle.init ${role}`);
    const screen = terminal(workspace);
    screen.type(WATCH);
    await until(() => /^tester +active/m.test(screen.shown()));
    screen.resize(40, 5);
    await until(() => /^q quits; \d+ more lines below/m.test(screen.shown()));
    expect(screen.shown().trimEnd().split("\n")).toHaveLength(5);
    screen.resize(100, 30);
    await until(() => /^q quits$/m.test(screen.shown()));
    expect(screen.shown()).toMatch(/^tester +active/m);
    screen.key("q");
    await until(() => screen.flags() === "0 1");
  });

  test("shows a fleet that comes, and one whose state is broken", async () => {
    const workspace = makeWorkspace();
    const screen = terminal(workspace);
    screen.type(WATCH);
    await until(() => screen.shown().includes("No role has a machine yet."));
    workspace.context("lifecycle.init tester");
    await until(() => /^tester +active/m.test(screen.shown()));
    workspace.write(machineFile("tester"), "rubbish");
    await until(() => /^tester +unreadable/m.test(screen.shown()));
    screen.key("q");
    await until(() => screen.flags() === "0 1");
  });
});
