import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { type ParseArgsConfig, parseArgs as parseByNode } from "node:util";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { parseArgs } from "../../../src/platform/native/parse-args.ts";
import * as nativePath from "../../../src/platform/native/path.ts";

const ours = { ...nativePath };

beforeAll(() => {
  Object.assign(globalThis, { host: { cwd: () => process.cwd() } });
});

const piece = fc.constantFrom("a", "b.c", ".", "..", "...", "", ".x", "é", "x.", "-", "a b");
const slashed = fc
  .tuple(fc.constantFrom("", "/", "//"), fc.array(piece, { maxLength: 6 }), fc.constantFrom("", "/", "//"))
  .map(([start, parts, end]) => `${start}${parts.join("/")}${end}`);

describe("paths are what node:path makes of them", () => {
  // A name that is missing there is `undefined` in the native program, which splits no text and fails no build.
  test("its marks", () => {
    expect([ours.sep, ours.delimiter]).toEqual([path.posix.sep, path.posix.delimiter]);
  });

  test.each(["normalize", "dirname", "basename", "isAbsolute", "resolve"] as const)("%s", (name) => {
    fc.assert(
      fc.property(slashed, (text) => {
        expect(ours[name](text)).toEqual(path.posix[name](text));
      }),
      { numRuns: 3000 },
    );
  });

  test.each(["join", "resolve"] as const)("%s of several", (name) => {
    fc.assert(
      fc.property(fc.array(slashed, { maxLength: 4 }), (parts) => {
        expect(ours[name](...parts)).toBe(path.posix[name](...parts));
      }),
      { numRuns: 3000 },
    );
  });

  test("relative", () => {
    fc.assert(
      fc.property(slashed, slashed, (from, to) => {
        expect(ours.relative(from, to)).toBe(path.posix.relative(from, to));
      }),
      { numRuns: 3000 },
    );
  });

  test("the root", () => {
    for (const text of ["", "/", "//", "a", "/a", "./a"])
      expect(ours.parse(text).root).toBe(path.posix.parse(text).root);
  });

  test("basename without its ending", () => {
    fc.assert(
      fc.property(slashed, fc.constantFrom(".c", "c", "b.c", "x.", ""), (text, ending) => {
        fc.pre(/[^/]$/.test(text));
        expect(ours.basename(text, ending)).toBe(path.posix.basename(text, ending));
      }),
    );
  });
});

test("a command line is read, or refused, as util.parseArgs does", () => {
  const options = {
    root: { type: "string", short: "C" },
    json: { type: "boolean" },
    quiet: { type: "boolean", short: "q" },
    strict: { type: "boolean", short: "s" },
  } satisfies ParseArgsConfig["options"];
  const word = fc.constantFrom(
    ...[
      "--root",
      "--root=",
      "--root=x",
      "--root=--json",
      "-C",
      "-Cx",
      "-C=x",
      "-qC",
      "-qCx",
      "-q",
      "-qs",
      "-sq",
      "-qx",
    ],
    ...[
      "--json",
      "--json=1",
      "--jso",
      "--",
      "-",
      "a",
      "",
      "-1",
      "--no-json",
      "--__proto__",
      "--toString",
      "-=",
      "--=x",
    ],
  );
  const outcome = (read: () => { values: object; positionals: readonly string[] }): unknown => {
    try {
      const { values, positionals } = read();
      return { values: { ...values }, positionals };
    } catch {
      return "refused";
    }
  };
  fc.assert(
    fc.property(fc.array(word, { maxLength: 5 }), (args) => {
      const node = outcome(() => parseByNode({ args, options, allowPositionals: true, strict: true }));
      expect(outcome(() => parseArgs({ args, options }))).toEqual(node);
    }),
    { numRuns: 5000 },
  );
});

test("the estimate in C is of the estimate that stands beside it", () => {
  // Who changes one changes the other, and this number: the C code is only compiled where the native program is built.
  const source = readFileSync(new URL("../../../src/base/token-estimate.ts", import.meta.url), "utf8");
  expect(createHash("sha256").update(source).digest("hex").slice(0, 16)).toBe("f73802e6b49fbc3d");
});
