import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { DEFAULT_CONFIG } from "../../src/config/default-config.ts";
import { loadConfig } from "../../src/stores/config-store.ts";
import { configPath, type ProjectPaths } from "../../src/stores/paths.ts";
import { cpuTime } from "../helpers/cpu-time.ts";
import { remove } from "../platform/scripts.ts";
import { project } from "./projects.ts";

let paths: ProjectPaths;
let path = "";

beforeEach(() => {
  paths = project();
  path = configPath(paths);
  return () => remove(paths.root);
});

test("without a file the defaults hold and nothing is said", async () => {
  expect(await loadConfig(paths)).toEqual({ value: DEFAULT_CONFIG, notes: [] });
});

test("a file's values hold, and what is wrong in it is said", async () => {
  writeFileSync(path, "tone: plain\ntones: x\n");
  expect(await loadConfig(paths)).toEqual({
    value: { ...DEFAULT_CONFIG, tone: "plain" },
    notes: ['context.yaml: tones is not a known key; did you mean "tone"?'],
  });
});

test("a file that cannot be read is said to be so, and the defaults hold", async () => {
  mkdirSync(path);
  expect(await loadConfig(paths)).toEqual({
    value: DEFAULT_CONFIG,
    notes: ["context.yaml is a folder, expected a file; the defaults are used."],
  });
  remove(path);
  execFileSync("mkfifo", [path]);
  expect((await loadConfig(paths)).notes).toEqual(["context.yaml is no regular file; the defaults are used."]);
  remove(path);
  writeFileSync(path, "a: 1\n".repeat(100_000));
  expect((await loadConfig(paths)).notes[0]).toContain("holds 500000 bytes");
});

const unknown = (count: number) => Array.from({ length: count }, (_, index) => `k${index}: 1`).join("\n");

test("a file full of faults is answered in a few lines", async () => {
  writeFileSync(path, unknown(60));
  const { notes } = await loadConfig(paths);
  expect(notes).toHaveLength(11);
  expect(notes[0]).toBe("context.yaml: k0 is not a known key.");
  expect(notes.at(-1)).toBe("context.yaml: 50 more findings.");
});

test("a fault that quotes half the file is cut", async () => {
  writeFileSync(path, "|".repeat(30_000));
  const { notes } = await loadConfig(paths);
  expect(notes.map(({ length }) => length < 400)).toEqual([true]);
});

test("a file of thousands of keys is answered in little time", async () => {
  writeFileSync(path, unknown(6000));
  const start = cpuTime();
  const { value, notes } = await loadConfig(paths);
  expect(cpuTime() - start).toBeLessThan(3000);
  expect(value).toEqual(DEFAULT_CONFIG);
  expect(notes.length).toBeGreaterThan(0);
});
