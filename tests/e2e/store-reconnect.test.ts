import { describe, expect, onTestFinished, test } from "vitest";
import { LAUNCHER } from "../helpers/program-under-test.ts";
import { keptServer, PASSWORD, REDIS_PROGRAM, redisMissing } from "../helpers/redis-server.ts";
import { runProgram, type Started } from "../helpers/run-program.ts";
import { HAS_TMUX } from "../helpers/tmux-server.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const ROLE = "oosh-expert";
const missing = redisMissing();

/** A network of its own, whose one link goes down and up: a server, a watcher, and a step while they do not reach each other. */
const LINK_DOWN = `
ip link set lo up
mkdir server; "$1" --port 6400 --dir server --save "" --daemonize yes --pidfile "$PWD/server/pid" >/dev/null
trap 'kill "$(cat server/pid)"' EXIT
until "$2" lifecycle.init tester >/dev/null 2>&1; do sleep 0.1; done
seen() { until grep -q "$1" out; do sleep 0.1; done; }
"$2" lifecycle.status --watch --json > out 2>&1 & watcher=$!
seen Watching
ip link set lo down
seen "trying again"
ip link set lo up
"$2" lifecycle.recover tester >/dev/null
seen RECOVERED
kill -INT $watcher; wait $watcher; test $? = 130 && cat out
`;
const hasNetworks: boolean = runProgram("unshare", ["-rn", "ip", "link", "set", "lo", "up"], { cwd: "/" }).code === 0;

type Server = Awaited<ReturnType<typeof keptServer>>;

interface Host extends Workspace {
  readonly run: (words: string, env?: Readonly<Record<string, string>>) => void;
}

function hostOf(server: Server): Host {
  const workspace = makeWorkspace();
  workspace.role(ROLE);
  const run: Host["run"] = (words, env = server.env) => {
    expect(workspace.context(words, { env }).code, words).toBe(0);
  };
  run(`lifecycle.init ${ROLE}`);
  return { ...workspace, run };
}

/** Waits until what the process has said on stderr holds something, so many times. */
function says(started: Started, text: string, times = 1): Promise<void> {
  let said = "";
  return new Promise((resolve) => {
    started.child.stderr?.on("data", (chunk) => {
      said += String(chunk);
      if (said.split(text).length > times) resolve();
    });
    started.child.once("exit", () => resolve());
  });
}

function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}

describe.skipIf(missing !== null)(`a server that is gone for a while${missing === null ? "" : `: ${missing}`}`, () => {
  test("is watched on: gone and back are said once each, and no transition is missing or told twice", async () => {
    const server = await keptServer();
    const host = hostOf(server);
    const start = (...words: readonly string[]) => host.start(words, { cwd: host.root, env: server.env });
    const json = start("lifecycle.status", "--watch", "--json");
    const lines = start("lifecycle.status", "--watch");
    await Promise.all([json, lines].map((started) => says(started, "Watching")));
    host.run(`lifecycle.save ${ROLE}`);
    const gone = [json, lines].map((started) => says(started, "trying again"));
    const back = [json, lines].map((started) => says(started, "is back after"));
    await server.kill();
    await Promise.all(gone);
    await server.elsewhere((env) => {
      for (const words of ["lifecycle.recover", "lifecycle.save", "lifecycle.recover"])
        host.run(`${words} ${ROLE}`, env);
    });
    await server.again();
    await Promise.all(back);
    let written = "";
    const done = new Promise<void>((resolve) =>
      json.child.stdout?.on("data", (chunk) => {
        written += String(chunk);
        if (written.includes('"revision":8,')) resolve();
      }),
    );
    host.run(`lifecycle.save ${ROLE}`);
    await done;
    for (const started of [json, lines]) started.child.kill("SIGINT");
    const [asJson, asLines] = await Promise.all([json.ended, lines.ended]);
    const seen = asJson.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
      .map(({ revision, event }) => `${revision} ${event}`);
    const save = (first: number) => [`${first} SAVE`, `${first + 1} CONTEXT_VALID`];
    expect(seen).toEqual([...save(1), "3 RECOVERED", ...save(4), "6 RECOVERED", ...save(7)]);
    for (const ran of [asJson, asLines]) {
      expect(ran.code).toBe(130);
      expect(countOf(ran.stderr, "; trying again for 10 min.\n")).toBe(1);
      expect(countOf(ran.stderr, `${server.shown} is back after `)).toBe(1);
    }
    expect(countOf(asLines.stdout, ": saving -> saved")).toBe(3);
  });

  test("is waited for on: a state that was passed through while nobody was connected counts", async () => {
    const server = await keptServer();
    const host = hostOf(server);
    const waiting = host.start(["lifecycle.wait", ROLE, "tester", "--any", "--for", "saved", "--timeout", "30s"], {
      cwd: host.root,
      env: server.env,
    });
    await says(waiting, "waiting for it");
    const gone = says(waiting, "trying again");
    await server.kill();
    await gone;
    await server.elsewhere((env) => {
      host.run(`lifecycle.save ${ROLE}`, env);
      host.run(`lifecycle.recover ${ROLE}`, env);
    });
    await server.again();
    const ran = await waiting.ended;
    expect(ran).toMatchObject({ code: 0, stdout: `${ROLE}: saved\n` });
    expect(ran.stderr).toMatch(
      /closed the connection[^\n]*; trying again for 10 min\.\n[^\n]* is back after [^\n]*\n$/,
    );
  });

  test("a machine that is not there any more when it is back is told as gone", async () => {
    const server = await keptServer();
    const host = hostOf(server);
    const watch = host.start(["lifecycle.status", "--watch", "--json"], { cwd: host.root, env: server.env });
    await says(watch, "Watching");
    const back = says(watch, "is back after");
    const gone = says(watch, "trying again");
    await server.kill();
    await gone;
    await server.againWith(PASSWORD);
    const line = new Promise<string>((resolve) => watch.child.stdout?.once("data", (chunk) => resolve(String(chunk))));
    await back;
    expect(JSON.parse(await line)).toMatchObject({ role: ROLE, from: "active", to: null });
    // Its feed begins anew as well: what comes now wakes the watcher.
    const next = new Promise<string>((resolve) => watch.child.stdout?.once("data", (chunk) => resolve(String(chunk))));
    host.run(`lifecycle.init ${ROLE}`);
    expect(JSON.parse(await next)).toMatchObject({ from: null, to: "active" });
    watch.child.kill("SIGINT");
    expect((await watch.ended).code).toBe(130);
  });

  test.each([
    ["0", /^Watching[^\n]*\ncontext: [^\n]* closed the connection[^\n]*\.\n {2}Try again/],
    ["1s", /; trying again for 1 s\.\ncontext: [^\n]* refuses the connection \(ECONNREFUSED\)\.\n {2}Try again/],
  ])("--reconnect %s: it ends with exit code 4 after that", async (time, message) => {
    const server = await keptServer();
    const host = hostOf(server);
    const words = ["lifecycle.status", "--watch", "--reconnect", time];
    const watch = host.start(words, { cwd: host.root, env: server.env });
    await says(watch, "Watching");
    await server.kill();
    const ran = await watch.ended;
    expect(ran.code).toBe(4);
    expect(ran.stderr).toMatch(message);
  });

  test("the time of lifecycle.wait goes on meanwhile, and what it ends with says that the states are not known", async () => {
    const server = await keptServer();
    const host = hostOf(server);
    const words = ["lifecycle.wait", "tester", "--for", "saved", "--timeout", "2s", "--json"];
    const waiting = host.start(words, { cwd: host.root, env: server.env });
    await says(waiting, "waiting for it");
    await server.kill();
    const ran = await waiting.ended;
    expect(ran.code).toBe(4);
    expect(JSON.parse(ran.stdout)).toMatchObject({ ok: false, error: { code: "store-unreachable" } });
    expect(ran.stdout).toContain("the states are not known");
  });

  test("one that comes back with another password is not tried on", async () => {
    const server = await keptServer();
    const host = hostOf(server);
    const watch = host.start(["lifecycle.status", "--watch"], { cwd: host.root, env: server.env });
    await says(watch, "Watching");
    const gone = says(watch, "trying again");
    await server.kill();
    await gone;
    await server.againWith("another");
    const ran = await watch.ended;
    expect(ran).toMatchObject({ code: 4, stderr: expect.stringContaining("WRONGPASS") });
    expect(ran.stderr).not.toContain(PASSWORD);
  });

  test("one that comes back with another password ends a wait as it does a command: to try again does not help", async () => {
    const server = await keptServer();
    const host = hostOf(server);
    const words = ["lifecycle.wait", "tester", "--for", "saved", "--timeout", "60s", "--json"];
    const waiting = host.start(words, { cwd: host.root, env: server.env });
    await says(waiting, "waiting for it");
    const gone = says(waiting, "trying again");
    await server.kill();
    await gone;
    await server.againWith("another");
    const ran = await waiting.ended;
    expect(ran.code).toBe(4);
    expect(JSON.parse(ran.stdout)).toMatchObject({ error: { code: "store-refused" } });
    expect(ran.stdout).not.toContain("Try again");
  });

  test("one that says nothing any more is noticed, and one that wakes is there again", async () => {
    const server = await keptServer();
    const host = hostOf(server);
    const watch = host.start(["lifecycle.status", "--watch", "--json"], { cwd: host.root, env: server.env });
    await says(watch, "Watching");
    const gone = says(watch, "does not answer within 7000 ms; trying again");
    const back = says(watch, "is back after");
    server.pause();
    await gone;
    server.resume();
    await back;
    host.run(`lifecycle.save ${ROLE}`);
    watch.child.kill("SIGTERM");
    expect((await watch.ended).code).toBe(143);
  });

  test.skipIf(!hasNetworks)("a network that is down and up again costs no transition either", () => {
    const workspace = makeWorkspace();
    const ran = runProgram("unshare", ["-rn", "sh", "-c", LINK_DOWN, "sh", REDIS_PROGRAM, LAUNCHER], {
      cwd: workspace.root,
      env: { CONTEXT_STORE: "redis://127.0.0.1:6400", CONTEXT_STORE_PREFIX: "kept" },
    });
    expect(ran.stdout).toMatch(
      /^Watching[^\n]*\n[^\n]* does not answer within 7000 ms; trying again[^\n]*\n[^\n]* is back after [^\n]*\n\{[^\n]*"event":"RECOVERED","revision":1,[^\n]*\n$/,
    );
    expect(ran.code).toBe(0);
  });

  test("Ctrl-C ends it at once, also while it tries to connect", async () => {
    const server = await keptServer();
    const host = hostOf(server);
    const watch = host.start(["lifecycle.status", "--watch"], { cwd: host.root, env: server.env });
    await says(watch, "Watching");
    const gone = says(watch, "trying again");
    await server.kill();
    await gone;
    watch.child.kill("SIGINT");
    expect(await watch.ended).toMatchObject({ code: 130 });
  });

  test.each([
    ["--reconnect 5m", "--reconnect is for --watch"],
    ["--watch --reconnect never", "--reconnect: expected a time"],
  ])("%s is a mistake", (words, message) => {
    const workspace = makeWorkspace();
    const ran = workspace.context(`lifecycle.status ${words}`);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  test.skipIf(!HAS_TMUX)("on a terminal the last line says it, and the table stays", async () => {
    const server = await keptServer();
    const host = hostOf(server);
    const socket = host.path("tmux.socket");
    const tmux = (...words: readonly string[]): string =>
      runProgram("tmux", ["-S", socket, "-f", "/dev/null", ...words], { cwd: host.root, env: server.env }).stdout;
    onTestFinished(() => void runProgram("tmux", ["-S", socket, "kill-server"], { cwd: "/" }));
    tmux("new-session", "-d", "-x", "120", "-y", "20", `'${LAUNCHER}' lifecycle.status --watch; sleep 60`);
    const screen = (): string => tmux("capture-pane", "-p");
    const until = async (pattern: RegExp): Promise<void> => {
      while (!pattern.test(screen())) await new Promise((resolve) => setTimeout(resolve, 50));
    };
    await until(/^q quits$/m);
    await server.kill();
    await until(/^q quits; \d\d:\d\d:\d\dZ [^\n]*; trying again for 10 min\.$/m);
    expect(screen()).toMatch(/^oosh-expert +active/m);
    await server.again();
    await until(/^q quits; \d\d:\d\d:\d\dZ [^\n]* is back after /m);
    host.run(`lifecycle.save ${ROLE}`);
    await until(/^oosh-expert +saved/m);
    await until(/^q quits$/m);
  });
});
