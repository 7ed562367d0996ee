/**
 * Time of `serializeThread` as a ratio of `JSON.stringify` over the same events, in one process: medians of paired runs.
 * Prints one JSON line a kind of text; exits with 1 where the ratio of the mixed thread is above its limit.
 * Usage: node tests/bench/thread.mjs [runs]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const EVENTS = 10_000;
const CHARACTERS = 1_000;
const LIMIT = 1.5;
/** Runs before V8 has compiled both ways for good. */
const WARM_UP = 10;
const runs = Number(process.argv[2] ?? 41);

const prose =
  'The parser reads the file once and keeps what it found. It doesn\'t follow links, and "unknown" keys stay where they are. ';
const code =
  "  for (const entry of entries) if (entry.size > limit && !seen.has(entry.path)) out.push(`$" + "{entry.path}`);\n";
const listing = "-rw-r--r-- 1 agent agent  4242 Nov 27 23:18 src/thread/serialize-thread.ts\n";
const json = `${JSON.stringify({ path: "src/thread/event.ts", line: 12, ok: true, note: "as it should be" })}\n`;
const foreign = "Grüße aus Köln — 検索結果は三件です。🚀 It's done. ";

const texts = {
  mixed: [prose, listing, code, prose, json, listing, prose, listing],
  prose: [prose],
  listing: [listing],
  code: [code],
  json: [json],
  foreign: [foreign],
};

const folder = mkdtempSync(join(tmpdir(), "thread-bench-"));
try {
  const outfile = join(folder, "thread.mjs");
  const entry = new URL("../../src/thread/index.ts", import.meta.url).pathname;
  await build({ entryPoints: [entry], bundle: true, format: "esm", platform: "neutral", outfile, logLevel: "error" });
  const { serializeThread } = await import(pathToFileURL(outfile).href);
  for (const [name, parts] of Object.entries(texts)) {
    const events = makeEvents(parts);
    const own = [];
    const native = [];
    for (let run = 0; run < WARM_UP + runs; run++) {
      const order = run % 2 === 0 ? [own, native] : [native, own];
      for (const times of order) {
        const work = times === own ? () => serializeThread(events) : () => JSON.stringify(events);
        const from = process.hrtime.bigint();
        const text = work();
        // A rope is no text yet: reading a character makes it flat.
        if (text.charCodeAt(text.length - 1) === 0) throw new Error("no text");
        if (run >= WARM_UP) times.push(Number(process.hrtime.bigint() - from) / 1e6);
      }
    }
    const ratio = median(own) / median(native);
    const row = { text: name, ratio: round(ratio), ms: round(median(own)), stringify_ms: round(median(native)) };
    process.stdout.write(`${JSON.stringify(row)}\n`);
    if (name === "mixed" && ratio > LIMIT) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}

function makeEvents(parts) {
  return Array.from({ length: EVENTS }, (_, index) => {
    const base = { timestamp: 1_700_000_000_000 + index, iteration: Math.floor(index / 8) };
    const text = sized(parts[index % parts.length], index);
    const toolCallId = `call_${index - (index % 4 === 2 ? 1 : 0)}`;
    switch (index % 4) {
      case 0:
        return { type: "message", role: index % 8 === 0 ? "user" : "assistant", content: text, ...base };
      case 1:
        return { type: "tool_call", toolName: "write", toolCallId, args: { path: `a/${index}.ts`, text }, ...base };
      case 2:
        return { type: "tool_result", toolCallId, result: text, durationMs: index % 90, ...base };
      default:
        return { type: "summary", summarizedIterations: [index, index + 1], summary: text, ...base };
    }
  });
}

/** A flat string of its own, as a reader of files yields it. */
function sized(part, index) {
  return Array.from((part.repeat(Math.ceil(CHARACTERS / part.length)) + index).slice(0, CHARACTERS)).join("");
}

function median(times) {
  return times.toSorted((a, b) => a - b)[times.length >> 1];
}

function round(value) {
  return Math.round(value * 100) / 100;
}
