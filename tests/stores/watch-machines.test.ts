import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import type { MachineChange } from "../../src/lifecycle/machine-change.ts";
import { machineName } from "../../src/lifecycle/role.ts";
import type { MachineLook } from "../../src/stores/machine-access.ts";
import { historyPath, machinePath, type ProjectPaths } from "../../src/stores/paths.ts";
import { watchMachines } from "../../src/stores/watch-machines.ts";
import { bundleScript, remove, run, runNode, temporaryFolder } from "../platform/scripts.ts";
import { project, role, stepOnward } from "./projects.ts";

const scripts = temporaryFolder();
const STEP = bundleScript(new URL("./fixtures/step.ts", import.meta.url), scripts);
const STARVED = bundleScript(new URL("./fixtures/watch-starved.ts", import.meta.url), scripts);
afterAll(() => remove(scripts));

let paths: ProjectPaths;
let stop: AbortController;
beforeEach(() => {
  paths = project();
  stop = new AbortController();
});
afterEach(() => {
  stop.abort();
  remove(paths.root);
});

const ROLE = role();
const step = (name = ROLE) => stepOnward(paths, name);

interface Watching {
  readonly changes: readonly MachineChange[];
  readonly looks: readonly MachineLook[];
  /** Settles once so many changes were seen, or fails the test. */
  readonly seen: (count: number) => Promise<void>;
}

/** Begins to watch; settles with the first look, which sees what is there. */
async function watching(roles: readonly ReturnType<typeof role>[] | null = null): Promise<Watching> {
  const changes: MachineChange[] = [];
  const looks: MachineLook[] = [];
  let wake = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    void (async () => {
      for await (const look of watchMachines(paths, { roles, signal: stop.signal })) {
        looks.push(look);
        changes.push(...look.changes);
        resolve();
        wake();
      }
    })();
  });
  await begun;
  const seen = async (count: number): Promise<void> => {
    while (changes.length < count) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return { changes, looks, seen };
}

const arrows = ({ changes }: Watching) => changes.map(({ revision, from, to }) => `${revision} ${from}>${to}`);

test("the first look sees what is there, and what happened before is no change", async () => {
  step();
  step();
  const watch = await watching();
  expect([...(watch.looks[0]?.machines ?? [])]).toEqual([[ROLE, { state: "saved", revision: 2 }]]);
  step();
  await watch.seen(1);
  expect(arrows(watch)).toHaveLength(1);
  expect(watch.changes[0]).toMatchObject({ role: ROLE, from: "saved", revision: 3, by: "test" });
});

test("of eight hundred transitions by four processes at once, each is seen once and in its order", async () => {
  const names = ["a", "b", "c", "d"].map((name) => role(name));
  const watch = await watching();
  const runs = names.map((name) => runNode(STEP, [paths.root, name, "200", "5000"]));
  for (const { ended } of runs) expect(await ended).toMatchObject({ code: 0, stderr: "" });
  // One more for each: the machine that came.
  await watch.seen(4 * 201);
  for (const name of names) {
    const own = watch.changes.filter((change) => change.role === name);
    expect(own.map(({ revision }) => revision)).toEqual(Array.from({ length: 201 }, (_, index) => index));
    expect(own[0]).toMatchObject({ from: null, to: "active", event: null });
    own.slice(1).forEach((change, index) => {
      expect(change.from).toBe(own[index]?.to);
    });
  }
  expect(watch.changes).toHaveLength(4 * 201);
}, 60_000);

describe("nothing is missed where", () => {
  test("the folder comes later, with all its parents", async () => {
    rmSync(paths.machines, { recursive: true });
    const watch = await watching();
    step();
    await watch.seen(2);
    expect(arrows(watch)).toEqual(["0 null>active", "1 active>saving"]);
  });

  test("the folder is replaced by another one of its name", async () => {
    step();
    const watch = await watching();
    renameSync(paths.machines, `${paths.machines}.old`);
    mkdirSync(paths.machines);
    await watch.seen(1);
    expect(arrows(watch)).toEqual(["1 saving>null"]);
    step();
    step();
    await watch.seen(4);
    expect(arrows(watch).slice(1)).toEqual(["0 null>active", "1 active>saving", "2 saving>saved"]);
  });

  test("a machine is removed and made again, on top of its history", async () => {
    step();
    const watch = await watching();
    rmSync(machinePath(paths, ROLE));
    await watch.seen(1);
    step();
    await watch.seen(3);
    expect(arrows(watch)).toEqual(["1 saving>null", "1 null>active", "2 active>saving"]);
  });

  test("a role had a history and no machine when the watch began", async () => {
    step();
    step();
    rmSync(machinePath(paths, ROLE));
    const watch = await watching();
    step();
    await watch.seen(2);
    expect(arrows(watch)).toEqual(["2 null>active", "3 active>saving"]);
  });

  test("another program rewrites the state and writes no history", async () => {
    step();
    const watch = await watching();
    writeFileSync(machinePath(paths, ROLE), `${machineName(ROLE)}_STATE_ID=14\n`);
    await watch.seen(1);
    expect(watch.changes[0]).toMatchObject({ from: "saving", to: "compacting", event: null });
  });
});

test("a line whose state is not written yet is no transition, until it is", async () => {
  step();
  step();
  const watch = await watching();
  const line = {
    revision: 3,
    at: "2026-01-01T00:00:00.000Z",
    event: "COMPACT",
    from: "saved",
    to: "compacting",
    by: "x",
  };
  writeFileSync(historyPath(paths, machineName(ROLE)), `${JSON.stringify(line)}\n`, { flag: "a" });
  // That writer was killed: the next one cuts its line off and takes the revision for its own.
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(watch.changes).toEqual([]);
  step();
  await watch.seen(1);
  expect(watch.changes).toHaveLength(1);
  expect(watch.changes[0]).toMatchObject({ revision: 3, by: "test" });
});

test("a state that cannot be read is a problem, hides no other role, and is over when it is", async () => {
  const other = role("tester");
  step();
  step(other);
  const watch = await watching();
  writeFileSync(machinePath(paths, ROLE), "rubbish");
  step(other);
  await watch.seen(1);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  step(other);
  await watch.seen(2);
  expect([...(watch.looks.at(-1)?.problems.keys() ?? [])]).toEqual([ROLE]);
  expect(watch.looks.at(-1)?.machines.get(ROLE)).toEqual({ state: "saving", revision: 1 });
  expect(watch.changes.every((change) => change.role === other)).toBe(true);
});

test("a state that could not be read at the first look brings back nothing of the past once it can", async () => {
  step();
  step();
  writeFileSync(machinePath(paths, ROLE), "rubbish");
  const watch = await watching();
  expect([...(watch.looks[0]?.problems.keys() ?? [])]).toEqual([ROLE]);
  rmSync(machinePath(paths, ROLE));
  step();
  await watch.seen(2);
  expect(arrows(watch)).toEqual(["2 null>active", "3 active>saving"]);
});

test("a state that could not be read for a moment is seen though it does not change again", async () => {
  step();
  const watcher = run("sh", ["-c", 'ulimit -n 48; exec "$0" "$@"', process.execPath, STARVED, paths.root, ROLE]);
  await watcher.said(1);
  step();
  // Longer than the look that this causes takes to come.
  await new Promise((resolve) => setTimeout(resolve, 500));
  watcher.child.stdin?.write("\n");
  expect(await watcher.ended).toEqual({ code: 0, signal: null, stderr: "" });
  expect(watcher.lines).toEqual(["starved", "saved"]);
});

test("only the roles that are named are watched", async () => {
  const watch = await watching([ROLE]);
  step(role("tester"));
  step();
  await watch.seen(2);
  step(role("tester"));
  step();
  await watch.seen(3);
  expect(new Set(watch.changes.map((change) => change.role))).toEqual(new Set([ROLE]));
});

test("ends when it is told to, also in the middle of waiting", async () => {
  const looks: MachineLook[] = [];
  const ended = (async () => {
    for await (const look of watchMachines(paths, { roles: null, signal: stop.signal })) looks.push(look);
  })();
  setTimeout(() => stop.abort(), 30);
  await ended;
  expect(looks).toHaveLength(1);
});
