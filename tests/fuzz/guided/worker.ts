import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { targetsOf } from "../targets.ts";
import { type Exploration, explore, TooSlow } from "./explore.ts";
import { readTexts, writeText } from "./folder.ts";

interface Module {
  readonly name: string;
  readonly first: number;
  readonly lines: readonly number[];
  readonly words: readonly string[];
}

declare const contextFuzzHits: Uint32Array;

/** Inputs of one target before it is looked who is next. */
const ROUND = 50;
const SLOW_MS = 1000;

const { root, seed, targets, count, endsAt, place, guided, corpus, findings } = workerData;
const current = Buffer.from(workerData.current.buffer);
const modules: readonly Module[] = workerData.modules;
const chosen = Object.entries(targetsOf(root)).filter(([name]) => targets === null || targets.includes(name));
const each: number = Math.ceil(count / chosen.length);
const found: { readonly name: string; readonly message: string; readonly file: string }[] = [];
let slowest = { ms: 0, name: "", characters: 0 };
let runs = 0n;

const explorations = chosen.map(([name, target], number) => {
  const folder = corpus === null ? null : join(corpus, name);
  const check = (text: string): void => {
    const ms = takes(target.check, text);
    if (ms > slowest.ms) slowest = { ms, name, characters: text.length };
    // Compiling and collecting rubbish is no finding: it must be slow twice.
    if (ms > SLOW_MS && takes(target.check, text) > SLOW_MS)
      throw new TooSlow(`takes ${Math.round(ms)} ms for ${text.length} characters`);
  };
  const begin = (): Exploration =>
    explore({
      name: `${name} ${seed}`,
      seeds: [...target.seeds, ...(folder === null ? [] : readTexts(folder))],
      check,
      hits: contextFuzzHits,
      words: (has) =>
        [...new Set(modules.filter((module) => enters(module, has)).flatMap(({ words }) => words))].sort(),
      guided,
      onRun: (text) => {
        runs += 1n;
        place[0] = runs;
        place[1] = BigInt(number);
        current.writeInt32LE(current.write(text, 4, "utf16le"), 0);
      },
      onKept: (text) => {
        if (folder !== null) writeText(folder, text);
      },
      onFinding: (text, error) => {
        const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
        found.push({ name, message: message.slice(0, 1500), file: writeText(join(findings, name), text) });
      },
    });
  const state: { ms: number; exploration: Exploration | null } = { ms: 0, exploration: null };
  return { name, begin, state };
});

for (;;) {
  // Whoever had least time is next: each gets as much, and a quick one more inputs.
  const open = explorations.filter(({ state }) => state.exploration === null || state.exploration.inputs() < each);
  const [next] = open.toSorted((a, b) => a.state.ms - b.state.ms);
  if (next === undefined || Date.now() > endsAt) break;
  const { state } = next;
  const started = processorTime();
  const exploration = state.exploration ?? next.begin();
  state.exploration = exploration;
  for (let step = 0; step < ROUND && exploration.inputs() < each; step += 1) exploration.step();
  state.ms += processorTime() - started;
}

parentPort?.postMessage({
  found,
  slowest,
  rows: explorations.flatMap(({ name, state: { ms, exploration } }) => {
    if (exploration === null) return [];
    // Of a module that nothing entered, nothing is asked.
    const asked = modules.filter((module) => enters(module, exploration.has));
    const of = asked.reduce((sum, { lines }) => sum + lines.length, 0);
    const missing = asked.map((module) => ({ name: module.name, lines: missingOf(module, exploration.has) }));
    return [{ name, ms, inputs: exploration.inputs(), kept: exploration.kept(), ...exploration.blocks(), of, missing }];
  }),
});

function enters({ first, lines }: Module, has: (block: number) => boolean): boolean {
  return lines.some((_, index) => has(first + index));
}

function missingOf({ first, lines }: Module, has: (block: number) => boolean): readonly number[] {
  return [...new Set(lines.filter((_, index) => !has(first + index)))];
}

/** Milliseconds that this process worked on it: others may use the machine too. */
function takes(check: (text: string) => void, text: string): number {
  const started = processorTime();
  check(text);
  return processorTime() - started;
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
