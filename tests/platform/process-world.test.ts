import { spawn, spawnSync } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { bundleScript, remove, temporaryFolder } from "./scripts.ts";

const folder = temporaryFolder();
const WORLD = bundleScript(new URL("./fixtures/world.ts", import.meta.url), folder);
afterAll(() => remove(folder));

const env = { PATH: process.env.PATH ?? "", HOME: "/nonexistent", NODE: process.execPath, WORLD };

function shell(script: string): { stdout: string; stderr: string; status: number | null } {
  const result = spawnSync("bash", ["-c", script], { env, cwd: folder });
  return { stdout: result.stdout.toString(), stderr: result.stderr.toString(), status: result.status };
}

test("writes all of a text that no pipe takes at once, to a reader that is slow", async () => {
  const child = spawn(process.execPath, [WORLD, "write", "4000000"], { env, stdio: ["ignore", "pipe", "inherit"] });
  let length = 0;
  let last = "";
  child.stdout.on("readable", () => {
    const chunk: unknown = child.stdout.read();
    if (!Buffer.isBuffer(chunk)) return;
    length += chunk.length;
    last = chunk.toString("utf8").slice(-4);
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect({ length, last, code }).toEqual({ length: 4_000_004, last: "end\n", code: 0 });
});

test("writes all of a text to a pipe that somebody has set to refuse what it cannot take at once", async () => {
  const fifo = join(folder, "fifo");
  spawnSync("mkfifo", [fifo]);
  const fd = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK);
  const reader = spawn("cat", [fifo], { env, stdio: ["ignore", "pipe", "inherit"] });
  const chunks: Buffer[] = [];
  reader.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  const opened = new Promise((resolve) => reader.stdout.once("data", resolve));
  // As its third: spawn makes the first three wait again.
  const script = 'exec "$NODE" "$WORLD" write 4000000 >&3';
  const writer = spawn("sh", ["-c", script], { env, stdio: ["ignore", "ignore", "inherit", fd] });
  const code = await new Promise((resolve) => writer.on("close", resolve));
  await opened;
  closeSync(fd);
  await new Promise((resolve) => reader.on("close", resolve));
  const bytes = Buffer.concat(chunks);
  expect({ code, length: bytes.length, last: bytes.toString("latin1").slice(-4) }).toEqual({
    code: 0,
    length: 4_000_004,
    last: "end\n",
  });
});

test("a reader that goes away is no fault", () => {
  const result = shell('set -o pipefail; "$NODE" "$WORLD" write 4000000 | head -c 10');
  expect(result).toEqual({ stdout: "ééééé", stderr: "", status: 0 });
});

test("a standard output that is closed or full is no fault", () => {
  for (const target of [">&-", "> /dev/full"]) {
    expect(shell(`"$NODE" "$WORLD" write 100 ${target}`)).toEqual({ stdout: "", stderr: "", status: 0 });
  }
});

test("a working directory that is gone does not stop it", () => {
  const result = shell('mkdir gone && cd gone && rmdir ../gone && "$NODE" "$WORLD" where');
  expect(result).toEqual({ stdout: `${folder}/gone\n`, stderr: "", status: 0 });
});

test("neither a pipe, a file, the null device nor nothing is a terminal", () => {
  for (const target of ["| cat", "> file", "> /dev/null", ">&-"]) {
    expect(shell(`"$NODE" "$WORLD" terminal ${target}`)).toEqual({ stdout: "", stderr: "false\n", status: 0 });
  }
});

const terminal = spawnSync("script", ["--version"]).status === 0;

test.skipIf(!terminal)("a terminal is one", () => {
  expect(
    shell(`script -qec '"$NODE" "$WORLD" terminal 2> said' /dev/null < /dev/null > /dev/null; cat said`).stdout,
  ).toBe("true\n");
});

test("one run has one time", () => {
  expect(shell('"$NODE" "$WORLD" clock').stdout).toBe("true\n");
});
