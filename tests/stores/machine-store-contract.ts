import { describe, expect, test } from "vitest";
import type { Result } from "../../src/base/result.ts";
import { advance, type HistoryEntry } from "../../src/lifecycle/advance.ts";
import type { RoleName } from "../../src/lifecycle/role.ts";
import type { MachineError, MachineLook, MachineWork, TransactionOptions } from "../../src/stores/machine-access.ts";
import { createMachine, listMachines, readHistory, readMachine } from "../../src/stores/machine-store.ts";
import type { ProjectPaths } from "../../src/stores/paths.ts";
import { watchMachines } from "../../src/stores/watch-machines.ts";
import { need } from "../helpers/need.ts";
import type { Running } from "../platform/scripts.ts";
import { advanced } from "./advanced.ts";
import { NOW, ONWARD, role, STRICT } from "./projects.ts";

/** One host's view of a project's machines. */
export interface StoreHost {
  readonly paths: ProjectPaths;
  readonly transact: <T>(
    name: RoleName,
    options: TransactionOptions,
    work: MachineWork<T>,
  ) => Promise<Result<T, MachineError>>;
  /** Before reading what others may have written. */
  readonly refresh: (name: RoleName) => Promise<void>;
  /** Puts a text where the role's machine is kept. */
  readonly plant: (name: RoleName, text: string) => Promise<void>;
  /** The text that is kept for the role; null where there is none. */
  readonly text: (name: RoleName) => Promise<string | null>;
}

export interface StoreUnderTest {
  /** Another host of the same project each time. */
  readonly host: () => Promise<StoreHost>;
  /** A process that takes so many steps of the role. */
  readonly worker: (name: RoleName, times: number) => Running;
}

/** Long enough on a machine that does other work. */
const BUSY_MS = 180_000;
const ROLE = role();

async function step(
  host: StoreHost,
  name: RoleName = ROLE,
  options: TransactionOptions = STRICT,
): Promise<number | string> {
  const done = await host.transact(name, options, (found) => {
    const stored = found ?? createMachine(host.paths, name, options.now);
    const cause = { at: options.now, by: "test", sessionId: null };
    const moved = need(advance(stored.record, [ONWARD[stored.record.state]], cause));
    return { update: advanced(stored, moved), result: moved.record.revision };
  });
  return done.ok ? done.value : `${done.error.problem}: ${done.error.message}`;
}

async function entries(host: StoreHost, name: RoleName = ROLE): Promise<readonly HistoryEntry[]> {
  await host.refresh(name);
  const machine = readMachine(host.paths, name);
  const history = need(readHistory(host.paths, name, machine.ok ? (machine.value?.record.revision ?? null) : null));
  expect(history.broken).toBe(0);
  return history.entries;
}

/** What holds for every store of machines. */
export function machineStoreContract(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`machines in ${name}`, () => {
    test("a role without a machine has none, and no history", async () => {
      const host = await (await open()).host();
      expect(readMachine(host.paths, ROLE)).toEqual({ ok: true, value: null });
      expect(await entries(host)).toEqual([]);
      expect(listMachines(host.paths)).toEqual({ ok: true, value: [] });
    });

    test("a step moves the machine and leaves its transition, for every host", async () => {
      const store = await open();
      const [here, there] = [await store.host(), await store.host()];
      expect(await step(here)).toBe(1);
      expect(await step(there)).toBe(2);
      expect(await step(here)).toBe(3);
      expect((await entries(there)).map(({ revision, from, to }) => [revision, from, to])).toEqual([
        [1, "active", "saving"],
        [2, "saving", "saved"],
        [3, "saved", "compacting"],
      ]);
      const machine = readMachine(there.paths, ROLE);
      expect(machine.ok && machine.value?.record).toMatchObject({
        state: "compacting",
        previous: "saved",
        revision: 3,
      });
    });

    test("where there is nothing to write, nothing is written", async () => {
      const host = await (await open()).host();
      expect(await host.transact(ROLE, STRICT, (found) => ({ update: null, result: found }))).toEqual({
        ok: true,
        value: null,
      });
      expect(await host.text(ROLE)).toBeNull();
    });

    test("lists the roles that have a machine in byte order", async () => {
      const host = await (await open()).host();
      for (const each of ["b", "a-b", "a", "scrum-master"]) await step(host, role(each));
      await host.refresh(role("a"));
      expect(listMachines(host.paths)).toEqual({ ok: true, value: ["a", "a-b", "b", "scrum-master"] });
    });

    test("lines that are not ours stay where a person put them", async () => {
      const host = await (await open()).host();
      await step(host);
      const text = await host.text(ROLE);
      await host.plant(ROLE, `# mine\nOTHER=1\n${text}`);
      expect(await step(host)).toBe(2);
      expect(await host.text(ROLE)).toMatch(/^# mine\nOTHER=1\n/);
    });

    test("what is no machine is refused with the reason, or set aside where that is asked for", async () => {
      const host = await (await open()).host();
      await step(host);
      await step(host);
      await host.plant(ROLE, "rubbish\n");
      expect(await step(host)).toMatch(/^corrupt: holds no machine/);
      expect(await host.text(ROLE)).toBe("rubbish\n");
      const asked: (string | null)[] = [];
      const options = { ...STRICT, setAside: () => true };
      const done = await host.transact(ROLE, options, (found, kept) => {
        asked.push(kept);
        return { update: null, result: found };
      });
      expect(done).toEqual({ ok: true, value: null });
      expect(asked).toEqual([expect.stringContaining("oosh_expert")]);
      expect(await host.text(ROLE)).toBeNull();
      // The history is whole, and the next machine goes on from it.
      expect(await step(host)).toBe(3);
      expect((await entries(host)).map(({ revision }) => revision)).toEqual([1, 2, 3]);
    });

    test("a machine that was put back from an earlier day does not cost the history since", async () => {
      const host = await (await open()).host();
      for (let i = 0; i < 5; i++) await step(host);
      const old = await host.text(ROLE);
      for (let i = 0; i < 20; i++) await step(host);
      await host.plant(ROLE, old ?? "");
      expect(await step(host)).toBe(26);
      expect((await entries(host)).map(({ revision }) => revision)).toEqual(
        Array.from({ length: 26 }, (_, i) => i + 1),
      );
    });

    test("who watches sees each transition once, in order, also of roles that come later", async () => {
      const store = await open();
      const [watcher, writer] = [await store.host(), await store.host()];
      const late = role("late");
      await step(writer);
      const ended = new AbortController();
      const looks: MachineLook[] = [];
      const watching = (async () => {
        for await (const look of watchMachines(watcher.paths, { roles: null, signal: ended.signal })) {
          looks.push(look);
          if (looks.flatMap(({ changes }) => changes).length >= 8) break;
        }
      })();
      while (looks.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      for (let i = 0; i < 4; i++) await step(writer);
      for (let i = 0; i < 3; i++) await step(writer, late);
      await watching;
      ended.abort();
      expect(looks[0]).toMatchObject({ changes: [], lost: null });
      const seen = looks.flatMap(({ changes }) => changes);
      const ofRole = (name: RoleName) => seen.filter((change) => change.role === name).map(({ revision }) => revision);
      expect(ofRole(ROLE)).toEqual([2, 3, 4, 5]);
      expect(ofRole(late)).toEqual([0, 1, 2, 3]);
      expect(looks.at(-1)?.machines.get(ROLE)).toEqual({ state: "active", revision: 5 });
    });

    test(
      "twenty processes of five steps each on one role lose none",
      async () => {
        const store = await open();
        const workers = Array.from({ length: 20 }, () => store.worker(ROLE, 5));
        const ends = await Promise.all(workers.map((worker) => worker.ended));
        expect(ends).toEqual(workers.map(() => ({ code: 0, signal: null, stderr: "" })));
        const said = workers.flatMap((worker) => worker.lines.map(Number)).sort((a, b) => a - b);
        expect(said).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
        const history = await entries(await store.host());
        expect(history.map(({ revision }) => revision)).toEqual(said);
        const gaps = history.filter(({ from }, index) => from !== (history[index - 1]?.to ?? "active"));
        expect(gaps).toEqual([]);
      },
      BUSY_MS,
    );

    test("times are kept as they were given", async () => {
      const host = await (await open()).host();
      await step(host);
      const [entry] = await entries(host);
      expect(entry?.at).toBe(NOW.toISOString());
    });
  });
}
