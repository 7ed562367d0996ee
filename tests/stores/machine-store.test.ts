import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { machineName } from "../../src/lifecycle/role.ts";
import { ownProcess } from "../../src/platform/process-identity.ts";
import { createMachine, listMachines, readHistory, readMachine, transact } from "../../src/stores/machine-store.ts";
import { historyPath, machinePath, type ProjectPaths, projectPaths } from "../../src/stores/paths.ts";
import { bundleScript, NOBODY, remove, run, runNode, temporaryFolder } from "../platform/scripts.ts";
import { NOW, project, role, STRICT, stepOnward } from "./projects.ts";

const scripts = temporaryFolder();
const STEP = bundleScript(new URL("./fixtures/step.ts", import.meta.url), scripts);
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
afterAll(() => remove(scripts));

const revisions = () => {
  const machine = readMachine(paths, ROLE);
  const read = readHistory(paths, ROLE, machine.ok ? (machine.value?.record.revision ?? null) : null);
  return read.ok ? read.value.entries.map((entry) => entry.revision) : read.error;
};
const step = () => {
  const result = stepOnward(paths, ROLE);
  return result.ok ? result.value.revision : `${result.error.problem}: ${result.error.message}`;
};

test("a role without a machine has none, and no history", () => {
  expect(readMachine(paths, ROLE)).toEqual({ ok: true, value: null });
  expect(readHistory(paths, ROLE, null)).toEqual({ ok: true, value: { entries: [], broken: 0 } });
  rmSync(paths.machines, { recursive: true });
  expect(listMachines(paths)).toEqual({ ok: true, value: [] });
});

test("a step writes state and history, for their owner alone, and leaves nothing else", () => {
  rmSync(paths.machines, { recursive: true });
  expect(step()).toBe(1);
  expect(step()).toBe(2);
  expect(readdirSync(paths.machines).sort()).toEqual(["oosh_expert.history.jsonl", "oosh_expert.states.env"]);
  expect(statSync(env).mode & 0o777).toBe(0o600);
  expect(statSync(history).mode & 0o777).toBe(0o600);
  expect(statSync(paths.machines).mode & 0o777).toBe(0o700);
  expect(revisions()).toEqual([1, 2]);
  expect(JSON.parse(readFileSync(history, "utf8").split("\n")[1] ?? "")).toEqual({
    revision: 2,
    at: NOW.toISOString(),
    event: "CONTEXT_VALID",
    from: "saving",
    to: "saved",
    by: "test",
    session_id: null,
  });
});

test("where there is nothing to write, nothing is written", () => {
  const result = transact(paths, ROLE, STRICT, (found) => ({ update: null, result: found }));
  expect(result).toEqual({ ok: true, value: null });
  expect(readdirSync(paths.machines)).toEqual([]);
  step();
  const before = statSync(env).ino;
  expect(transact(paths, ROLE, STRICT, (found) => ({ update: null, result: found?.record.revision })).ok).toBe(true);
  expect(statSync(env).ino).toBe(before);
});

test("lists the roles that have a machine in byte order, and no other file", () => {
  for (const name of ["b", "a-b", "a", "scrum-master"]) stepOnward(paths, role(name));
  for (const name of [
    "a-b.states.env",
    "x.states.env.lock",
    "con.states.env",
    "A.states.env",
    ".c.states.env",
    "y.env",
  ])
    writeFileSync(join(paths.machines, name), "");
  expect(listMachines(paths)).toEqual({ ok: true, value: ["a", "a-b", "b", "scrum-master"] });
});

test("a folder that cannot be listed is not an empty one", () => {
  rmSync(paths.machines, { recursive: true });
  writeFileSync(paths.machines, "");
  expect(listMachines(paths)).toMatchObject({ ok: false, error: { path: paths.machines } });
});

test("two projects with the same role do not meet", () => {
  const other = project();
  try {
    expect(step()).toBe(1);
    expect(readMachine(other, ROLE)).toEqual({ ok: true, value: null });
  } finally {
    remove(other.root);
  }
});

test("with CONFIG_PATH the machines lie there, and the project holds none", () => {
  const config = temporaryFolder();
  try {
    const elsewhere = projectPaths(paths.root, { CONFIG_PATH: config });
    expect(stepOnward(elsewhere, ROLE).ok).toBe(true);
    expect(readdirSync(join(config, "stateMachines"))).toContain("oosh_expert.states.env");
    expect(readdirSync(paths.machines)).toEqual([]);
  } finally {
    remove(config);
  }
});

test("lines of a revision that the state has not reached are passed over, and cut off by the next step", () => {
  step();
  step();
  const [, second = ""] = readFileSync(history, "utf8").split("\n");
  const third = second.replace('"revision":2', '"revision":3').replace('"from":"saving"', '"from":"saved"');
  writeFileSync(history, `${third}\n${third.slice(0, 40)}`, { flag: "a" });
  expect(revisions()).toEqual([1, 2]);
  expect(step()).toBe(3);
  expect(revisions()).toEqual([1, 2, 3]);
  expect(readFileSync(history, "utf8").trimEnd().split("\n")).toHaveLength(3);
});

test("a state that was put back by more than one step goes on where the history ends: nothing that happened is cut off", () => {
  const at = (minute: number) => ({ ...STRICT, now: new Date(NOW.getTime() + minute * 60_000) });
  step();
  const earlier = readFileSync(env, "utf8");
  for (const minute of [1, 2]) stepOnward(paths, ROLE, at(minute));
  const before = readFileSync(history, "utf8");
  writeFileSync(env, earlier);
  expect(stepOnward(paths, ROLE, at(3))).toMatchObject({ ok: true, value: { revision: 4 } });
  expect(readFileSync(history, "utf8").startsWith(before)).toBe(true);
  expect(revisions()).toEqual([1, 2, 3, 4]);
});

test("who takes over from a killed process sweeps up after it, and leaves what one has that waits, here or elsewhere", () => {
  const dead = 999_999_999;
  const living = `.oosh_expert.states.env.lock.${process.pid}-x-1y.tmp`;
  // Of a process that waits for the lock on another host, for all that is known here.
  const waiting = `.oosh_expert.states.env.lock.${dead}-x-1y.tmp`;
  const swept = [`.oosh_expert.states.env.${dead}-x-1y.tmp`, `.oosh_expert.states.env.lock.${dead}-x-2y.tmp`];
  for (const name of [living, waiting, ...swept]) writeFileSync(join(paths.machines, name), "half");
  utimesSync(join(paths.machines, swept[1] ?? ""), 1, 1);
  writeFileSync(`${env}.lock`, JSON.stringify({ ...ownProcess(), pid: dead, token: "t" }));
  expect(step()).toBe(1);
  expect(readdirSync(paths.machines).sort()).toEqual(
    [living, waiting, "oosh_expert.history.jsonl", "oosh_expert.states.env"].sort(),
  );
});

test("a state that is gone begins anew where its history ended", () => {
  step();
  step();
  rmSync(env);
  expect(createMachine(paths, ROLE, NOW).record).toMatchObject({ state: "active", revision: 2 });
  expect(step()).toBe(3);
  expect(revisions()).toEqual([1, 2, 3]);
});

test("a state that is gone begins anew where its history ended, though that ends in rubbish", () => {
  step();
  step();
  rmSync(env);
  writeFileSync(history, '{"revision":\nrubbish\n{"revision":9}\ntorn', { flag: "a" });
  expect(step()).toBe(3);
  expect(revisions()).toEqual([1, 2, 3]);
});

test("a state that was put back from an earlier day does not cost the history since", () => {
  for (let i = 0; i < 5; i++) step();
  const old = readFileSync(env, "utf8");
  for (let i = 0; i < 20; i++) step();
  writeFileSync(env, old);
  expect(step()).toBe(26);
  expect(revisions()).toEqual(Array.from({ length: 26 }, (_, index) => index + 1));
});

test("a state that the original tool rewrote without our keys does not cost the history", () => {
  step();
  step();
  writeFileSync(env, "oosh_expert_STATE_ID=11\n");
  expect(step()).toBe(3);
  expect(revisions()).toEqual([1, 2, 3]);
  expect(readFileSync(env, "utf8")).toMatch(/^oosh_expert_STATE_ID=12\n/);
});

test("lines that are no transition are counted, and hide no other", () => {
  step();
  const line = readFileSync(history, "utf8").trimEnd();
  writeFileSync(history, `rubbish\n${line}\n\n{"a":1}\n[]\nnull\n${line.replace('"to":"saving"', '"to":"x"')}\n`);
  expect(readHistory(paths, ROLE, null)).toMatchObject({ ok: true, value: { entries: [{ revision: 1 }], broken: 6 } });
});

test("NULs and bytes that are no text, as a power loss leaves them, hide no transition and are cut off by the next one", () => {
  step();
  const nulls = "\0".repeat(4096);
  writeFileSync(history, Buffer.concat([Buffer.from(`${nulls}\n`), Buffer.from([0xff, 0xfe, 0x0a])]), { flag: "a" });
  step();
  expect(readHistory(paths, ROLE, null)).toMatchObject({
    ok: true,
    value: { entries: [{ revision: 1 }, { revision: 2 }], broken: 2 },
  });
  writeFileSync(history, nulls, { flag: "a" });
  expect(revisions()).toEqual([1, 2]);
  step();
  expect(revisions()).toEqual([1, 2, 3]);
  expect(readFileSync(history, "utf8").split("\n")).toHaveLength(6);
});

test("a history that is a folder, a pipe or a link out is refused, and the state is left as it is", () => {
  step();
  const before = readFileSync(env, "utf8");
  const outside = temporaryFolder();
  try {
    rmSync(history);
    mkdirSync(history);
    expect(step()).toContain("unwritable: ");
    rmSync(history, { recursive: true });
    writeFileSync(join(outside, "theirs"), "theirs\n");
    symlinkSync(join(outside, "theirs"), history);
    expect(step()).toBe(`denied: is a link that leads out of ${paths.root}; it is not used`);
    expect(readFileSync(join(outside, "theirs"), "utf8")).toBe("theirs\n");
  } finally {
    remove(outside);
  }
  expect(readFileSync(env, "utf8")).toBe(before);
});

test("a lock that is held gives its holder's name after the wait, and nothing is written", () => {
  step();
  const before = readFileSync(env, "utf8");
  const result = transact(paths, ROLE, STRICT, () => ({
    update: null,
    result: stepOnward(paths, ROLE, { ...STRICT, waitMs: 20 }),
  }));
  const message = expect.stringMatching(
    new RegExp(`^is held by process ${process.pid} on .*, for longer than \\d+ ms$`),
  );
  expect(result).toMatchObject({
    ok: true,
    value: { ok: false, error: { problem: "locked", path: `${env}.lock`, message } },
  });
  expect(readFileSync(env, "utf8")).toBe(before);
});

test("a folder without rights fails with the reason, and nothing is written", async () => {
  step();
  const before = readdirSync(paths.machines).map((name) => readFileSync(join(paths.machines, name), "utf8"));
  chmodSync(env, 0o644);
  chmodSync(paths.machines, 0o555);
  const worker = runNode(STEP, [paths.root, ROLE, "1", "0"], NOBODY);
  const { code, stderr } = await worker.ended;
  expect(code).toBe(3);
  expect(JSON.parse(stderr)).toMatchObject({
    problem: "unwritable",
    message: "cannot be locked: permission denied (EACCES)",
  });
  chmodSync(paths.machines, 0o755);
  expect(readdirSync(paths.machines).map((name) => readFileSync(join(paths.machines, name), "utf8"))).toEqual(before);
});

test("where there is no room, the state is as it was, and the next step is as if nothing had been", async () => {
  while (statSync(history, { throwIfNoEntry: false })?.size === undefined || statSync(history).size < 3900) step();
  const before = readFileSync(env, "utf8");
  const seen = revisions();
  // The limit is in kilobytes: the lock and the state fit, one more line of the history does not.
  const script = 'ulimit -f 4; exec "$0" "$@"';
  const worker = run("bash", ["-c", script, process.execPath, STEP, paths.root, ROLE, "3", "0"]);
  const { code, stderr } = await worker.ended;
  expect(code).toBe(3);
  expect(JSON.parse(stderr)).toMatchObject({ problem: "unwritable", message: expect.stringContaining("EFBIG") });
  expect(readdirSync(paths.machines).sort()).toEqual(["oosh_expert.history.jsonl", "oosh_expert.states.env"]);
  const done = worker.lines.length;
  if (done === 0) expect(readFileSync(env, "utf8")).toBe(before);
  const next = step();
  expect(next).toBe((Array.isArray(seen) ? seen.length : 0) + done + 1);
  expect(revisions()).toEqual(Array.from({ length: Number(next) }, (_, index) => index + 1));
});
