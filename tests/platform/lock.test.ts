import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { withLock } from "../../src/platform/lock.ts";
import type { LockOwner } from "../../src/platform/lock-owner.ts";
import { isDead, lifeOf, ownProcess, parseProcess, processText } from "../../src/platform/process-identity.ts";
import { bundleScript, NOBODY, remove, run, runNode, temporaryFolder } from "./scripts.ts";

const scripts = temporaryFolder();
const HOLD = bundleScript(new URL("./fixtures/hold.ts", import.meta.url), scripts);
let folder = "";
let path = "";

beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, "x.lock");
  return () => remove(folder);
});
afterAll(() => remove(scripts));

const lock = (waitMs = 0) => withLock(path, { waitMs, folderMode: 0o700 }, (tookOver) => tookOver);
const owner = (changes: Partial<LockOwner>) =>
  writeFileSync(path, JSON.stringify({ ...ownProcess(), token: "t1", ...changes }));
const linux = existsSync("/proc/self/stat");

test("runs the work, gives its value, and leaves nothing behind", () => {
  expect(lock()).toEqual({ ok: true, value: false });
  expect(readdirSync(folder)).toEqual([]);
});

test("makes the folder, for its owner alone", () => {
  path = join(folder, "a", "b", "x.lock");
  expect(lock().ok).toBe(true);
  expect(readdirSync(join(folder, "a", "b"))).toEqual([]);
  expect(execFileSync("ls", ["-ld", join(folder, "a", "b")]).toString()).toMatch(/^drwx------/);
});

test("is let go where the work throws, and the throw goes on", () => {
  const fails = () =>
    withLock(path, { waitMs: 0, folderMode: 0o700 }, () => {
      throw new Error("mine");
    });
  expect(fails).toThrow("mine");
  expect(readdirSync(folder)).toEqual([]);
});

test("keeps others out while it is held, and names the holder", () => {
  const inner = withLock(path, { waitMs: 0, folderMode: 0o700 }, () => lock(30));
  expect(inner.ok).toBe(true);
  if (!inner.ok) return;
  expect(inner.value).toMatchObject({ ok: false, error: { kind: "held", path, owner: { pid: process.pid } } });
  if (!inner.value.ok && inner.value.error.kind === "held")
    expect(inner.value.error.waitedMs).toBeGreaterThanOrEqual(30);
  expect(readdirSync(folder)).toEqual([]);
});

test("never robs a living owner: it waits as long as it was told, and no longer", async () => {
  const holder = runNode(HOLD, [path, "0"]);
  await holder.said(1);
  const start = performance.now();
  const result = lock(200);
  const took = performance.now() - start;
  expect(result).toMatchObject({ ok: false, error: { kind: "held", owner: { pid: holder.child.pid } } });
  expect(took).toBeGreaterThanOrEqual(200);
  expect(took).toBeLessThan(30_000);
  expect(readdirSync(folder)).toEqual(["x.lock"]);
  holder.child.stdin?.end();
  expect(await holder.ended).toEqual({ code: 0, signal: null, stderr: "" });
  expect(lock()).toEqual({ ok: true, value: false });
});

test("takes over from an owner that was killed, at the first try", async () => {
  const holder = runNode(HOLD, [path, "0"]);
  await holder.said(1);
  holder.child.kill("SIGKILL");
  await holder.ended;
  expect(existsSync(path)).toBe(true);
  expect(lock(0)).toEqual({ ok: true, value: true });
  expect(readdirSync(folder)).toEqual([]);
});

test.skipIf(!linux)("takes over from an owner that was killed and whose parent does not ask for its end", async () => {
  // The shell becomes a process that never waits for its children, so the killed one stays a zombie.
  const parent = run("sh", ["-c", 'exec 3<&0; "$0" "$1" "$2" 0 <&3 & exec sleep 600', process.execPath, HOLD, path]);
  await parent.said(1);
  const pid = Number(parent.lines[0]?.split(" ")[1]);
  try {
    process.kill(pid, "SIGKILL");
    const state = () => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.[0];
    const deadline = Date.now() + 10_000;
    while (state() !== "Z" && Date.now() < deadline) spawnSync("true");
    expect(state()).toBe("Z");
    expect(lock(0)).toEqual({ ok: true, value: true });
  } finally {
    parent.child.kill("SIGKILL");
    await parent.ended;
  }
});

test.each<[string, Partial<LockOwner>, boolean]>([
  ["a living process", {}, false],
  ["a number that another process has now", { started: "1" }, true],
  ["a process of another host", { host: `not-${hostname()}`, pid: 999_999_999 }, false],
  ["a process of another host and another boot", { host: `not-${hostname()}`, boot: "x" }, false],
  ["a number that no process has", { pid: 999_999_999 }, true],
  ["a number that no process can have", { pid: 2 ** 32 + 1 }, true],
  ["no number", { pid: -1 }, true],
  ["half a number", { pid: 1.5 }, true],
  ["a living process of a system that does not tell its start", { started: null, boot: null }, false],
])("%s: certainly gone is %s", (_name, changes, dead) => {
  if (!linux && ("started" in changes || "boot" in changes)) return;
  expect(isDead({ ...ownProcess(), ...changes })).toBe(dead);
  owner(changes);
  const result = lock(0);
  expect(result.ok).toBe(dead);
  expect(existsSync(path)).toBe(!dead);
});

const OTHER_BOOT = { boot: "00000000-0000-0000-0000-000000000000" };

test.skipIf(!linux)(
  "of a process of an earlier boot it is taken over, and not of another machine of the same name",
  () => {
    expect(isDead({ ...ownProcess(), ...OTHER_BOOT })).toBe(true);
    owner(OTHER_BOOT);
    // After this boot began no process of an earlier one wrote it.
    expect(lock(20)).toMatchObject({ ok: false, error: { kind: "held" } });
    utimesSync(path, 1, 1);
    expect(lock(0)).toEqual({ ok: true, value: true });
    // A clock that was put back at the boot: nobody holds a lock for more than a minute.
    owner(OTHER_BOOT);
    utimesSync(path, Date.now() / 1000 - 70, Date.now() / 1000 - 70);
    expect(lock(0)).toEqual({ ok: true, value: true });
  },
);

test.skipIf(!linux)(
  "of a process in a sandbox, whose number says nothing here, it is taken over after a minute",
  () => {
    const sandboxed = { pid: 999_999_999, space: "1" };
    expect(isDead({ ...ownProcess(), ...sandboxed })).toBe(false);
    owner(sandboxed);
    const ago = (seconds: number) => utimesSync(path, Date.now() / 1000 - seconds, Date.now() / 1000 - seconds);
    ago(50);
    expect(lock(20)).toMatchObject({ ok: false, error: { kind: "held" } });
    ago(70);
    expect(lock(0)).toEqual({ ok: true, value: true });
  },
);

// Needs a right that a container may not have.
const UNSHARE = ["--pid", "--fork", "--mount-proc", "--kill-child"];
const canUnshare = linux && spawnSync("unshare", [...UNSHARE, "true"]).status === 0;

test.skipIf(!canUnshare)("a living process in a sandbox keeps it, though another one has its number here", async () => {
  const holder = run("unshare", [...UNSHARE, process.execPath, HOLD, path, "0"]);
  await holder.said(1);
  const held: Partial<LockOwner> = JSON.parse(readFileSync(path, "utf8"));
  expect(held.pid).toBeLessThan(10);
  expect(held.space).toMatch(/^\d+$/);
  expect(lock(20)).toMatchObject({ ok: false, error: { kind: "held", owner: { pid: held.pid } } });
  holder.child.stdin?.end();
  await holder.ended;
  expect(lock(0)).toEqual({ ok: true, value: false });
});

test.each([
  { ...ownProcess() },
  { ...ownProcess(), space: "4026532500" },
  { pid: 7, started: null, boot: null, host: "a b/c@d" },
])("an identity is read back from its line: %o", (identity) => {
  expect(parseProcess(processText(identity))).toEqual(identity);
  expect(lifeOf({ ...identity, space: "1" })).toBe("unknown");
});

test("inherits from an heir that died before it took over", () => {
  owner({ token: "first", pid: 999_999_998 });
  writeFileSync(`${path}.heir-first`, JSON.stringify({ ...ownProcess(), pid: 999_999_999, token: "second" }));
  expect(lock(0)).toEqual({ ok: true, value: true });
  expect(readdirSync(folder)).toEqual([]);
});

test("leaves the dead lock to a living heir", () => {
  owner({ token: "first", pid: 999_999_998 });
  writeFileSync(`${path}.heir-first`, JSON.stringify({ ...ownProcess(), token: "second" }));
  expect(lock(20)).toMatchObject({ ok: false, error: { kind: "held" } });
  expect(readdirSync(folder).sort()).toEqual(["x.lock", "x.lock.heir-first"]);
});

test.each([
  ["nothing", ""],
  ["half a JSON", '{"pid":1'],
  ["another JSON", '{"pid":"1"}'],
  ["a process of another machine by its number", '{"pid":999999999,"host":"elsewhere"}'],
  ["NULs", "\0\0\0\0"],
  ["a megabyte", "x".repeat(1_000_000)],
])("a lock that holds %s is not robbed for a minute, and is taken over then", (_name, text) => {
  writeFileSync(path, text);
  expect(lock(20)).toMatchObject({ ok: false, error: { kind: "held", owner: null } });
  expect(existsSync(path)).toBe(true);
  utimesSync(path, Date.now() / 1000 - 70, Date.now() / 1000 - 70);
  expect(lock(0)).toEqual({ ok: true, value: true });
  expect(readdirSync(folder)).toEqual([]);
});

test.each<[string, (pid: number) => string]>([
  ["its number alone", (pid) => `${pid}\n`],
  ["its number in JSON", (pid) => JSON.stringify({ created: "2026-01-01T00:00:00Z", pid, command: "save" }, null, 2)],
  ["its number, with a token that is a path", (pid) => JSON.stringify({ ...ownProcess(), pid, token: "../../x" })],
])(
  "a lock of another make that names a process by %s is taken over once that has ended, and no sooner",
  (_name, text) => {
    writeFileSync(path, text(999_999_999));
    expect(lock(0)).toEqual({ ok: true, value: true });
    writeFileSync(path, text(process.pid));
    utimesSync(path, Date.now() / 1000 - 70, Date.now() / 1000 - 70);
    expect(lock(20)).toMatchObject({ ok: false, error: { kind: "held" } });
    expect(readFileSync(path, "utf8")).toBe(text(process.pid));
  },
);

test("is not hung by a pipe in its place", () => {
  execFileSync("mkfifo", [path]);
  expect(lock(20).ok).toBe(false);
});

test("a folder in its place, and a path through a file, fail with the reason", () => {
  mkdirSync(path);
  expect(lock(20)).toMatchObject({ ok: false, error: { kind: "failed", message: expect.stringContaining("EISDIR") } });
  writeFileSync(join(folder, "file"), "");
  path = join(folder, "file", "x.lock");
  expect(lock(20)).toMatchObject({
    ok: false,
    error: { kind: "failed", message: expect.stringContaining("ENOTDIR") },
  });
});

test("a link that leads nowhere in its place is waited for and no longer", () => {
  symlinkSync(join(folder, "nowhere"), path);
  expect(lock(20)).toMatchObject({ ok: false, error: { kind: "held" } });
  expect(readdirSync(folder)).toEqual(["x.lock"]);
});

test("a folder without rights fails with the reason, and nothing runs", async () => {
  chmodSync(folder, 0o555);
  const holder = runNode(HOLD, [path, "0"], NOBODY);
  holder.child.stdin?.end();
  expect((await holder.ended).code).toBe(0);
  expect(holder.lines).toHaveLength(1);
  expect(JSON.parse(holder.lines[0] ?? "")).toEqual({
    kind: "failed",
    code: "EACCES",
    path,
    message: "cannot be locked: permission denied (EACCES)",
  });
  expect(readdirSync(folder)).toEqual([]);
});
