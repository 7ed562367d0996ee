import { describe, expect, onTestFinished, test } from "vitest";
import { type Certificates, makeCertificates, tlsWords } from "../helpers/certificates.ts";
import { inTime } from "../helpers/in-time.ts";
import { freePort, PASSWORD, redisMissing, startRedis } from "../helpers/redis-server.ts";
import { runProgram } from "../helpers/run-program.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const ROLE = "oosh-expert";
const PAYLOAD = JSON.stringify({ session_id: "b9ff7b48-ef86", hook_event_name: "PreCompact", trigger: "auto" });
const missing = redisMissing();

function certificates(name?: string): Certificates {
  const made = makeCertificates(name);
  onTestFinished(made.remove);
  return made;
}

async function tlsServer(made: Certificates, clients: "yes" | "no" = "no"): Promise<number> {
  const port = await freePort();
  const redis = await startRedis(port, tlsWords(port, made, clients));
  onTestFinished(redis.stop);
  return port;
}

interface Runner {
  readonly workspace: Workspace;
  readonly run: (words: string, more?: Readonly<Record<string, string>>) => ReturnType<Workspace["context"]>;
}

function runner(store: string, env: Readonly<Record<string, string>> = {}): Runner {
  const workspace = makeWorkspace();
  workspace.role(ROLE);
  const all = { CONTEXT_STORE: store, CONTEXT_STORE_PREFIX: "access", ...env };
  return { workspace, run: (words, more = {}) => workspace.context(words, { env: { ...all, ...more } }) };
}

describe.skipIf(missing !== null)(`an encrypted server${missing === null ? "" : `: ${missing}`}`, () => {
  test("is reached where its authority is named, by a command and by an installed hook script", async () => {
    const made = certificates();
    const port = await tlsServer(made);
    const { workspace, run } = runner(`rediss://:${PASSWORD}@127.0.0.1:${port}`, { CONTEXT_STORE_CA: made.ca });
    expect(run(`lifecycle.save ${ROLE}`).code).toBe(0);
    expect(run("lifecycle.status", { CONTEXT_STORE: `valkeys://:${PASSWORD}@localhost:${port}` }).stdout).toContain(
      "saved",
    );
    expect(run("init --yes").code).toBe(0);
    const hook = inTime(() =>
      runProgram("sh", [workspace.path(".claude/hooks/pre-compact.sh")], {
        cwd: "/",
        env: {
          CONTEXT_STORE: `rediss://:${PASSWORD}@127.0.0.1:${port}`,
          CONTEXT_STORE_PREFIX: "access",
          CONTEXT_STORE_CA: made.ca,
          HIVEMIND_ROLE: ROLE,
        },
        input: PAYLOAD,
      }),
    );
    expect(hook).toMatchObject({ code: 0, stdout: "{}\n", stderr: "" });
    expect(run("lifecycle.status").stdout).toContain("compacting");
  });

  test.each<[string, (made: Certificates) => Record<string, string>, string | undefined, RegExp]>([
    ["whom nobody vouches for", () => ({}), undefined, /shows a certificate that is signed by nobody who is trusted/],
    [
      "whom a warning in the environment lets pass",
      () => ({ NODE_TLS_REJECT_UNAUTHORIZED: "0" }),
      undefined,
      /signed by nobody/,
    ],
    [
      "that another authority vouches for",
      () => ({ CONTEXT_STORE_CA: certificates().ca }),
      undefined,
      /shows a certificate that|does not agree on TLS/,
    ],
    ["of another name", ({ ca }) => ({ CONTEXT_STORE_CA: ca }), "DNS:elsewhere", /is for another name than this one/],
  ])("%s is not told the password", async (_who, env, name, message) => {
    const made = certificates(name);
    const port = await tlsServer(made);
    const { run } = runner(`rediss://:${PASSWORD}@127.0.0.1:${port}`, env(made));
    const ran = run("lifecycle.status");
    expect(ran).toMatchObject({ code: 4, stdout: "", stderr: expect.stringMatching(message) });
    expect(ran.stderr).not.toContain(PASSWORD);
    const hook = inTime(() => run("pre-compact", { HIVEMIND_ROLE: ROLE }));
    expect(hook).toMatchObject({ code: 0, stdout: "{}\n", stderr: expect.stringMatching(message) });
    expect(hook.stderr).not.toContain(PASSWORD);
  });

  test("that wants a certificate of its clients gets the one that is named", async () => {
    const made = certificates();
    const port = await tlsServer(made, "yes");
    const { run } = runner(`rediss://:${PASSWORD}@127.0.0.1:${port}`, { CONTEXT_STORE_CA: made.ca });
    expect(run("lifecycle.status")).toMatchObject({ code: 4, stdout: "" });
    const own = { CONTEXT_STORE_CERT: made.client.cert, CONTEXT_STORE_KEY: made.client.key };
    expect(run(`lifecycle.init ${ROLE}`, own)).toMatchObject({ code: 0, stderr: "" });
    const alone = run("lifecycle.status", { CONTEXT_STORE_CERT: made.client.cert });
    expect(alone).toMatchObject({ code: 4, stderr: expect.stringContaining("CONTEXT_STORE_KEY is not") });
    const swapped = run("lifecycle.status", {
      CONTEXT_STORE_CERT: made.client.key,
      CONTEXT_STORE_KEY: made.client.cert,
    });
    expect(swapped.stderr).toContain("holds no certificate in PEM form");
    const other = run("lifecycle.status", { ...own, CONTEXT_STORE_KEY: made.server.key });
    expect(other).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("cannot be asked with these certificates"),
    });
  });

  test("and a plain one are told apart, either way round", async () => {
    const made = certificates();
    const port = await tlsServer(made);
    expect(runner(`redis://:${PASSWORD}@127.0.0.1:${port}`).run("lifecycle.status").code).toBe(4);
    const plain = await startRedis();
    onTestFinished(plain.stop);
    const url = plain.url.replace("redis:", "rediss:");
    const ran = runner(url, { CONTEXT_STORE_CA: made.ca }).run("lifecycle.status");
    expect(ran).toMatchObject({ code: 4, stdout: "" });
  });
});

describe("a certificate's file", () => {
  const store = "rediss://127.0.0.1:1";

  test("that is missing, is none, or may not be read, is named", () => {
    const { workspace, run } = runner(store);
    const missingFile = run("lifecycle.status", { CONTEXT_STORE_CA: "no such.pem" });
    expect(missingFile).toMatchObject({ code: 4, stdout: "" });
    expect(missingFile.stderr).toMatch(/^context: CONTEXT_STORE_CA: no such\.pem .*\n {2}Name a PEM file/);
    workspace.write("ca.txt", "not a certificate");
    const none = run("lifecycle.status", { CONTEXT_STORE_CA: "ca.txt" });
    expect(none.stderr).toContain("CONTEXT_STORE_CA: ca.txt holds no certificate in PEM form.");
    expect(run("lifecycle.status", { CONTEXT_STORE_CA: "/dev/zero" }).stderr).toContain("is no regular file");
    expect(run("pre-compact", { CONTEXT_STORE_CA: "ca.txt", HIVEMIND_ROLE: ROLE })).toMatchObject({ code: 0 });
  });

  test("is looked for below the project's root, wherever a command runs", () => {
    const { workspace, run } = runner(store);
    workspace.write("keys/ca.pem", "-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----\n");
    const ran = workspace.context("lifecycle.status", {
      cwd: workspace.path("session/agents"),
      env: { CONTEXT_STORE: store, CONTEXT_STORE_PREFIX: "x", CONTEXT_STORE_CA: "keys/ca.pem" },
    });
    expect(ran.stderr).not.toContain("CONTEXT_STORE_CA");
    expect(run("lifecycle.status", { CONTEXT_STORE: "redis://127.0.0.1:1", CONTEXT_STORE_CA: "nowhere" }).code).toBe(4);
  });
});

describe.skipIf(missing !== null)("a user of the server's access list", () => {
  /** What docs/stores.md says that a user needs. */
  const RIGHTS =
    "~context:* resetchannels -@all +select +hget +hgetall +xrange +xrevrange +xread +eval +exists +xadd +del +hset +hdel +set";

  test("with the rights that are documented does everything, and one without is told", async () => {
    const password = "p@ss/w:0?%rd#é";
    const redis = await startRedis();
    onTestFinished(redis.stop);
    await redis.ask("ACL", "SETUSER", "agent", "on", `>${password}`, ...RIGHTS.split(" "));
    await redis.ask("ACL", "SETUSER", "reader", "on", `>${password}`, "~context:*", "-@all", "+hgetall", "+xrevrange");
    const as = (user: string, word: string) => `redis://${user}:${encodeURIComponent(word)}@127.0.0.1:${redis.port}/0`;
    const { run } = runner(as("agent", password));
    for (const words of [
      `lifecycle.save ${ROLE}`,
      "lifecycle.status",
      `lifecycle.history ${ROLE}`,
      `recover ${ROLE}`,
    ]) {
      expect(run(words).code, words).toBe(0);
    }
    expect(inTime(() => run("pre-compact", { HIVEMIND_ROLE: ROLE }))).toMatchObject({ code: 0, stderr: "" });
    expect(run(`lifecycle.wait ${ROLE} --for compacting`).code).toBe(0);
    const other = run("lifecycle.status", { CONTEXT_STORE: as("agent", "wrong") });
    expect(other).toMatchObject({ code: 4, stderr: expect.stringMatching(/answers: WRONGPASS .*\n {2}Mend the user/) });
    const nobody = run("lifecycle.status", { CONTEXT_STORE: `redis://127.0.0.1:${redis.port}` });
    expect(nobody).toMatchObject({ code: 4, stderr: expect.stringContaining("answers: NOAUTH") });
    const reader = run(`lifecycle.save ${ROLE}`, { CONTEXT_STORE: as("reader", password) });
    expect(reader).toMatchObject({ code: 4, stderr: expect.stringContaining("answers: NOPERM") });
    expect(run("lifecycle.status", { CONTEXT_STORE: as("reader", password) })).toMatchObject({ code: 0 });
    for (const ran of [other, nobody, reader]) expect(ran.stdout + ran.stderr).not.toMatch(/p@ss|p%40ss|wrong/);
  });

  test("and its password are not in what a server says that does not know AUTH", async () => {
    const redis = await startRedis(undefined, ["--rename-command", "AUTH", ""]);
    onTestFinished(redis.stop);
    const ran = runner(`redis://agent-user:${PASSWORD}@127.0.0.1:${redis.port}`).run("lifecycle.status");
    expect(ran).toMatchObject({
      code: 4,
      stdout: "",
      stderr: expect.stringMatching(/answers: ERR unknown command .AUTH.\.\n/),
    });
  });

  test("and its password are in no file that commands and hooks leave", async () => {
    const redis = await startRedis();
    onTestFinished(redis.stop);
    await redis.ask("ACL", "SETUSER", "agent-user", "on", ">ag3nt-w0rd", ...RIGHTS.split(" "));
    const { workspace, run } = runner(`redis://agent-user:ag3nt-w0rd@127.0.0.1:${redis.port}`);
    run(`lifecycle.save ${ROLE}`);
    run("init --yes");
    run("lifecycle.export --out machines.json");
    run("report --out report.html");
    await redis.kill();
    run("pre-compact", { HIVEMIND_ROLE: ROLE });
    const found = runProgram("grep", ["-rlE", "ag3nt-w0rd|agent-user", workspace.root], { cwd: "/" });
    expect(found).toMatchObject({ code: 1, stdout: "" });
    workspace.write("planted.txt", "ag3nt-w0rd");
    expect(runProgram("grep", ["-rlE", "ag3nt-w0rd", workspace.root], { cwd: "/" }).stdout).toContain("planted.txt");
  });
});
