import { createServer, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { COMMANDS } from "../../src/cli/command-table.ts";
import { commit, git } from "../helpers/git-repository.ts";
import { freePort, PASSWORD, redisMissing, startRedis, useRedis } from "../helpers/redis-server.ts";
import { MACHINES, makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const ROLE = "oosh-expert";
const PAYLOAD = JSON.stringify({ session_id: "b9ff7b48-ef86", hook_event_name: "PreCompact", trigger: "auto" });
const START = JSON.stringify({ session_id: "b9ff7b48-ef86", hook_event_name: "SessionStart", source: "compact" });
const NOTES = "session/.cache/pending-transitions";
const missing = redisMissing();
let prefixes = 0;

interface Host extends Workspace {
  /** Runs a command, or with a payload a hook, against the store. */
  readonly run: (
    words: string,
    input?: string,
    more?: Readonly<Record<string, string>>,
  ) => ReturnType<Workspace["context"]>;
}

function hostOf(url: string, prefix: string): Host {
  const workspace = makeWorkspace();
  workspace.role(ROLE);
  const env = { CONTEXT_STORE: url, CONTEXT_STORE_PREFIX: prefix };
  return {
    ...workspace,
    run: (words, input, more = {}) =>
      workspace.context(words, {
        env: { ...env, ...(input === undefined ? {} : { HIVEMIND_ROLE: ROLE }), ...more },
        ...(input === undefined ? {} : { input }),
      }),
  };
}

const states = (text: string): readonly string[] =>
  JSON.parse(text).entries.map(({ from, to }: { from: string; to: string }) => `${from}-${to}`);

/** A server that takes connections and does with them what a test wants. */
async function badServer(serve: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return `redis://:${PASSWORD}@127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

describe.skipIf(missing !== null)(`two hosts and a server${missing === null ? "" : `: ${missing}`}`, () => {
  const server = useRedis();
  const pair = (): readonly [Host, Host] => {
    const prefix = `e2e-${prefixes++}`;
    return [hostOf(server().url, prefix), hostOf(server().url, prefix)];
  };

  test("see each other's roles, and no env file is written", () => {
    const [a, b] = pair();
    expect(a.run(`lifecycle.save ${ROLE}`)).toMatchObject({ code: 0, stderr: expect.stringContaining("created") });
    expect(b.run("lifecycle.status").stdout).toMatch(/oosh-expert +saved /);
    expect(b.run("lifecycle.status --brief").stdout).toMatch(/oosh-expert +saved /);
    expect(b.run(`lifecycle.graph ${ROLE}`).stdout).toContain("saved");
    expect(b.run(`lifecycle.repair ${ROLE}`).stdout).toBe(`${ROLE}: saved. It is not stuck; nothing is changed.\n`);
    expect(b.run(`lifecycle.recover ${ROLE}`).code).toBe(0);
    const history = a.run(`lifecycle.history ${ROLE} --json`);
    expect(history.code).toBe(0);
    expect(states(history.stdout)).toEqual(["active-saving", "saving-saved", "saved-active"]);
    expect(
      JSON.parse(a.run(`lifecycle.graph ${ROLE} --gantt --json`).stdout).roles[0].intervals.length,
    ).toBeGreaterThan(0);
    expect(b.run("report --out -").stdout).toContain(ROLE);
    for (const host of [a, b]) expect(host.list(MACHINES)).toEqual([]);
  });

  test("env files that lie there from before are not read", () => {
    const [a] = pair();
    a.context(`lifecycle.save ${ROLE}`);
    expect(a.list(MACHINES)).not.toEqual([]);
    expect(a.run("lifecycle.status").stdout).toBe("No role has a machine yet.\n");
    expect(a.context("lifecycle.status", { env: { CONTEXT_STORE: "files" } }).stdout).toMatch(/saved/);
  });

  test("a clone has the same machines as its origin without being told so, and another project does not", () => {
    const [a, b] = pair();
    git(a.root, "init", "--quiet");
    commit(a.root, "one");
    git(a.root, "clone", "--quiet", a.root, b.path("clone"));
    const env = { CONTEXT_STORE: server().url };
    expect(a.context(`lifecycle.init ${ROLE}`, { env }).code).toBe(0);
    expect(b.context(["lifecycle.status", "--root", b.path("clone")], { env }).stdout).toContain("active");
    const [c] = pair();
    git(c.root, "init", "--quiet");
    commit(c.root, "another");
    expect(c.context("lifecycle.status", { env }).stdout).toBe("No role has a machine yet.\n");
    const [d] = pair();
    const nowhere = d.context("lifecycle.status", { env });
    expect(nowhere).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("store: { prefix:") });
    d.write("context.yaml", "store:\n  prefix: named\n");
    expect(d.context("lifecycle.status", { env }).code).toBe(0);
  });

  test("one waits for what the other does", async () => {
    const [a, b] = pair();
    const env = { CONTEXT_STORE: server().url, CONTEXT_STORE_PREFIX: `e2e-${prefixes - 1}` };
    const waiting = b.start(["lifecycle.wait", ROLE, "--for", "compacting", "--timeout", "30s"], { cwd: b.root, env });
    await new Promise<void>((resolve) => waiting.child.stderr?.once("data", () => resolve()));
    const hook = a.start(["pre-compact"], { cwd: a.root, env: { ...env, HIVEMIND_ROLE: ROLE } });
    hook.child.stdin?.end(PAYLOAD);
    expect(await hook.ended).toMatchObject({ code: 0, stdout: "{}\n", stderr: "" });
    expect(await waiting.ended).toMatchObject({ code: 0, stdout: `${ROLE}: compacting\n` });
  });

  test("one watches what the other does, a line a transition", async () => {
    const [a, b] = pair();
    const env = { CONTEXT_STORE: server().url, CONTEXT_STORE_PREFIX: `e2e-${prefixes - 1}` };
    a.run(`lifecycle.init ${ROLE}`);
    const watching = b.start(["lifecycle.status", "--watch", "--json"], { cwd: b.root, env });
    await new Promise<void>((resolve) =>
      watching.child.stderr?.on("data", (text) => /Watching/.test(text) && resolve()),
    );
    const lines: string[] = [];
    const seen = new Promise<void>((resolve) =>
      watching.child.stdout?.on("data", (text: string) => {
        lines.push(...text.trimEnd().split("\n"));
        if (lines.length >= 3) resolve();
      }),
    );
    for (const words of [`lifecycle.save ${ROLE}`, `lifecycle.recover ${ROLE}`]) {
      expect(await a.start(words.split(" "), { cwd: a.root, env }).ended).toMatchObject({ code: 0 });
    }
    await seen;
    watching.child.kill("SIGINT");
    expect((await watching.ended).code).toBe(130);
    expect(lines.map((line) => JSON.parse(line).to)).toEqual(["saving", "saved", "active"]);
  });

  test("the password is in nothing that is said, whatever goes wrong", () => {
    const [a] = pair();
    const { port, url } = server();
    const wrong = [
      url.replace(PASSWORD, `${PASSWORD}x`),
      `redis://user:${PASSWORD}@127.0.0.1:${port}/9999`,
      `http://:${PASSWORD}@127.0.0.1`,
      `redis://:${PASSWORD}@`,
      `redis://:${PASSWORD}@127.0.0.1:${port}/name`,
      PASSWORD,
    ];
    for (const store of wrong) {
      for (const words of [
        "lifecycle.status",
        "lifecycle.status --json",
        "doctor",
        "validate.all",
        `recover ${ROLE}`,
      ]) {
        const ran = a.run(words, undefined, { CONTEXT_STORE: store });
        expect(ran.stdout + ran.stderr, words).not.toContain(PASSWORD);
        if (words === "lifecycle.status") expect([2, 4]).toContain(ran.code);
      }
    }
  });

  test("the session-start document says the state that the store has", () => {
    const [a, b] = pair();
    a.run(`lifecycle.save ${ROLE}`);
    const ran = b.run("session-start", JSON.stringify({ session_id: "s", source: "startup" }));
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout).hookSpecificOutput.additionalContext).toContain("saved");
  });
});

describe.skipIf(missing !== null)("a server that is lost", () => {
  test("does not stop a hook: what it would have done is told later, in order, once", async () => {
    const port = await freePort();
    const host = hostOf(`redis://:${PASSWORD}@127.0.0.1:${port}`, "later");
    const down = host.run("pre-compact", PAYLOAD);
    expect(down).toMatchObject({ code: 0, stdout: "{}\n" });
    expect(down.stderr).toMatch(/^context: redis:\/\/127\.0\.0\.1:\d+ refuses the connection .* is noted[^\n]*\n$/);
    const started = host.run("session-start", START);
    expect(started.code).toBe(0);
    expect(host.list(NOTES)).toHaveLength(2);
    expect(host.list(MACHINES)).toEqual([]);
    expect(host.run(`lifecycle.save ${ROLE}`)).toMatchObject({ code: 4, stdout: "" });
    expect(host.list(NOTES)).toHaveLength(2);
    // What a process that was killed behind the write and before the removal leaves.
    const kept = host.list(NOTES).map((name) => [name, host.read(`${NOTES}/${name}`)] as const);

    const redis = await startRedis(port);
    onTestFinished(redis.stop);
    const history = host.run(`lifecycle.history ${ROLE} --json`);
    expect(history.stderr).toContain("2 steps that had been noted are told to the store.");
    const way = ["active-saving", "saving-saved", "saved-compacting", "compacting-recovering"];
    expect(states(history.stdout)).toEqual(way);
    expect(history.stdout).toContain("pre-compact (noted)");
    expect(host.list(NOTES)).toEqual([]);
    const status = JSON.parse(host.run("lifecycle.status --json").stdout).roles[0];
    expect(status).toMatchObject({ state: "recovering", compactions: 1, owner: { session_id: "b9ff7b48-ef86" } });

    for (const [name, text] of kept) host.write(`${NOTES}/${name}`, text);
    expect(states(host.run(`lifecycle.history ${ROLE} --json`).stdout)).toEqual(way);
    expect(host.list(NOTES)).toEqual([]);
  });

  test("a note that is none is set aside, and holds up no other", async () => {
    const redis = await startRedis();
    onTestFinished(redis.stop);
    const host = hostOf(redis.url, "broken");
    host.write(`${NOTES}/000000000000001-a.json`, '{"version":1,"role":"../x"}');
    expect(host.run("lifecycle.status").stderr).toContain("is no step that was noted");
    expect(host.list(NOTES)).toEqual([expect.stringContaining(".corrupt-")]);
  });

  test("notes of a role whose machine cannot be read wait for it, and hold up no other role's", async () => {
    const port = await freePort();
    const host = hostOf(`redis://:${PASSWORD}@127.0.0.1:${port}`, "waits");
    host.role("aa-first");
    for (const HIVEMIND_ROLE of ["aa-first", ROLE]) host.run("session-start", START, { HIVEMIND_ROLE });
    const redis = await startRedis(port);
    onTestFinished(redis.stop);
    await redis.ask("HSET", "context:{waits}:machines", "aa_first", "STATE_SCHEMA=99\n");
    const told = host.run(`lifecycle.history ${ROLE} --json`);
    expect(told.stderr).toMatch(/What was noted for aa-first waits on: .*aa_first/);
    expect(states(told.stdout)).toEqual(["active-recovering"]);
    expect(host.list(NOTES)).toHaveLength(1);
    await redis.ask("HDEL", "context:{waits}:machines", "aa_first");
    expect(states(host.run("lifecycle.history aa-first --json").stdout)).toEqual(["active-recovering"]);
    expect(host.list(NOTES)).toEqual([]);
  });

  test("that does not answer is given up: a command says so, a hook goes on", async () => {
    const redis = await startRedis();
    onTestFinished(redis.stop);
    const host = hostOf(redis.url, "slow");
    host.run(`lifecycle.init ${ROLE}`);
    redis.pause();
    expect(host.run("lifecycle.status")).toMatchObject({
      code: 4,
      stdout: "",
      stderr: expect.stringContaining("in within 2000 ms"),
    });
    const hook = host.run("pre-compact", PAYLOAD);
    expect(hook).toMatchObject({ code: 0, stdout: "{}\n", stderr: expect.stringContaining("noted") });
    redis.resume();
    expect(host.run("lifecycle.status").stdout).toContain("compacting");
  });

  test.each([
    ["closes each connection", (socket: Socket) => socket.destroy()],
    ["says nothing", () => undefined],
    ["speaks another protocol", (socket: Socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")],
    [
      "answers with a list longer than any",
      (socket: Socket) => socket.on("data", () => socket.write("*99999999999\r\n")),
    ],
    // The library throws on this one in a place of its own, which would end the process.
    ["pushes nothing", (socket: Socket) => socket.on("data", () => socket.write(">1\r\n_\r\n"))],
    ["answers with endless bytes", (socket: Socket) => socket.on("data", () => socket.write(Buffer.alloc(65_536, 43)))],
  ])("one that %s is an error of a command, and no fault", async (_what, serve) => {
    const url = await badServer(serve);
    const host = hostOf(url, "bad");
    const env = { CONTEXT_STORE: url, CONTEXT_STORE_PREFIX: "bad", HIVEMIND_ROLE: ROLE };
    const ran = await host.start(["lifecycle.status"], { cwd: host.root, env }).ended;
    expect(ran).toMatchObject({ code: 4, stdout: "" });
    expect(ran.stderr).toMatch(/^context: redis:\/\/127\.0\.0\.1:\d+ .*\n {2}Try again/);
    const hook = host.start(["pre-compact"], { cwd: host.root, env });
    hook.child.stdin?.end(PAYLOAD);
    expect(await hook.ended).toMatchObject({ code: 0, stdout: "{}\n", stderr: expect.stringContaining("noted") });
  });
});

describe("without a server", () => {
  test("what can be told without the machines is told, with a line about the rest", async () => {
    const host = hostOf(`redis://127.0.0.1:${await freePort()}`, "none");
    expect(host.run("validate.all")).toMatchObject({ code: 0, stderr: expect.stringContaining("is left out") });
    const recovered = host.run(`recover ${ROLE}`);
    expect(recovered.code).toBe(4);
    expect(recovered.stdout).toContain(ROLE);
    expect(host.run("skills")).toMatchObject({ code: 0, stdout: "No skills found.\n" });
  });

  const asking = COMMANDS.filter(({ name }) => name.startsWith("lifecycle.")).map(
    ({ name, arguments: named }) => `${name}${named.length === 0 ? "" : ` ${ROLE}`}`,
  );
  test.each(asking)("%s asks for it, and says that it is not there", async (words) => {
    const host = hostOf(`redis://127.0.0.1:${await freePort()}`, "none");
    const { code, stderr } = host.run(words, "");
    expect({ code, why: stderr.match(/^context: redis:.* refuses the connection .*$/m) }).toEqual({
      code: 4,
      why: expect.anything(),
    });
  });
});
