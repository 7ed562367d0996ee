import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { cpuTime } from "../helpers/cpu-time.ts";
import { inputOf, type Target, targetsOf } from "./targets.ts";

const SEED = 20_260_203;
const EACH = 150;
const targets = targetsOf(process.cwd());

function targetOf(name: string): Target {
  const target = targets[name];
  if (target === undefined) throw new Error(`no target ${name}`);
  return target;
}

describe("whatever was done to a text that we read, all holds that is promised of it", () => {
  test.each(Object.keys(targets))("%s", (name) => {
    const target = targetOf(name);
    const started = cpuTime();
    for (let index = 0; index < EACH; index += 1) {
      const text = inputOf(target, name, SEED, index);
      try {
        target.check(text);
      } catch (error) {
        const again = `npm run fuzz -- --target ${name} --seed ${SEED} --from ${index} --count 1 --show`;
        throw new Error(`${again}\n${JSON.stringify(text).slice(0, 2000)}`, { cause: error });
      }
    }
    // A quarter of a second for each would be a hang, not a slow machine.
    expect(cpuTime() - started).toBeLessThan(EACH * 250);
  });
});

test("an input is the same whenever it is asked for, hardly two of a hundred are, and all kinds of change are made", () => {
  const make = () => Array.from({ length: 100 }, (_, index) => inputOf(targetOf("env"), "env", 7, index));
  expect(make()).toEqual(make());
  expect(new Set(make()).size).toBeGreaterThan(95);
  const all = Array.from({ length: 600 }, (_, index) => inputOf(targetOf("env"), "env", 8, index));
  for (const piece of ["\0", "\uD800", "$(touch x)", "\u202E", "'\\''"]) {
    expect(all.some((text) => text.includes(piece))).toBe(true);
  }
});

/** A row for each target, without what another run takes another time for. */
async function guided(...words: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    "tests/fuzz/run.mjs",
    "--guided",
    "--fresh",
    ...words,
  ]);
  return [...stdout.matchAll(/^ {2}(\S+ .* kept), \d+ a second$/gm)].map(([, row]) => row ?? "");
}

describe("following what the source is seen to do", () => {
  test("every target is explored from its seeds on, and nothing is found", async () => {
    const rows = await guided("--seed", String(SEED), "--count", String(10 * Object.keys(targets).length));
    expect(rows.map((row) => row.split(" ")[0])).toEqual(Object.keys(targets));
    for (const row of rows) {
      const [, bySeeds, all, of] = /(\d+) by the seeds, (\d+) in all, of (\d+); 10 inputs/.exec(row) ?? [];
      expect(Number(bySeeds), row).toBeGreaterThan(10);
      expect(Number(all), row).toBeGreaterThanOrEqual(Number(bySeeds));
      expect(Number(of), row).toBeGreaterThanOrEqual(Number(all));
    }
  }, 180_000);

  test("a run of the same seed is the same run", async () => {
    const words = ["--target", "env", "--count", "100", "--seed", "5"];
    const once = await guided(...words);
    expect(once).toHaveLength(1);
    expect(await guided(...words)).toEqual(once);
  }, 180_000);
});
