import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { advance } from "../../src/lifecycle/advance.ts";
import { machineName } from "../../src/lifecycle/role.ts";
import { createMachine, transact } from "../../src/stores/machine-store.ts";
import { redisKeys } from "../../src/stores/redis-keys.ts";
import { openRedisStore } from "../../src/stores/redis-store.ts";
import type { SharedMachines } from "../../src/stores/shared-machines.ts";
import { need } from "../helpers/need.ts";
import { redisMissing, useRedis } from "../helpers/redis-server.ts";
import { bundleScript, remove, runNode, temporaryFolder } from "../platform/scripts.ts";
import { advanced } from "./advanced.ts";
import { machineStoreContract, type StoreHost } from "./machine-store-contract.ts";
import { NOW, project, role, STRICT } from "./projects.ts";

const missing = redisMissing();
let prefixes = 0;

describe.skipIf(missing !== null)(`a server${missing === null ? "" : `: ${missing}`}`, () => {
  const server = useRedis();
  const scripts = temporaryFolder();
  const STEP = bundleScript(new URL("./fixtures/shared-step.ts", import.meta.url), scripts);
  afterAll(() => remove(scripts));

  async function open(prefix: string): Promise<SharedMachines> {
    const opened = need(
      await openRedisStore({ ...server().place, tls: null, prefix, limitMs: 10_000, offline: "fail" }),
    );
    onTestFinished(opened.close);
    return opened;
  }

  async function host(prefix: string): Promise<StoreHost> {
    const keys = redisKeys(prefix);
    const files = project();
    onTestFinished(() => remove(files.root));
    // Each host has a root of its own.
    const state = { shared: await open(prefix) };
    const paths = {
      ...files,
      get shared() {
        return state.shared;
      },
    };
    return {
      paths,
      transact: (name, options, work) => state.shared.transact(name, options, work),
      refresh: async (name) => {
        state.shared = await open(prefix);
        await state.shared.fetchHistories([name]);
      },
      plant: async (name, text) => {
        await server().ask("HSET", keys.machines, machineName(name), text);
      },
      text: async (name) => {
        const text = await server().ask("HGET", keys.machines, machineName(name));
        return typeof text === "string" ? text : null;
      },
    };
  }

  machineStoreContract("a server", async () => {
    const prefix = `project-${prefixes++}`;
    return {
      host: () => host(prefix),
      worker: (name, times) => runNode(STEP, [server().url, prefix, name, String(times)]),
    };
  });

  const ROLE = role();
  const save = (shared: SharedMachines) => (found: Parameters<Parameters<SharedMachines["transact"]>[2]>[0]) => {
    const stored = found ?? createMachine({ ...project(), shared }, ROLE, NOW);
    const moved = need(advance(stored.record, ["SAVE"], { at: NOW, by: "test", sessionId: null }));
    return { update: advanced(stored, moved), result: moved.record.revision };
  };

  test("two projects with the same role do not meet", async () => {
    const [one, other] = [await open("one"), await open("other")];
    expect(await one.transact(ROLE, STRICT, save(one))).toEqual({ ok: true, value: 1 });
    expect(await other.transact(ROLE, STRICT, save(other))).toEqual({ ok: true, value: 1 });
  });

  test("a step with a name is taken once, whoever asks again", async () => {
    const [one, other] = [await open("once"), await open("once")];
    const options = { ...STRICT, once: "000001-a" };
    await one.transact(ROLE, options, save(one));
    await other.transact(ROLE, options, save(other));
    await other.fetchHistories([ROLE]);
    const history = other.history(ROLE, null);
    expect(history.ok && history.value.entries.map(({ revision }) => revision)).toEqual([1]);
  });

  test("a machine that changes between the look and the write is looked at again", async () => {
    const [one, other] = [await open("race"), await open("race")];
    await one.transact(ROLE, STRICT, save(one));
    const revisions: (number | undefined)[] = [];
    let others: Promise<unknown> | null = null;
    const done = await one.transact(ROLE, STRICT, (found) => {
      revisions.push(found?.record.revision);
      // On a connection of its own, so it may arrive before the write or behind it; the second look settles it.
      others ??= other.transact(ROLE, STRICT, save(other));
      return save(one)(found);
    });
    await others;
    await one.fetchHistories([ROLE]);
    const history = one.history(ROLE, null);
    expect(done.ok).toBe(true);
    expect(history.ok && history.value.entries.map(({ revision }) => revision)).toEqual([1, 2, 3]);
  });

  test("a project whose machines are in a server writes none to files", async () => {
    const shared = await open("never");
    const paths = { ...project(), shared };
    expect(() => transact(paths, ROLE, STRICT, () => ({ update: null, result: null }))).toThrow("Invariant");
  });

  test("names that belong to no role are passed over", async () => {
    const { machines } = redisKeys("odd");
    await server().ask("HSET", machines, "A-B", "x", "con", "x", "..", "x");
    expect((await open("odd")).list()).toEqual({ ok: true, value: [] });
  });
});

test("a build that is to run these tests does not pass without a server", () => {
  expect(() => redisMissing("/nonexistent/redis-server", "required")).toThrow("CONTEXT_REDIS=required");
  expect(redisMissing("/nonexistent/redis-server", "")).toContain("install redis-server");
});
