import { readFileSync } from "node:fs";
import { relative } from "node:path";
import istanbul from "istanbul-lib-coverage";

/**
 * Of the pure rooms, by what the tests call themselves: what was reached last, all of it by the rooms' own tests, less a line
 * in a thousand that an input by chance may miss. To be raised up to 100, never lowered. Of the branches most that are left
 * cannot be taken: `table[index] ?? 0`, where the index is known to be one of the table's.
 */
const PURE = { lines: 99.9, statements: 99.9, functions: 99.9, branches: 98 };

/** Of all lines, by the tests' own calls and the processes that they start. */
const WHOLE = 90;

/** Prints what was run, room by room; whether that is enough. */
export function report(counted, ofProcesses, { tree, rooms, missing }) {
  const map = istanbul.createCoverageMap(withoutNever(counted));
  const byRoom = new Map();
  const pure = istanbul.createCoverageSummary();
  const whole = { all: 0, ran: 0 };
  for (const file of map.files().sort()) {
    const path = relative(tree, file).replaceAll("\\", "/");
    const coverage = map.fileCoverageFor(file);
    const [, room = "."] = /^src\/([^/]+)\//.exec(path) ?? [];
    const sum = byRoom.get(room) ?? { own: istanbul.createCoverageSummary(), all: 0, ran: 0 };
    byRoom.set(room, sum);
    sum.own.merge(coverage.toSummary());
    const lines = Object.entries(coverage.getLineCoverage());
    const idle = lines.filter(([line, count]) => count === 0 && !ofProcesses.get(path)?.has(Number(line)));
    for (const each of [sum, whole]) {
      each.all += lines.length;
      each.ran += lines.length - idle.length;
    }
    const isPure = rooms.includes(room);
    if (isPure) pure.merge(coverage.toSummary());
    if (missing) show(path, coverage, isPure ? null : idle);
  }
  console.log("room             lines  of which by own calls: lines  statements  functions  branches");
  for (const [room, { own, all, ran }] of byRoom) {
    console.log(`${room.padEnd(15)} ${percent(ran, all)}  ${" ".repeat(16)} ${ownParts(own)}`);
  }
  console.log(`${"pure rooms".padEnd(15)} ${" ".repeat(24)} ${ownParts(pure)}`);
  console.log(`${"all".padEnd(15)} ${percent(whole.ran, whole.all)}`);
  const short = Object.entries(PURE).filter(([part, least]) => pure[part].pct < least);
  for (const [part, least] of short)
    console.error(`The pure rooms' ${part}: ${pure[part].pct} %, expected ${least} %.`);
  const enough = whole.ran >= (whole.all * WHOLE) / 100;
  if (!enough) console.error(`All lines: ${percent(whole.ran, whole.all).trim()} %, expected ${WHOLE} %.`);
  return short.length === 0 && enough;
}

/** Left out: what the compiler proves that nothing reaches, the default of a switch that ends in `satisfies never`. */
function withoutNever(counted) {
  for (const [path, { s, statementMap, b, branchMap }] of Object.entries(counted)) {
    const lines = readFileSync(path, "utf8").split("\n");
    const isNever = (line) =>
      /^\s*(?:default:|return [\w.]+ satisfies never;|[\w.]+ satisfies never;)$/.test(lines[line - 1] ?? "");
    const ends = (line) =>
      isNever(line) && (lines[line - 1].includes("never") || lines[line]?.includes("satisfies never"));
    for (const [id, { start }] of Object.entries(statementMap)) {
      if (!ends(start.line)) continue;
      delete s[id];
      delete statementMap[id];
    }
    for (const [id, { locations }] of Object.entries(branchMap)) {
      const kept = locations.flatMap(({ start }, index) =>
        start.line !== undefined && ends(start.line) ? [] : [index],
      );
      b[id] = kept.map((index) => b[id][index]);
      branchMap[id].locations = kept.map((index) => locations[index]);
    }
  }
  return counted;
}

function ownParts(own) {
  return ["lines", "statements", "functions", "branches"].map((part) => own[part].pct.toFixed(2).padStart(10)).join("");
}

function percent(part, all) {
  return (all === 0 ? 100 : (100 * part) / all).toFixed(2).padStart(6);
}

function show(path, coverage, idle) {
  const { s, statementMap, b, branchMap, f, fnMap } = coverage.data;
  if (idle !== null) {
    if (idle.length > 0) console.log(`${path}: no test runs line ${idle.map(([line]) => line).join(", ")}`);
    return;
  }
  const places = [
    ...Object.keys(s).flatMap((id) => (s[id] === 0 ? [`line ${statementMap[id].start.line}`] : [])),
    ...Object.keys(f).flatMap((id) =>
      f[id] === 0 ? [`function ${fnMap[id].name} (${fnMap[id].loc.start.line})`] : [],
    ),
    ...Object.keys(b).flatMap((id) =>
      b[id].flatMap((count, index) =>
        count === 0 ? [`branch ${branchMap[id].locations[index].start.line ?? branchMap[id].loc.start.line}`] : [],
      ),
    ),
  ];
  if (places.length > 0) console.log(`${path}: ${[...new Set(places)].join(", ")}`);
}
