// Whole processes against a base, in pairs of one go: ratios of medians hold on a noisy machine, milliseconds do not.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes the process's own peak memory, in kilobytes, beside what else it does. */
const PEAK = `process.on("exit", () => require("node:fs").writeFileSync(process.env.BENCH_PEAK, String(process.resourceUsage().maxRSS)));`;

/**
 * `work` is a folder that is gone after the bench. Nothing of the caller's environment reaches a measured process. `compiled` is
 * where code is kept that V8 compiled: each row's first run, which is not measured, makes it anew, and for no other job.
 */
export function measurer(work, compiled) {
  const env = { PATH: process.env.PATH, HOME: work };
  const peakHook = join(work, "peak.cjs");
  const peakFile = join(work, "peak.txt");
  const empty = join(work, "empty.cjs");
  writeFileSync(peakHook, PEAK);
  writeFileSync(empty, "");

  /** Runs a job `{ file?, args, cwd?, input?, env?, before? }` once and returns its milliseconds; `file` is Node unless given. */
  function timed({ file = process.execPath, args, before, env: more, ...options }) {
    before?.();
    const start = process.hrtime.bigint();
    const result = spawnSync(file, args, { env: { ...env, ...more }, maxBuffer: 2 ** 28, ...options });
    const ms = Number(process.hrtime.bigint() - start) / 1e6;
    if (result.status !== 0) throw new Error(`${file} ${args.join(" ")}: exit ${result.status}\n${result.stderr}`);
    return ms;
  }

  /** Peak memory of a Node job in megabytes; null for another program. */
  function peak(job) {
    if (job.file !== undefined) return null;
    timed({ ...job, args: ["--require", peakHook, ...job.args], env: { ...job.env, BENCH_PEAK: peakFile } });
    return Number(readFileSync(peakFile, "utf8")) / 1024;
  }

  function pair(job, base, runs) {
    const a = [];
    const b = [];
    rmSync(compiled, { recursive: true, force: true });
    timed(job);
    timed(base);
    for (let run = 0; run < runs; run++) {
      a.push(timed(job));
      b.push(timed(base));
    }
    return { ms: median(a), baseMs: median(b), ratio: median(a) / median(b), peak: peak(job) };
  }

  return { timed, pair, empty: { args: [empty] }, env };
}

export function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}
