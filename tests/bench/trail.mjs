// Recall, precision and tokens of the trail on each transcript of the real client: node tests/bench/trail.mjs
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const BUDGET = Number(process.argv[2] ?? 1_500);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FIXTURES = join(ROOT, "tests/fixtures/claude-code");
const folder = mkdtempSync(join(tmpdir(), "context-trail-bench-"));

try {
  const outfile = join(folder, "trail.mjs");
  const names = ["trail/trail", "trail/render", "transcript/row", "transcript/activity", "base/token-estimate"];
  await build({
    stdin: {
      contents: names.map((name) => `export * from "./src/${name}.ts";`).join("\n"),
      resolveDir: ROOT,
    },
    bundle: true,
    format: "esm",
    platform: "node",
    outfile,
    logLevel: "error",
  });
  run(await import(pathToFileURL(outfile).href));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run({ buildTrail, renderTrail, readRows, rowsOfText, activitiesOf, estimateTokens }) {
  const options = { root: "/home/dev/acme", home: "/home/dev", cwd: null, since: "start" };
  console.log(`budget ${BUDGET}; tokens are estimates\n`);
  console.log("recall precision   md  xml json  build ms  transcript");
  for (const path of transcripts(FIXTURES)) {
    const text = readFileSync(path, "utf8");
    const activities = activitiesOf(readRows(rowsOfText(text)).entries);
    const trail = buildTrail(activities, options);
    const times = Array.from({ length: 30 }, () => {
      const start = performance.now();
      buildTrail(activities, options);
      return performance.now() - start;
    });
    const rendered = Object.fromEntries(
      ["md", "xml", "json"].map((format) => [format, renderTrail(trail, { format, budget: BUDGET }).text]),
    );
    const wanted = truth(text);
    const shown = new Set((JSON.parse(rendered.json).files ?? []).map((file) => file.path));
    const hits = [...wanted].filter((file) => shown.has(file)).length;
    const columns = [
      ratio(hits, wanted.size).padStart(6),
      ratio(hits, shown.size).padStart(9),
      ...["md", "xml", "json"].map((format) => String(estimateTokens(rendered[format])).padStart(4)),
      times
        .sort((a, b) => a - b)[15]
        .toFixed(2)
        .padStart(9),
    ];
    console.log(`${columns.join(" ")}  ${relative(FIXTURES, path)}`);
  }
}

function ratio(part, whole) {
  return whole === 0 ? "-" : (part / whole).toFixed(2);
}

function transcripts(from) {
  return readdirSync(from, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(from, entry.name);
      return entry.isDirectory() ? transcripts(path) : path.endsWith(".jsonl") ? [path] : [];
    });
}

/** Files of editing calls whose result is no error, read from the records without the code under test. */
function truth(text) {
  const calls = new Map();
  const files = new Set();
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const { message } = JSON.parse(line);
    for (const block of Array.isArray(message?.content) ? message.content : []) {
      if (block.type === "tool_use") calls.set(block.id, block);
      const call = block.type === "tool_result" ? calls.get(block.tool_use_id) : undefined;
      if (call === undefined || block.is_error === true) continue;
      if (!["Write", "Edit", "MultiEdit", "NotebookEdit"].includes(call.name)) continue;
      const path = call.input.file_path ?? call.input.notebook_path;
      files.add(path.replace(/^\/home\/dev\/acme\//, ""));
    }
  }
  return files;
}
