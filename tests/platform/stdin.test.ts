import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { bundleScript, remove, temporaryFolder } from "./scripts.ts";

const folder = temporaryFolder();
const STDIN = bundleScript(new URL("./fixtures/stdin.ts", import.meta.url), folder);
afterAll(() => remove(folder));

const env = { PATH: process.env.PATH ?? "", HOME: "/nonexistent" };
const JSON_TEXT = '{"a":"é 漢字"}';

interface Answer {
  readonly text: string;
  readonly length: number;
  readonly end: string;
  readonly milliseconds: number;
  /** Whether Node's streams of sockets were loaded. */
  readonly streams: boolean;
}

function answerOf(output: string): Answer {
  return JSON.parse(output);
}

/** Runs it through a shell, which gives it what a shell gives: a file, a pipe, a device, nothing. */
function viaShell(redirect: string, how = "250"): Answer {
  const result = spawnSync("bash", ["-c", redirect, "bash", process.execPath, STDIN, how], { env, cwd: folder });
  expect(result.stderr.toString()).toBe("");
  expect(result.status).toBe(0);
  return answerOf(result.stdout.toString());
}

/** Starts it with a socket for its input, as Node's spawn gives, and leaves that open. */
function viaSocket(
  how: string,
  more: Readonly<Record<string, string>> = {},
): { child: ChildProcess; answer: Promise<Answer> } {
  const child = spawn(process.execPath, [STDIN, how], {
    env: { ...env, ...more },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString("utf8");
  });
  const answer = new Promise<Answer>((resolve) => child.on("close", () => resolve(answerOf(output))));
  return { child, answer };
}

test.each(["250", "whole"])("a pipe that is closed, and a file: %s", (how) => {
  writeFileSync(join(folder, "in"), "text");
  expect(viaShell('printf text | "$@"', how)).toMatchObject({ text: "text", end: "closed" });
  expect(viaShell('"$@" < in', how)).toMatchObject({ text: "text", end: "closed" });
  expect(viaShell('"$@" <<< text', how)).toMatchObject({ text: "text\n", end: "closed" });
});

test.each(["250", "whole"])("nothing at all: closed, the null device, an empty file, an empty pipe: %s", (how) => {
  writeFileSync(join(folder, "empty"), "");
  for (const redirect of ['"$@" <&-', '"$@" < /dev/null', '"$@" < empty', 'true | "$@"']) {
    expect(viaShell(redirect, how)).toMatchObject({ length: 0, end: "closed" });
  }
});

test("a file whose first lines somebody else has read goes on where they stopped", () => {
  writeFileSync(join(folder, "in"), "first\nsecond");
  expect(viaShell('{ read -r line; "$@"; } < in').text).toBe("second");
});

test("a pipe that stays open without data is left after the time that was given", () => {
  const answer = viaShell('exec 3> >("$@"); wait $!', "150");
  expect(answer).toMatchObject({ length: 0, end: "idle" });
  expect(answer.milliseconds).toBeGreaterThanOrEqual(150);
  expect(answer.milliseconds).toBeLessThan(30_000);
});

test("a pipe that stays open with a whole value is left at once, with half a value after the time", () => {
  const open = (text: string) => `exec 3> >("$@"); printf '%s' '${text}' >&3; wait $!`;
  const whole = viaShell(open(JSON_TEXT), "60000");
  expect(whole).toMatchObject({ text: JSON_TEXT, end: "enough" });
  expect(whole.milliseconds).toBeLessThan(30_000);
  expect(viaShell(open('{"a":'), "150")).toMatchObject({ text: '{"a":', end: "idle" });
});

test("a value that comes in pieces is waited for as long as pieces come", () => {
  const pieces = '{ for i in 1 2 3 4 5 6; do printf "%s" "$i"; sleep 0.25; done; printf "}"; } | "$@"';
  expect(viaShell(pieces, "1000")).toMatchObject({ text: "123456}", end: "enough" });
});

test("more than allowed is given up, also where it never ends", () => {
  expect(viaShell('yes | "$@"').end).toBe("too-large");
  expect(viaShell('"$@" < /dev/zero').end).toBe("too-large");
  expect(viaShell('yes | "$@"', "whole").end).toBe("too-large");
});

test("whoever writes more than allowed gets rid of it all, through a pipe and through a socket", async () => {
  // So much that the shell's part is in time on a busy machine, too: what is left is taken off its hands for a second.
  const written = (how: string) =>
    viaShell(`{ head -c 8000000 /dev/zero; echo $? > written; } | "$@"; test "$(cat written)" = 0`, how).end;
  expect(written("5000")).toBe("too-large");
  expect(written("whole")).toBe("too-large");
  const { child, answer } = viaSocket("60000");
  const failed = new Promise<unknown>((resolve) => {
    child.stdin?.on("error", resolve);
    child.stdin?.end(Buffer.alloc(50_000_000), () => resolve(null));
  });
  expect(await failed).toBeNull();
  expect((await answer).end).toBe("too-large");
});

test("a folder as input fails, without a throw", () => {
  expect(viaShell('"$@" < .').end).toBe("failed");
});

test("a socket: a whole value is taken at once though it stays open, and the process ends", async () => {
  const { child, answer } = viaSocket("60000");
  child.stdin?.write(JSON_TEXT);
  const answered = await answer;
  expect(answered).toMatchObject({ text: JSON_TEXT, end: "enough" });
  expect(answered.milliseconds).toBeLessThan(30_000);
});

test("a socket: nothing, and half a value, are left after the time, and the process ends", async () => {
  const [silent, half] = [viaSocket("150"), viaSocket("150")];
  half.child.stdin?.write("{");
  expect(await silent.answer).toMatchObject({ length: 0, end: "idle" });
  expect(await half.answer).toMatchObject({ text: "{", end: "idle" });
});

test("a socket: closed with and without data", async () => {
  const [full, none, whole] = [viaSocket("5000"), viaSocket("5000"), viaSocket("whole")];
  full.child.stdin?.end("text");
  none.child.stdin?.end();
  whole.child.stdin?.end("text");
  expect(await full.answer).toMatchObject({ text: "text", end: "closed" });
  expect(await none.answer).toMatchObject({ length: 0, end: "closed" });
  expect(await whole.answer).toMatchObject({ text: "text", end: "closed" });
});

test.each([
  ["by Node's inside, without its streams", {}, false],
  ["by its streams, where uses of its inside are told of", { NODE_PENDING_DEPRECATION: "1" }, true],
  ["by its streams, where Node is given options", { NODE_OPTIONS: "--pending-deprecation" }, true],
])("a socket is read %s", async (_how, more, streams) => {
  const [whole, silent, closed] = [viaSocket("5000", more), viaSocket("150", more), viaSocket("5000", more)];
  whole.child.stdin?.write("é".repeat(50_000));
  whole.child.stdin?.write("}");
  closed.child.stdin?.end("text");
  expect(await whole.answer).toMatchObject({ length: 100_001, end: "enough", streams });
  expect(await silent.answer).toMatchObject({ length: 0, end: "idle", streams });
  expect(await closed.answer).toMatchObject({ text: "text", end: "closed", streams });
});

test("what came while the process was stopped is read, however long that was", async () => {
  const sockets = [viaSocket("2500"), viaSocket("2500", { NODE_PENDING_DEPRECATION: "1" })];
  const shell = 'exec 3> >(exec "$@"); sleep 0.7; kill -STOP $!; printf {} >&3; sleep 3; kill -CONT $!; wait $!';
  const pipe = spawn("bash", ["-c", shell, "bash", process.execPath, STDIN, "2500"], { env, cwd: folder });
  const piped = new Promise<Answer>((resolve) => pipe.stdout.on("data", (text) => resolve(answerOf(String(text)))));
  await setTimeout(700);
  for (const { child } of sockets) child.kill("SIGSTOP");
  for (const { child } of sockets) child.stdin?.write("{}");
  await setTimeout(3000);
  for (const { child } of sockets) child.kill("SIGCONT");
  for (const { answer } of sockets) expect(await answer).toMatchObject({ text: "{}", end: "enough" });
  expect(await piped).toMatchObject({ text: "{}", end: "enough" });
});

test("bytes are given as they came, a BOM and half a character too", () => {
  expect(viaShell("printf '\\xef\\xbb\\xbf{}' | \"$@\"")).toMatchObject({ text: "\uFEFF{}", length: 5 });
  expect(viaShell("printf '\\xef\\xbb\\xbf' | \"$@\"")).toMatchObject({ length: 3, end: "closed" });
  expect(viaShell("printf '\\xc3' | \"$@\"")).toMatchObject({ length: 1, end: "closed" });
  for (const locale of ["LANG=C", "LC_ALL=zh_CN.GBK"]) {
    expect(viaShell(`printf '%s' '${JSON_TEXT}' | env ${locale} "$@"`).text).toBe(JSON_TEXT);
  }
});

const terminal = spawnSync("script", ["--version"]).status === 0;

test.skipIf(!terminal)("a terminal is never waited for", () => {
  const command = `${process.execPath} ${STDIN} 60000 > ${join(folder, "out")}`;
  const input = openSync("/dev/null", "r");
  const result = spawnSync("script", ["-qec", command, "/dev/null"], { env, stdio: [input, "ignore", "ignore"] });
  closeSync(input);
  expect(result.status).toBe(0);
  const answer = viaShell("cat out");
  expect(answer).toMatchObject({ length: 0, end: "terminal" });
  expect(answer.milliseconds).toBeLessThan(30_000);
});
