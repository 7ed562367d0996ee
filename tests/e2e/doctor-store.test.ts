import { describe, expect, onTestFinished, test } from "vitest";
import { assertDoctorReport } from "../../src/doctor/report-schema.ts";
import { commit, git } from "../helpers/git-repository.ts";
import { PASSWORD, redisMissing, startRedis } from "../helpers/redis-server.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const ROLE = "oosh-expert";
const PAYLOAD = JSON.stringify({ session_id: "b9ff7b48-ef86", hook_event_name: "PreCompact", trigger: "auto" });
const missing = redisMissing();

type Env = Readonly<Record<string, string>>;

interface Project extends Workspace {
  readonly look: (env: Env) => readonly { code: string; message: string; hint: string }[];
}

function makeProject(): Project {
  const workspace = makeWorkspace();
  const home = makeWorkspace();
  git(workspace.root, "init", "--quiet");
  workspace.role(ROLE);
  const base = { HOME: home.root };
  // Each look runs every part that is registered, twice.
  workspace.write("context.yaml", "delivery:\n  parts: 1\n");
  expect(workspace.context("init --yes", { env: base }).code).toBe(0);
  workspace.write(".gitignore", "session/stateMachines/\nsession/.cache/\n.claude/\n");
  commit(workspace.root, workspace.root);
  const look = (env: Env) => {
    const words = ["doctor", "--json", "--managed-settings", home.path("managed.json")];
    const ran = workspace.context(words, { env: { ...base, ...env } });
    const report = JSON.parse(ran.stdout);
    assertDoctorReport(report);
    expect(ran.stdout + ran.stderr).not.toContain(PASSWORD);
    return report.findings;
  };
  return { ...workspace, look };
}

async function startServer(more = ["--appendonly", "yes"]) {
  const redis = await startRedis(undefined, more);
  onTestFinished(redis.stop);
  return redis;
}

describe.skipIf(missing !== null)(`doctor looks at the store${missing === null ? "" : `: ${missing}`}`, () => {
  test("and finds nothing in one that can be used, whose state it leaves as it is", async () => {
    const redis = await startServer();
    const project = makeProject();
    const env = { CONTEXT_STORE: redis.url };
    expect(project.context(`lifecycle.save ${ROLE}`, { env }).code).toBe(0);
    const before = project.context("lifecycle.export", { env }).stdout;
    expect(before).toContain("SAVE");
    expect(project.look({ ...env, HIVEMIND_ROLE: ROLE })).toEqual([]);
    expect(project.context("lifecycle.export", { env }).stdout).toBe(before);
  });

  test("that refuses the password: which is not said", async () => {
    const redis = await startServer();
    const env = { CONTEXT_STORE: redis.url.replace(PASSWORD, `${PASSWORD}x`), CONTEXT_STORE_PREFIX: "p" };
    const found = makeProject().look(env);
    expect(found.map(({ code }) => code)).toEqual(["store-refused"]);
    expect(found[0]?.message).toContain("answers: WRONGPASS");
    expect(found[0]?.hint).toContain("Mend the user and the password");
  });

  test("that keeps nothing, and that deletes what does not fit", async () => {
    const look = async (more: string[]) => {
      const redis = await startServer(more);
      return makeProject().look({ CONTEXT_STORE: redis.url });
    };
    expect(await look(["--appendonly", "no"])).toMatchObject([
      { code: "store-forgets", message: expect.stringContaining("a restart of the server loses every machine") },
    ]);
    const rule = ["--appendonly", "yes", "--maxmemory", "50mb", "--maxmemory-policy"];
    expect(await look([...rule, "allkeys-lru"])).toMatchObject([
      { code: "store-forgets", message: expect.stringContaining("(maxmemory-policy allkeys-lru)") },
    ]);
    expect(await look([...rule, "volatile-lru"])).toEqual([]);
    expect(await look(["--appendonly", "no", "--save", "3600 1"])).toEqual([]);
    // Whose user may not ask is told nothing.
    const redis = await startServer(["--appendonly", "no"]);
    await redis.ask("ACL", "SETUSER", "few", "on", ">pw", "~*", "&*", "+@all", "-info", "-config");
    expect(makeProject().look({ CONTEXT_STORE: redis.url.replace(`:${PASSWORD}`, "few:pw") })).toEqual([]);
  });

  test("that has waiting notes, while it is away and where nothing names it any more", async () => {
    const redis = await startServer();
    const project = makeProject();
    const env = { CONTEXT_STORE: redis.url };
    await redis.kill();
    const role = { ...env, HIVEMIND_ROLE: ROLE };
    expect(project.context("pre-compact", { env: role, input: PAYLOAD }).code).toBe(0);
    const away = project.look(env);
    expect(away.map(({ code }) => code)).toEqual(["store-unreachable", "store-notes-wait"]);
    const unset = project.look({});
    expect(unset.map(({ code }) => code)).toEqual(["store-notes-wait"]);
    expect(unset[0]?.hint).toContain("Set CONTEXT_STORE");
  });

  test("that has a role without a context file, and names the command that takes it away", async () => {
    const redis = await startServer();
    const project = makeProject();
    const env = { CONTEXT_STORE: redis.url, CONTEXT_STORE_PREFIX: "some/project" };
    expect(project.context("lifecycle.init web-writer", { env }).code).toBe(0);
    const [found] = project.look(env);
    expect(found).toMatchObject({ code: "recover-impossible" });
    const command = /; or run (redis-cli .*), if nobody has that role any more\.$/.exec(found?.hint ?? "")?.[1];
    expect(command).toBe(`redis-cli -u "$CONTEXT_STORE" HDEL 'context:{some/project}:machines' web_writer`);
    await redis.ask("HDEL", "context:{some/project}:machines", "web_writer");
    expect(project.look(env)).toEqual([]);
  });

  test("that another project shares by its name, and not one that another host shares", async () => {
    const redis = await startServer();
    const env = { CONTEXT_STORE: redis.url, CONTEXT_STORE_PREFIX: "same" };
    const [one, other] = [makeProject(), makeProject()];
    expect(one.context(`lifecycle.save ${ROLE}`, { env }).code).toBe(0);
    expect(one.look(env)).toEqual([]);
    const found = other.look(env);
    expect(found.map(({ code }) => code)).toEqual(["store-other-project"]);
    expect(found[0]?.message).toContain(`commit of this repository: ${ROLE}, at `);
    expect(other.context("lifecycle.init tester", { env }).code).toBe(0);
    other.role("tester");
    expect(other.context("lifecycle.save tester", { env }).code).toBe(0);
    expect(other.look(env)).toEqual([]);
  });
});
