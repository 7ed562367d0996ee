// Feeds mutated texts to everything that reads what others write: `npm run fuzz -- --minutes 10`.
//
// An input is made of its target, the seed and its number alone, so a finding is repeated with
// `--target <name> --seed <seed> --from <number> --count 1`, and a run that was ended goes on with the `--from` that it
// named last. The inputs run in a worker: one that never ends is seen from outside.
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";

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
  },
});

const folder = mkdtempSync(join(tmpdir(), "context-fuzz-"));
try {
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const file = join(folder, "worker.mjs");
  await build({
    entryPoints: [join(root, "tests", "fuzz", "worker.ts")],
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "warning",
  });
  process.exitCode = await run(file);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(file) {
  const seed = Number(values.seed);
  const place = new BigInt64Array(new SharedArrayBuffer(16));
  const worker = new Worker(file, {
    workerData: {
      root,
      seed,
      targets: values.target ?? null,
      count: Number(values.count),
      from: Number(values.from),
      endsAt: Date.now() + Number(values.minutes) * 60_000,
      place,
    },
  });
  return new Promise((resolve) => {
    let last = "";
    let ticks = 0;
    const watch = setInterval(() => {
      const now = place.join(" ");
      if (now === last) {
        console.log(`hang: --seed ${seed} --from ${place[0]} --count 1, target number ${place[1]}`);
        worker.terminate();
        resolve(1);
      }
      last = now;
      ticks += 1;
      if (ticks % 3 === 0) console.error(`alive: --seed ${seed} --from ${place[0]}`);
    }, HANG_MS);
    worker.on("message", ({ counts, findings, slowest }) => {
      const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
      console.log(`${total} inputs, seed ${seed}: ${JSON.stringify(counts)}`);
      console.log(`slowest: ${Math.round(slowest.ms)} ms (${slowest.name} ${slowest.index})`);
      for (const { name, index, message, text } of findings) {
        console.log(`\n${name}: ${message}\n  --target ${name} --seed ${seed} --from ${index} --count 1`);
        if (values.show) console.log(JSON.stringify(text));
      }
      resolve(findings.length === 0 ? 0 : 1);
    });
    worker.on("error", (error) => {
      console.error(error);
      resolve(1);
    });
    worker.on("exit", () => clearInterval(watch));
  });
}
