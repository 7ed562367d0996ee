import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { readHistory, readMachine } from "../../src/stores/machine-store.ts";
import type { ProjectPaths } from "../../src/stores/paths.ts";
import { need } from "../helpers/need.ts";
import { bundleScript, remove, runNode, temporaryFolder } from "../platform/scripts.ts";
import { project, role, STRICT, stepOnward } from "./projects.ts";

const scripts = temporaryFolder();
const STEP = bundleScript(new URL("./fixtures/step.ts", import.meta.url), scripts);
const ROLE = role();
let paths: ProjectPaths;

/** These take seconds; on a machine that does other work they may take many. */
const BUSY_MACHINE_MS = 180_000;

beforeEach(() => {
  paths = project();
  return () => remove(paths.root);
});
afterAll(() => remove(scripts));

/** What a reader sees at this moment: the state is readable, and the history leads to it without a gap. */
function look(): number {
  const machine = need(readMachine(paths, ROLE));
  if (machine === null) return 0;
  const { record } = machine;
  const history = need(readHistory(paths, ROLE, record.revision));
  const { entries, broken } = history;
  expect(broken).toBe(0);
  // One comparison: a thousand calls of expect would take the processor from the writers.
  const gaps = entries.filter(
    (entry, index) => entry.revision !== index + 1 || entry.from !== (entries[index - 1]?.to ?? "active"),
  );
  expect(gaps).toEqual([]);
  expect(entries.length).toBe(record.revision);
  expect(record.state).toBe(entries.at(-1)?.to ?? "active");
  return record.revision;
}

/** Looks again and again until `done` settles; no look may see less than the one before. */
async function watch(done: Promise<unknown>): Promise<number> {
  let running = true;
  const stop = () => {
    running = false;
  };
  done.then(stop, stop);
  let seen = 0;
  let looks = 0;
  for (; running; looks++) {
    const revision = look();
    expect(revision).toBeGreaterThanOrEqual(seen);
    seen = revision;
    // A look costs more than a step: the writers must not wait for the one who watches.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return looks;
}

test(
  "thirty processes of three steps each on one role at once make ninety revisions, and a reader sees every moment whole",
  async () => {
    const workers = Array.from({ length: 30 }, () => runNode(STEP, [paths.root, ROLE, "3", "150000"]));
    const ended = Promise.all(workers.map((worker) => worker.ended));
    expect(await watch(ended)).toBeGreaterThan(3);
    expect(await ended).toEqual(workers.map(() => ({ code: 0, signal: null, stderr: "" })));
    expect(look()).toBe(90);
    const said = workers.flatMap((worker) => worker.lines.map(Number)).sort((a, b) => a - b);
    expect(said).toEqual(Array.from({ length: 90 }, (_, index) => index + 1));
    expect(readdirSync(paths.machines).sort()).toEqual(["oosh_expert.history.jsonl", "oosh_expert.states.env"]);
  },
  BUSY_MACHINE_MS,
);

test(
  "processes that are killed at any moment leave every moment whole, and no step that was done is lost",
  async () => {
    const KILLS = 25;
    let killed = 0;
    let said = 0;
    let last = 0;
    const faults: string[] = [];
    const workers = new Set<ReturnType<typeof runNode>>();
    onTestFinished(() => {
      for (const { child } of workers) child.kill("SIGKILL");
    });
    const work = async (seed: number): Promise<void> => {
      for (;;) {
        const worker = runNode(STEP, [paths.root, ROLE, "0", "100000"]);
        workers.add(worker);
        await worker.said(1 + (seed % 4));
        if (killed < KILLS) {
          killed += 1;
          worker.child.kill("SIGKILL");
        } else {
          writeFileSync(join(paths.root, "stop"), "");
        }
        const { signal, code, stderr } = await worker.ended;
        said += worker.lines.length;
        last = Math.max(last, ...worker.lines.map(Number));
        if (signal !== "SIGKILL") {
          if (code !== 0) faults.push(stderr);
          return;
        }
        seed += 3;
      }
    };
    const ended = Promise.all(Array.from({ length: 6 }, (_, index) => work(index)));
    expect(await watch(ended)).toBeGreaterThan(3);
    await ended;
    expect(faults).toEqual([]);
    expect(killed).toBe(KILLS);
    const revision = look();
    expect(revision).toBeGreaterThanOrEqual(last);
    // A process may be killed after its step and before it has said so.
    expect(revision - said).toBeGreaterThanOrEqual(0);
    expect(revision - said).toBeLessThanOrEqual(KILLS);

    // One call in sixteen, by its clock, looks for what those left who were killed while they waited.
    const later = Math.ceil((Date.now() + 120_000) / 16) * 16;
    expect(stepOnward(paths, ROLE, { ...STRICT, now: new Date(later) }).ok).toBe(true);
    expect(readdirSync(paths.machines).sort()).toEqual(["oosh_expert.history.jsonl", "oosh_expert.states.env"]);
    expect(look()).toBe(revision + 1);
  },
  BUSY_MACHINE_MS,
);

test("processes on different roles do not wait for each other's locks", async () => {
  const roles = ["a", "a-b", "b"].map(role);
  const workers = roles.map((name) => runNode(STEP, [paths.root, name, "10", "0"]));
  const ends = await Promise.all(workers.map((worker) => worker.ended));
  expect(ends.map((end) => end.stderr)).toEqual(["", "", ""]);
  for (const name of roles) {
    const machine = readMachine(paths, name);
    expect(machine.ok && machine.value?.record.revision).toBe(10);
  }
});
