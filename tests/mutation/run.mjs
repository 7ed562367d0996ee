// How much of what is pure the tests hold: `npm run test:mutation` changes the source in a thousand small ways, and counts
// the changes that no test notices.
//   npm run test:mutation                                  every room: an hour on one core
//   npm run test:mutation -- base lifecycle                these rooms
//   npm run test:mutation -- --survivors src/base/xml.ts   this file, and each change that was not noticed
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ROOMS } from "./rooms.mjs";

/** Of each room; what is left is mostly wording, and changes that change nothing. */
const LEAST = 85;

const root = fileURLToPath(new URL("../..", import.meta.url));
const { values, positionals } = parseArgs({ allowPositionals: true, options: { survivors: { type: "boolean" } } });
const asked = positionals.length > 0 ? positionals : ROOMS;

const rows = [];
for (const each of asked) {
  const room = each.replace(/^src\//, "").split("/")[0];
  if (!ROOMS.includes(room)) throw new Error(`${each}: found no such room; the rooms are ${ROOMS.join(", ")}`);
  rows.push(...mutate(room, each.endsWith(".ts") ? each : undefined));
}
const total = sum(rows);
for (const row of [...rows, ...(rows.length > 1 ? [{ ...total, file: "all" }] : [])]) console.log(line(row));
process.exitCode = score(total) >= LEAST ? 0 : 1;

function mutate(room, file) {
  mkdirSync(join(root, "reports", "mutation"), { recursive: true });
  const stryker = join(root, "node_modules", "@stryker-mutator", "core", "bin", "stryker.js");
  const ran = spawnSync(process.execPath, [stryker, "run", "tests/mutation/stryker.config.mjs"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    env: {
      // Helpers of the tests look for a build as soon as they are loaded; the copy that is changed has none.
      CONTEXT_UNDER_TEST: root,
      ...process.env,
      ...{ MUTATION_ROOM: room, ...(file === undefined ? {} : { MUTATION_FILES: file }) },
    },
  });
  if (ran.status !== 0) {
    // Which test failed before anything was changed, or what the runner died of, stands there alone.
    console.error(ran.stdout);
    throw new Error(`Stryker stopped with ${ran.status ?? ran.signal} in ${room}`);
  }
  const report = JSON.parse(readFileSync(join(root, "reports", "mutation", `${room}.json`), "utf8"));
  const files = Object.entries(report.files).map(([name, { mutants, source }]) => {
    if (values.survivors) show(name, mutants, source);
    return { file: name, ...count(mutants) };
  });
  console.log(line({ ...sum(files), file: `src/${room}` }));
  return files;
}

function count(mutants) {
  const of = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
  return { noticed: of("Killed", "Timeout"), survived: of("Survived"), unreached: of("NoCoverage") };
}

function sum(rows) {
  const all = { noticed: 0, survived: 0, unreached: 0 };
  for (const row of rows) for (const key of Object.keys(all)) all[key] += row[key];
  return all;
}

function score({ noticed, survived, unreached }) {
  const all = noticed + survived + unreached;
  return all === 0 ? 100 : (100 * noticed) / all;
}

function line(row) {
  const { file, noticed, survived, unreached } = row;
  return `${score(row).toFixed(1).padStart(5)} %  ${file}: ${noticed} noticed, ${survived} survived, ${unreached} not reached`;
}

function show(name, mutants, source) {
  const lines = source.split("\n");
  for (const { status, location, replacement } of mutants) {
    if (status !== "Survived" && status !== "NoCoverage") continue;
    const { start, end } = location;
    const was = lines.slice(start.line - 1, end.line).join("\n");
    const from = was.slice(start.column - 1, end.line === start.line ? end.column - 1 : undefined);
    console.log(`${name}:${start.line}:${start.column} ${status}: ${short(from)} -> ${short(replacement ?? "")}`);
  }
}

function short(text) {
  const one = text.replaceAll(/\s+/g, " ");
  return one.length > 100 ? `${one.slice(0, 100)}…` : one;
}
