import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { ownProcess } from "../../src/platform/process-identity.ts";
import { bundleScript, type Running, remove, runNode, runWithoutLinks, temporaryFolder } from "./scripts.ts";

const scripts = temporaryFolder();
const COUNT = bundleScript(new URL("./fixtures/count.ts", import.meta.url), scripts);
const INHERIT = bundleScript(new URL("./fixtures/inherit.ts", import.meta.url), scripts);
let folder = "";

/** These take seconds; on a machine that does other work they may take many. */
const BUSY_MACHINE_MS = 180_000;

beforeEach(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder, "counter"), "0".repeat(12));
  writeFileSync(join(folder, "done"), "");
  return () => remove(folder);
});
afterAll(() => remove(scripts));

const counter = () => Number(readFileSync(join(folder, "counter"), "latin1"));
const done = () => statSync(join(folder, "done")).size;

const FILE_SYSTEMS = [
  { where: "files can have two names", start: runNode },
  { where: "files have one name alone", start: runWithoutLinks },
] as const;

test.each(FILE_SYSTEMS)(
  "twelve processes that add at once lose nothing, and none is ever inside with another, where $where",
  async ({ start }) => {
    const workers = Array.from({ length: 12 }, () => start(COUNT, [folder, "50"]));
    const ends = await Promise.all(workers.map((worker) => worker.ended));
    expect(ends).toEqual(workers.map(() => ({ code: 0, signal: null, stderr: "" })));
    expect(counter()).toBe(600);
    expect(readdirSync(folder).sort()).toEqual(["counter", "done"]);
  },
  BUSY_MACHINE_MS,
);

test.each(FILE_SYSTEMS)(
  "of processes that find a dead owner at the same moment exactly one replaces it, where $where",
  async ({ start }) => {
    const [LOCKS, PROCESSES] = [75, 3];
    const dead = { ...ownProcess(), pid: 999_999_999 };
    for (let index = 0; index < LOCKS; index++) {
      writeFileSync(join(folder, `${index}.lock`), JSON.stringify({ ...dead, token: `t${index}` }));
    }
    const args = [folder, String(LOCKS), String(PROCESSES)];
    const workers = Array.from({ length: PROCESSES }, () => start(INHERIT, args));
    const ends = await Promise.all(workers.map((worker) => worker.ended));
    expect(ends).toEqual(workers.map(() => ({ code: 0, signal: null, stderr: "" })));
    const heirs = workers.flatMap((worker) => worker.lines).sort();
    expect(heirs).toEqual(Array.from({ length: LOCKS }, (_, index) => String(index)).sort());
    expect(readdirSync(folder).filter((name) => !/^(\d+\.gate|counter|done)$/.test(name))).toEqual([]);
  },
  BUSY_MACHINE_MS,
);

test(
  "processes that are killed at any moment, eight at a time: never two inside, nobody waits for ever, nothing is lost",
  async () => {
    const KILLS = 60;
    let killed = 0;
    const faults: string[] = [];
    const work = async (seed: number): Promise<void> => {
      for (;;) {
        const worker: Running = runNode(COUNT, [folder, "0"]);
        // It has started and is somewhere between waiting, being inside and letting go.
        await worker.said(1 + (seed % 5));
        if (killed < KILLS) {
          killed += 1;
          worker.child.kill("SIGKILL");
        } else {
          writeFileSync(join(folder, "stop"), "");
        }
        const { code, signal, stderr } = await worker.ended;
        if (signal === "SIGKILL") {
          seed += 3;
          continue;
        }
        if (code !== 0) faults.push(stderr);
        return;
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, index) => work(index)));
    expect(faults).toEqual([]);
    expect(killed).toBe(KILLS);
    // A process may be killed after it has added and before it has said so.
    expect(counter()).toBeGreaterThanOrEqual(done());
    expect(counter() - done()).toBeLessThanOrEqual(KILLS);
    expect(done()).toBeGreaterThan(KILLS);
  },
  BUSY_MACHINE_MS,
);
