import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { advance } from "../../src/lifecycle/advance.ts";
import { machineName } from "../../src/lifecycle/role.ts";
import type { TransactionOptions } from "../../src/stores/machine-access.ts";
import { createMachine, transact } from "../../src/stores/machine-store.ts";
import { historyPath, lockPath, machinePath, type ProjectPaths } from "../../src/stores/paths.ts";
import { need } from "../helpers/need.ts";
import { remove } from "../platform/scripts.ts";
import { advanced } from "./advanced.ts";
import { NOW, project, role, STRICT, stepOnward } from "./projects.ts";

const ROLE = role();
let paths: ProjectPaths;
let env = "";
let history = "";

beforeEach(() => {
  paths = project();
  env = machinePath(paths, ROLE);
  history = historyPath(paths, machineName(ROLE));
  return () => remove(paths.root);
});

const text = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : null);
const files = () =>
  Object.fromEntries(readdirSync(paths.machines).map((name) => [name, text(join(paths.machines, name))]));

/** One step, and before it is written something that happens meanwhile. */
function stepWhile(meanwhile: () => void, options: TransactionOptions = STRICT, first = 0) {
  return transact(paths, ROLE, options, (found) => {
    const stored = found ?? createMachine(paths, ROLE, NOW);
    const moved = need(advance(stored.record, ["RECOVERED"], { at: NOW, by: "test", sessionId: null }));
    const update = advanced(stored, moved);
    meanwhile();
    const lines = update.history.map((entry) => (first === 0 ? entry : { ...entry, revision: first }));
    return { update: { ...update, history: lines }, result: null };
  });
}

/** A folder where a file is to be written: whoever writes it finds that it cannot. */
const blocked = (path: string) => () => mkdirSync(path);

test("a first step that cannot be written leaves no machine and no history", () => {
  expect(stepWhile(blocked(history))).toMatchObject({ ok: false, error: { problem: "unwritable" } });
  rmdirSync(history);
  expect(files()).toEqual({});
  expect(stepOnward(paths, ROLE)).toMatchObject({ ok: true, value: { revision: 1 } });
});

test("a step that cannot be written leaves the history without its lines", () => {
  stepOnward(paths, ROLE);
  const before = files();
  const kept = text(env) ?? "";
  const outcome = stepWhile(() => {
    remove(env);
    mkdirSync(env);
  });
  expect(outcome).toMatchObject({ ok: false, error: { problem: "unwritable", path: env } });
  rmdirSync(env);
  writeFileSync(env, kept);
  expect(files()).toEqual(before);
});

test("a file that was to be set aside is where it was, and nowhere else, when the new one cannot be written", () => {
  writeFileSync(env, "no machine\n");
  const setsAside = { ...STRICT, setAside: () => true };
  expect(stepWhile(blocked(history), setsAside)).toMatchObject({ ok: false, error: { problem: "unwritable" } });
  rmdirSync(history);
  expect(files()).toEqual({ "oosh_expert.states.env": "no machine\n" });
  expect(stepWhile(() => undefined, setsAside)).toMatchObject({ ok: true });
  expect(Object.values(files())).toContain("no machine\n");
  expect(text(env)).toContain("STATE_EVENT=RECOVERED\n");
});

test("lines that stand for what happened give way to others with the whole file, or not at all", () => {
  for (let index = 0; index < 3; index++) stepOnward(paths, ROLE);
  const before = files();
  const kept = text(env) ?? "";
  const outcome = stepWhile(
    () => {
      remove(env);
      mkdirSync(env);
    },
    STRICT,
    2,
  );
  expect(outcome).toMatchObject({ ok: false, error: { problem: "unwritable" } });
  rmdirSync(env);
  writeFileSync(env, kept);
  expect(files()).toEqual(before);
  expect(stepWhile(() => undefined, STRICT, 2)).toMatchObject({ ok: true });
  expect(text(history)?.match(/"revision":\d+/g)).toEqual(['"revision":1', '"revision":2']);
  expect(readdirSync(paths.machines).sort()).toEqual(["oosh_expert.history.jsonl", "oosh_expert.states.env"]);
});

test("whose lock was taken over while it was held up writes nothing", () => {
  stepOnward(paths, ROLE);
  const before = files();
  const lock = lockPath(env);
  const other = JSON.stringify({ pid: 1, started: null, boot: null, host: "elsewhere.invalid", token: "x-1" });
  const outcome = stepWhile(() => {
    remove(lock);
    writeFileSync(lock, other);
  });
  expect(outcome).toMatchObject({ ok: false, error: { problem: "locked", path: lock } });
  expect(files()).toEqual({ ...before, "oosh_expert.states.env.lock": other });
});
