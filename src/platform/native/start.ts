// What the native program runs first: the parts of Node that the bundles use, then the bundle that they begin with.
import { ByteBuffer, isUtf8 } from "./buffer.ts";
import { execFile } from "./child-process.ts";
import * as fs from "./fs.ts";
import "./host.ts";
import * as os from "./os.ts";
import { parseArgs } from "./parse-args.ts";
import * as path from "./path.ts";
import { nativeProcess } from "./process.ts";
import { Utf8Decoder, Utf8Encoder } from "./text-coding.ts";

/** Those that `scripts/build-native.mjs` lets a bundle load. */
const MODULES: Readonly<Record<string, unknown>> = {
  "node:buffer": { Buffer: ByteBuffer, isUtf8 },
  "node:child_process": { execFile },
  "node:fs": fs,
  "node:os": os,
  "node:path": path,
  "node:util": { parseArgs },
  // As a library names them.
  buffer: { Buffer: ByteBuffer },
  process: nativeProcess,
};

const GLOBALS = { Buffer: ByteBuffer, process: nativeProcess, TextDecoder: Utf8Decoder, TextEncoder: Utf8Encoder };
for (const [name, value] of Object.entries(GLOBALS)) Object.defineProperty(globalThis, name, { value });

/** What Node has and this has not: whoever reaches for it is run by Node. */
const ELSEWHERE = ["AbortController", "Intl", "URL", "setTimeout", "structuredClone"];
for (const name of ELSEWHERE) Object.defineProperty(globalThis, name, { get: () => host.handOver() });

// V8 reads deeper nests than this engine has stack for, and says something else of those that are too deep for it.
const { parse } = JSON;
Object.defineProperty(JSON, "parse", {
  value: (text: string, revive?: (key: string, value: unknown) => unknown): unknown => {
    try {
      return parse(text, revive);
    } catch (error) {
      if (error instanceof SyntaxError) throw error;
      return host.handOver();
    }
  },
});

// No one reads where a fault came from, and each of a file that is not there would be followed back.
Error.stackTraceLimit = 0;

const loaded = new Map<string, { exports: unknown }>();

/** A bundle that was left out is one that Node runs. */
function require(id: string): unknown {
  const known = MODULES[id];
  if (known !== undefined) return known;
  const done = loaded.get(id);
  if (done !== undefined) return done.exports;
  const wrapped = host.load(id);
  if (wrapped === undefined) return host.handOver();
  const module: { exports: unknown } = { exports: {} };
  loaded.set(id, module);
  wrapped(module.exports, require, module);
  return module.exports;
}

require("./cli-native.cjs");
