import { expect, test } from "vitest";
import { explore } from "./explore.ts";
import { load, TOY } from "./toy.ts";

const SEEDS = ["name: a value of some length\nother = things\n"];
const MOST = 10_000;

interface Ended {
  /** Null where none of the inputs came to the fault. */
  readonly inputs: number | null;
  readonly findings: readonly string[];
  readonly kept: readonly string[];
}

async function search(name: string, guided: boolean): Promise<Ended> {
  const { check, hits, words } = await load(TOY);
  const findings: string[] = [];
  const kept: string[] = [];
  const exploration = explore({
    name,
    seeds: SEEDS,
    check,
    hits,
    words: () => words,
    guided,
    onRun: () => {},
    onKept: (text) => kept.push(text),
    onFinding: (text) => findings.push(text),
  });
  while (findings.length === 0 && exploration.inputs() < MOST) exploration.step();
  return { inputs: findings.length === 0 ? null : exploration.inputs(), findings, kept };
}

test.each(["1", "2", "3", "4"])(
  "a fault behind conditions in conditions is come to by keeping what comes nearer, and not without (%s)",
  async (name) => {
    const guided = await search(name, true);
    expect(guided.inputs).toBeLessThan(MOST);
    expect(guided.findings[0]).toMatch(/^...~/m);
    expect(await search(name, false)).toEqual({ inputs: null, findings: [], kept: [] });
  },
);

test("the same seed makes the same inputs, keeps the same and finds the same", async () => {
  const once = await search("4", true);
  expect(once.kept.length).toBeGreaterThan(2);
  expect(await search("4", true)).toEqual(once);
  expect(await search("3", true)).not.toEqual(once);
});

test("a finding is told once, as short as it is still one, and what is found in the seeds is told too", async () => {
  const { check, hits, words } = await load(TOY);
  const findings: string[] = [];
  const long = `${"x\n".repeat(40)}abc~efgh =%klm\n${"y\n".repeat(40)}`;
  const exploration = explore({
    name: "1",
    seeds: [long, long],
    check,
    hits,
    words: () => words,
    guided: true,
    onRun: () => {},
    onKept: () => {},
    onFinding: (text) => findings.push(text),
  });
  for (let step = 0; step < 300; step += 1) exploration.step();
  expect(findings).toHaveLength(1);
  expect(findings[0]).toHaveLength(13);
});
