// The built command line in a process that stays (resident.ts). Each order is a start of its own: the bundles are evaluated
// anew, and words, environment, working folder, clock and standard streams are the order's.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, fstatSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Script } from "node:vm";
import { Worker } from "node:worker_threads";
import { bundleTexts } from "../../scripts/packed-bundles.mjs";
import { serve } from "./serve.mjs";

const [, , programRoot] = process.argv;
const bundles = join(programRoot, "dist", "bundle");
const build = readFileSync(join(bundles, "build-id"), "utf8").trim();
const own = createRequire(join(bundles, "cli-start.cjs"));
const texts = bundleTexts(bundles);
const scripts = new Map();
const uptime = process.uptime.bind(process);

const folder = mkdtempSync(join(tmpdir(), "context-resident-"));
const [input, out, err] = ["in", "out", "err"].map((name) => join(folder, name));
execFileSync("mkfifo", [input]);

// A program that hangs is ended, as one that was started is; whoever asked sees the pipe close.
const orders = new Int32Array(new SharedArrayBuffer(4));
const WATCH = `
  const { workerData } = require("node:worker_threads");
  for (let seen = 0; ; seen = workerData[0])
    if (Atomics.wait(workerData, 0, seen, 90_000) === "timed-out" && seen % 2 === 1) process.kill(process.pid, "SIGKILL");
`;
const watch = new Worker(WATCH, { eval: true, workerData: orders });
// While it starts it opens files, which could take the number of one that is opened anew here.
await once(watch, "online");
watch.unref();

function passOrder() {
  Atomics.add(orders, 0, 1);
  Atomics.notify(orders, 0);
}

function scriptOf(name) {
  const known = scripts.get(name);
  if (known !== undefined) return known;
  const filename = join(bundles, name);
  const source = texts.get(name);
  if (source === undefined) throw new Error(`${filename} is not there.`);
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, { filename });
  scripts.set(name, script);
  return script;
}

/** As `src/platform/code-cache.ts` loads bundles, but for the compiled code that it keeps. */
function newLoader() {
  const modules = new Map();
  return function load(name) {
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    const require = (id) => (id.startsWith("./") ? load(id.slice(2)) : own(id));
    scriptOf(name).runInThisContext()(module.exports, require, module, join(bundles, name), bundles);
    return module.exports;
  };
}

function setEnvironment(env) {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}

/** The lowest free number is the one that was closed. */
function reopen(fd, path, flags) {
  closeSync(fd);
  if (openSync(path, flags) !== fd) throw new Error(`${path} is not file ${fd}`);
}

/** A pipe that holds all of it, and whose other end is closed. */
function openInput(bytes) {
  const held = openSync(input, "r+");
  if (bytes.length > 0) writeSync(held, bytes);
  reopen(0, input, "r");
  closeSync(held);
}

function contentOf(fd) {
  const bytes = Buffer.alloc(fstatSync(fd).size);
  readSync(fd, bytes, 0, bytes.length, 0);
  return bytes.toString("utf8");
}

await serve(async (order) => {
  passOrder();
  process.chdir(order.cwd);
  setEnvironment(order.env);
  process.argv = [process.execPath, join(programRoot, "bin", "context.js"), ...order.args];
  const began = uptime();
  process.uptime = () => uptime() - began;
  openInput(Buffer.from(order.input, "base64"));
  reopen(1, out, "w+");
  reopen(2, err, "w+");
  const load = newLoader();
  const whole = () => load("cli-bin.cjs");
  const run = async () => load(order.quick).run(build);
  const quick = order.quick === null ? null : await run().catch((error) => whole().fault(build, error));
  const status = quick ?? (await whole().run(build));
  process.chdir(folder);
  // What was not read goes with the last one that holds the pipe.
  reopen(0, "/dev/null", "r");
  passOrder();
  return { status, stdout: contentOf(1), stderr: contentOf(2) };
});
rmSync(folder, { recursive: true });
process.exit();
