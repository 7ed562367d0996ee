import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { runBounded } from "../../src/platform/run-bounded.ts";

const options = { cwd: tmpdir(), env: { PATH: process.env.PATH }, input: "", limitMs: 20_000 };
const sh = (line: string, more: Partial<typeof options> = {}) =>
  runBounded("/bin/sh", ["-c", line], { ...options, ...more });

test("what a program prints, reads and exits with comes back", async () => {
  expect(await sh("cat; echo e >&2; exit 3", { input: "é" })).toMatchObject({
    ...{ exitCode: 3, timedOut: false, stdout: "é", stderr: "e\n" },
  });
});

test("a program that takes too long is ended with all that it started", async () => {
  const ran = await sh("sleep 77.25 & echo $!; sleep 77.25", { limitMs: 300 });
  expect(ran).toMatchObject({ exitCode: null, timedOut: true });
  const left = await sh(`kill -0 ${ran.stdout.trim()} && ps -o stat= -p ${ran.stdout.trim()} | grep -v Z`);
  expect(left.exitCode).not.toBe(0);
});

test("a child that lives on and holds the pipes does not keep anybody waiting", async () => {
  const ran = await sh("sleep 5 & echo $!");
  expect(ran).toMatchObject({ exitCode: 0, timedOut: false });
  await sh(`kill ${ran.stdout.trim()}`);
});

test("a program that cannot be started says why", async () => {
  const missing = await runBounded("/no/such/program", [], options);
  expect(missing).toMatchObject({ exitCode: null, timedOut: false, stderr: expect.stringContaining("ENOENT") });
});

test("a program that is not there, or that reads nothing of a large input, is no fault", async () => {
  expect(await runBounded("/no/such/program", [], options)).toMatchObject({ exitCode: null, timedOut: false });
  expect(await sh("exit 0", { input: "x".repeat(4_000_000) })).toMatchObject({ exitCode: 0 });
});
