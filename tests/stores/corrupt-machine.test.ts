import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { MachineError, MachineProblem } from "../../src/stores/machine-access.ts";
import { readMachine } from "../../src/stores/machine-store.ts";
import { machinePath, type ProjectPaths } from "../../src/stores/paths.ts";
import { remove, run } from "../platform/scripts.ts";
import { project, role, STRICT, stepOnward } from "./projects.ts";

const ROLE = role();
let paths: ProjectPaths;
let env = "";

beforeEach(() => {
  paths = project();
  env = machinePath(paths, ROLE);
  return () => remove(paths.root);
});

/** A good state of three revisions, for what is done to it. */
function good(): string {
  for (let i = 0; i < 3; i++) stepOnward(paths, ROLE);
  return readFileSync(env, "utf8");
}

function inItsPlace(make: () => void): void {
  remove(env);
  make();
}

const CASES: [string, MachineProblem, (text: string) => void][] = [
  ["no bytes", "corrupt", () => writeFileSync(env, "")],
  ["two NULs", "not-text", () => writeFileSync(env, "\0\0")],
  ["NULs as long as it was", "not-text", (text) => writeFileSync(env, "\0".repeat(text.length))],
  ["half of it", "corrupt", (text) => writeFileSync(env, text.slice(0, text.length / 2))],
  ["all but its last newline", "corrupt", (text) => writeFileSync(env, text.slice(0, -1))],
  ["bytes that are no text", "not-text", () => writeFileSync(env, Buffer.from([0xff, 0xfe, 0x00, 0x80]))],
  ["a hundred megabytes", "too-large", () => truncateSync(env, 100 * 1024 * 1024)],
  ["a folder", "not-a-file", () => inItsPlace(() => mkdirSync(env))],
  ["a pipe", "not-a-file", () => inItsPlace(() => execFileSync("mkfifo", [env]))],
  ["an unknown state", "unknown-state", (text) => writeFileSync(env, text.replace(/CURRENT=.*/, "CURRENT=reviewing"))],
  ["a newer version", "newer-version", (text) => writeFileSync(env, text.replace("SCHEMA=1", "SCHEMA=99"))],
  ["no version", "contradiction", (text) => writeFileSync(env, text.replace("STATE_SCHEMA=1\n", ""))],
  ["two states", "contradiction", (text) => writeFileSync(env, `${text}STATE_CURRENT=active\n`)],
];

test.each(CASES)(
  "%s: is named, and refused by a writer that does not set it aside, which leaves it as it is",
  (_name, problem, damage) => {
    damage(good());
    const before = lstatSync(env);
    expect(readMachine(paths, ROLE)).toMatchObject({ ok: false, error: { problem, path: env } });
    expect(stepOnward(paths, ROLE)).toMatchObject({ ok: false, error: { problem, path: env } });
    const after = lstatSync(env);
    expect([after.ino, after.size, after.mtimeMs]).toEqual([before.ino, before.size, before.mtimeMs]);
    expect(readdirSync(paths.machines).sort()).toEqual(["oosh_expert.history.jsonl", "oosh_expert.states.env"]);
  },
);

test.each(CASES)(
  "%s: is set aside whole by a writer that may, which is asked by the problem's name",
  (_name, problem, damage) => {
    damage(good());
    const { ino } = lstatSync(env);
    const asked: string[] = [];
    const may = { ...STRICT, setAside: (found: MachineError) => asked.push(found.problem) > 0 };
    const aside = `${env}.corrupt-20260203T121507Z`;
    // The history goes on: what led here is not lost with the state.
    expect(stepOnward(paths, ROLE, may)).toEqual({ ok: true, value: { revision: 4, setAside: aside } });
    expect(asked).toEqual([problem]);
    expect(lstatSync(aside).ino).toBe(ino);
    expect(readMachine(paths, ROLE)).toMatchObject({ ok: true, value: { record: { state: "saving", revision: 4 } } });
  },
);

test("a second bad file of the same second is set aside beside the first", () => {
  const may = { ...STRICT, setAside: () => true };
  for (const content of ["first", "second", "third"]) {
    writeFileSync(env, content);
    expect(stepOnward(paths, ROLE, may).ok).toBe(true);
  }
  const kept = readdirSync(paths.machines)
    .filter((name) => name.includes(".corrupt-"))
    .sort();
  expect(kept.map((name) => readFileSync(join(paths.machines, name), "utf8"))).toEqual(["first", "second", "third"]);
});

test.each(["file", "dangling", "folder"])(
  "a link that leads out is denied to reader and writer, whatever it may set aside: %s",
  (kind) => {
    good();
    const outside = project();
    try {
      const theirs = join(outside.root, "theirs");
      writeFileSync(theirs, "STATE_CURRENT=active\n");
      if (kind === "folder") {
        remove(paths.machines);
        symlinkSync(outside.machines, paths.machines);
      } else {
        remove(env);
        symlinkSync(kind === "file" ? theirs : join(outside.root, "nowhere"), env);
      }
      const error = {
        problem: "denied",
        path: env,
        message: `is a link that leads out of ${paths.root}; it is not used`,
      };
      expect(readMachine(paths, ROLE)).toEqual({ ok: false, error });
      expect(stepOnward(paths, ROLE, { ...STRICT, setAside: () => true })).toEqual({ ok: false, error });
      expect(readFileSync(theirs, "utf8")).toBe("STATE_CURRENT=active\n");
      expect(readdirSync(outside.root).sort()).toEqual(["session", "theirs"]);
      expect(readdirSync(outside.machines)).toEqual([]);
    } finally {
      remove(outside.root);
    }
  },
);

test("a link to a file of the project is followed, and kept by a step", () => {
  const text = good();
  const real = join(paths.root, "real.env");
  writeFileSync(real, text);
  remove(env);
  symlinkSync(real, env);
  expect(stepOnward(paths, ROLE)).toMatchObject({ ok: true, value: { revision: 4 } });
  expect(lstatSync(env).isSymbolicLink()).toBe(true);
  expect(readFileSync(real, "utf8")).toContain("STATE_REVISION=4\n");
});

test("a state that another tool is writing in place is waited for a moment, and then read", async () => {
  good();
  const whole = "oosh_expert_STATE_ID=13\n";
  // On a busy machine the writer may be late: of several tries one is enough.
  for (let tries = 0; tries < 20; tries++) {
    const writer = run("sh", ["-c", ': > "$0"; echo empty; sleep 0.01; printf "%s" "$1" > "$0"', env, whole]);
    await writer.said(1);
    const empty = lstatSync(env).size === 0;
    const machine = readMachine(paths, ROLE);
    await writer.ended;
    if (empty && machine.ok && machine.value?.record.state === "saved") return;
  }
  expect.unreachable("the state was never read");
});
