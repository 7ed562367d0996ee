import { readFileSync } from "node:fs";
import { transformSync } from "esbuild";
import { expect, test } from "vitest";
import { HITS, instrument } from "./instrument.ts";
import { load } from "./toy.ts";

/** All that a module can branch with, also where one stands right beside or inside of another. */
const BRANCHES = `
const pick = (a, b = a ? "deep" : "flat") => ({ a, b });
class Box { #x; constructor(x) { this.#x = x; } get x() { return this.#x ?? "none"; } static of = (x) => new Box(x); }
function* count(end) { for (let at = 0; at < end; at += 1) yield at; }
export function check(text) {
  const out = [];
  if (text.length > 3) if (text[0] === "a") out.push("a"); else out.push("not a");
  if (text.length > 5) { out.push("long"); } else if (text === "") out.push("empty"); else out.push("short");
  for (const at of count(text.length)) if (at % 2) out.push(at);
  for (const key in { one: 1, two: 2 }) out.push(key);
  let left = text.length;
  while (left > 0) left -= 3;
  do left += 1; while (left < 2);
  switch (text.length % 4) {
    case 0:
    case 1:
      out.push("few");
    case 2: { out.push("falls"); break; }
    default:
      out.push("other");
  }
  try { if (text.includes("!")) throw new Error(text); } catch { out.push("caught"); } finally { out.push("at last"); }
  let found = null;
  found ??= text.match(/na(?:me|men)?/)?.[0] ?? (text && text.length > 2 || "nothing");
  const { inner = text ? "some" : "no" } = {};
  out.push(found, inner, pick(text), pick(0, text).b, new Box(text || undefined).x, Box.of(1).x, text ? "in " + text : "");
  outer: for (const one of text) { for (const two of text) { if (one !== two) continue outer; } }
  return JSON.stringify(out);
}`;

test("instrumented code does as before, and counts where it was", async () => {
  const plain = await import(`data:text/javascript,${encodeURIComponent(BRANCHES)}`);
  const { check, hits } = await load(BRANCHES);
  const seen = new Set<string>();
  for (const text of ["", "a", "ab", "abc", "abcd", "bbbb", "name!", "a name of length", "!!!!!!!!"]) {
    hits.fill(0);
    expect(check(text)).toBe(plain.check(text));
    seen.add(hits.join(" "));
  }
  expect(seen.size).toBe(9);
});

test("a block is counted as often as it is entered, and an `if` that is not entered counts too", async () => {
  const { check, hits } = await load(
    'export function check(t) { for (const c of t) if (c === "x") t = ""; return t && 1; }',
  );
  check("axbx");
  // The function, the loop's body, the `else` that was not written, the `if`, the right side of `&&`.
  expect([...hits]).toEqual([1, 4, 2, 2, 0]);
});

test("words are what an input can hold: literals, keys, the plain parts of patterns; no paths of imports", () => {
  const { words } = instrument(
    'import x from "./x.js"; const y = { session_id: "uuid", [x]: `tail of` }; /^## (?:Steps|[a-z]{2}\\d+)$/.test(y);',
    0,
  );
  expect(words).toEqual(["## ", "Steps", "session_id", "tail of", "uuid"]);
});

test("blocks are numbered from where the module before ended, each with its place", () => {
  const code = "a && b;\nif (c) d();\n";
  const { code: counted, blocks } = instrument(code, 40);
  expect(blocks.map((at) => code.slice(at, at + 1))).toEqual(["b", "\n", "d"]);
  expect(counted).toBe(`a && (${HITS}[40]++, b);\nif (c) {${HITS}[42]++;d();} else {${HITS}[41]++;}\n`);
});

test("what the longest modules of the source become is a module still", () => {
  for (const name of ["transcript/redact", "install/json-tree", "trail/trail", "base/frontmatter"]) {
    const { code } = transformSync(readFileSync(`src/${name}.ts`, "utf8"), { loader: "ts", target: "node20" });
    const { code: counted, blocks } = instrument(code, 0);
    expect(blocks.length).toBeGreaterThan(5);
    expect(instrument(counted, 0).blocks.length).toBeGreaterThanOrEqual(blocks.length);
  }
});
