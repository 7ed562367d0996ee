/**
 * Time of `serializeThread` as a ratio of `JSON.stringify` over the same events, in one process: medians of paired runs.
 * Prints one JSON line a kind of text, then one for each of two XML builders that make the mixed thread's document, as
 * ratios of `serializeThread`. Exits with 1 where the ratio of the mixed thread is above its limit, or a builder is ahead.
 * Usage: node tests/bench/thread.mjs [runs]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { XMLBuilder, XMLParser } from "fast-xml-parser";
import { create } from "xmlbuilder2";

const EVENTS = 10_000;
const CHARACTERS = 1_000;
const LIMIT = 1.5;
/** Runs before V8 has compiled both ways for good. */
const WARM_UP = 10;
const runs = Number(process.argv[2] ?? 41);
/** A builder takes up to a second for one document, far from the limit. */
const BUILDER_RUNS = 7;

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

const builders = {
  xmlbuilder2(events) {
    const thread = create().ele("thread");
    for (const { text, ...attributes } of elements(events)) thread.ele("event", attributes).txt(text);
    return thread.end({ headless: true, prettyPrint: true });
  },
  "fast-xml-parser"(events) {
    const options = { ignoreAttributes: false, attributesGroupName: "@", attributeNamePrefix: "", textNodeName: "#" };
    const event = elements(events).map(({ text, ...attributes }) => ({ "@": attributes, "#": text }));
    return new XMLBuilder({ ...options, format: true, indentBy: "  " }).build({ thread: { event } });
  },
};

const folder = mkdtempSync(join(tmpdir(), "context-thread-bench-"));
try {
  const outfile = join(folder, "thread.mjs");
  const entry = fileURLToPath(new URL("../../src/thread/index.ts", import.meta.url));
  await build({ entryPoints: [entry], bundle: true, format: "esm", platform: "neutral", outfile, logLevel: "error" });
  const { serializeThread } = await import(pathToFileURL(outfile).href);
  for (const [name, parts] of Object.entries(texts)) {
    const events = makeEvents(parts);
    const [ms, stringify_ms] = medians([() => serializeThread(events), () => JSON.stringify(events)], WARM_UP, runs);
    const ratio = ms / stringify_ms;
    print({ text: name, ratio: round(ratio), ms: round(ms), stringify_ms: round(stringify_ms) });
    if (name === "mixed" && ratio > LIMIT) process.exitCode = 1;
  }
  const events = makeEvents(texts.mixed);
  for (const [builder, build] of Object.entries(builders)) {
    if (contents(build(events)) !== contents(serializeThread(events))) throw new Error(`${builder}: another document`);
    const [ms, builder_ms] = medians([() => serializeThread(events), () => build(events)], 2, BUILDER_RUNS);
    print({ text: "mixed", builder, ratio: round(builder_ms / ms), ms: round(ms), builder_ms: round(builder_ms) });
    if (builder_ms <= ms) process.exitCode = 1;
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

/** What stands in the document for each of the events above: attributes, and the body as `text`. */
function elements(events) {
  return events.map((event, index) => {
    const { iteration } = event;
    const id = index;
    switch (event.type) {
      case "message":
        return { type: event.role === "user" ? "human" : "ai", id, iteration, text: event.content };
      case "tool_call":
        return { type: "tool_input", id, name: event.toolName, iteration, text: JSON.stringify(event.args) };
      case "tool_result": {
        const duration_ms = event.durationMs;
        const known = { name: "write", status: "success" };
        return { type: "tool_output", id, ...known, iteration, duration_ms, text: event.result };
      }
      default: {
        const summarizedIterations = event.summarizedIterations.join(",");
        return { type: "summary", id, iteration, summarizedIterations, text: event.summary };
      }
    }
  });
}

/** A document as a reader of XML sees it. */
function contents(xml) {
  const processEntities = { enabled: true, maxTotalExpansions: Infinity, maxExpandedLength: Infinity };
  const options = { ignoreAttributes: false, parseTagValue: false, trimValues: false, processEntities };
  return JSON.stringify(new XMLParser(options).parse(xml).thread.event);
}

/** In milliseconds, of ways to the same end that take turns, each first as often as the other. */
function medians(ways, warmUp, runs) {
  const times = ways.map(() => []);
  for (let run = 0; run < warmUp + runs; run++) {
    for (let turn = 0; turn < ways.length; turn++) {
      const way = (run + turn) % ways.length;
      const from = process.hrtime.bigint();
      const text = ways[way]();
      // A rope is no text yet: reading a character makes it flat.
      if (text.charCodeAt(text.length - 1) === 0) throw new Error("no text");
      if (run >= warmUp) times[way].push(Number(process.hrtime.bigint() - from) / 1e6);
    }
  }
  return times.map(median);
}

function print(row) {
  process.stdout.write(`${JSON.stringify(row)}\n`);
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
