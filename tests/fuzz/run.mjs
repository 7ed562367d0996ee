// Feeds mutated texts to everything that reads what others write: `npm run fuzz -- --minutes 10`.
//
// An input is made of its target, the seed and its number alone, so a finding is repeated with
// `--target <name> --seed <seed> --from <number> --count 1`, and a run that was ended goes on with the `--from` that it
// named last. The inputs run in a worker: one that never ends is seen from outside.
//
// With `--guided` an input that comes to a block of the source where none was before is kept in `reports/fuzz/corpus`, and
// others are made of it; what is found stands in `reports/fuzz/findings`, and is repeated with `--target <name> --input <file>`.
// `--fresh` begins without what was kept and keeps nothing; `--blind` does not follow what it reaches, to compare.
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { buildGuided } from "./guided/build.mjs";
import { hungInput, printGuided, sharedInput } from "./guided/report.mjs";

/** An input may take a second; a worker without a sign of life for this long is ended. */
const HANG_MS = 20_000;

const root = fileURLToPath(new URL("../..", import.meta.url));
const { values } = parseArgs({
  options: {
    target: { type: "string", multiple: true },
    count: { type: "string", default: "1000000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    minutes: { type: "string", default: "60" },
    from: { type: "string", default: "0" },
    show: { type: "boolean", default: false },
    input: { type: "string" },
    guided: { type: "boolean", default: false },
    blind: { type: "boolean", default: false },
    fresh: { type: "boolean", default: false },
    missing: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed);
const findings = join(root, "reports", "fuzz", "findings");

const folder = mkdtempSync(join(tmpdir(), "context-fuzz-"));
try {
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const file = join(folder, "worker.mjs");
  process.exitCode = values.guided || values.blind ? await runGuided(file) : await runByNumber(file);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function runByNumber(file) {
  await build({
    entryPoints: [join(root, "tests", "fuzz", "worker.ts")],
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "warning",
  });
  const data = { count: Number(values.count), from: Number(values.from), input: values.input ?? null };
  return run(file, data, {
    hung: (place) => `--seed ${seed} --from ${place[0]} --count 1, target number ${place[1]}`,
    ended: ({ counts, findings, slowest }) => {
      const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
      console.log(`${total} inputs, seed ${seed}: ${JSON.stringify(counts)}`);
      console.log(`slowest: ${Math.round(slowest.ms)} ms (${slowest.name} ${slowest.index})`);
      for (const { name, index, message, text } of findings) {
        console.log(`\n${name}: ${message}\n  --target ${name} --seed ${seed} --from ${index} --count 1`);
        if (values.show) console.log(JSON.stringify(text));
      }
      return findings.length;
    },
  });
}

async function runGuided(file) {
  const modules = await buildGuided(root, join(root, "tests", "fuzz", "guided", "worker.ts"), file);
  const current = sharedInput();
  const corpus = values.fresh || values.blind ? null : join(root, "reports", "fuzz", "corpus");
  const data = { count: Number(values.count), modules, current, guided: values.guided, corpus, findings };
  return run(file, data, {
    hung: () => hungInput(current, findings),
    ended: (said) => printGuided(said, { seed, missing: values.missing }),
  });
}

/** 0 where nothing was found. */
function run(file, data, { hung, ended }) {
  const place = new BigInt64Array(new SharedArrayBuffer(16));
  const endsAt = Date.now() + Number(values.minutes) * 60_000;
  const worker = new Worker(file, {
    workerData: { root, seed, targets: values.target ?? null, endsAt, place, ...data },
  });
  return new Promise((resolve) => {
    let last = "";
    let ticks = 0;
    const watch = setInterval(() => {
      const now = place.join(" ");
      if (now === last) {
        console.log(`hang: ${hung(place)}`);
        worker.terminate();
        resolve(1);
      }
      last = now;
      ticks += 1;
      if (ticks % 3 === 0) console.error(`alive: --seed ${seed} --from ${place[0]}`);
    }, HANG_MS);
    worker.on("message", (said) => resolve(ended(said) === 0 ? 0 : 1));
    worker.on("error", (error) => {
      console.error(error);
      resolve(1);
    });
    worker.on("exit", () => clearInterval(watch));
  });
}
