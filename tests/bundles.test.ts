import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AnyNode, parse } from "acorn";
import { expect, test } from "vitest";
import { bundleTexts } from "../scripts/packed-bundles.mjs";

const folder = join("dist", "bundle");

/** Sources by bundle, as the build wrote them down. */
function inputs(): Record<string, string[]> {
  return JSON.parse(readFileSync(join(folder, "inputs.json"), "utf8"));
}

const texts = bundleTexts(folder);

function textOf(bundle: string): string {
  return texts.get(bundle) ?? "";
}

/** What hooks and agents start all day long. */
const HOT = [
  "cli-start.cjs",
  "cli-entries-session-start.cjs",
  "commands-session-start-session-start.cjs",
  "commands-lifecycle-compacted.cjs",
  "commands-pre-compact-role.cjs",
  "commands-pre-compact-work-guidance.cjs",
  "cli-bin.cjs",
  "cli-entries-gate.cjs",
  "cli-entries-lifecycle-status.cjs",
  "cli-entries-lifecycle-step.cjs",
  "cli-entries-pre-compact.cjs",
  "cli-entries-validate.cjs",
];

test.each(HOT)("%s holds no library", (bundle) => {
  const sources = inputs()[bundle] ?? [];
  expect(sources.length).toBeGreaterThan(3);
  expect(sources.filter((path) => path.startsWith("node_modules/"))).toEqual([]);
});

test.each(HOT)("%s loads no module of Node's that is slow to start, unless it is reached", (bundle) => {
  // Everything that a bundle loads at its top, seen by loading it.
  const script = `
    const Module = require("node:module");
    const { join } = require("node:path");
    const { bundle, texts } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
    const load = Module._load;
    const seen = [];
    const compile = (name) => {
      const path = join(${JSON.stringify(join(process.cwd(), folder))}, name);
      const module = new Module(path);
      module.filename = path;
      module._compile(texts[name], path);
      return module.exports;
    };
    // As the program does it: a bundle may be compressed, or lie with others.
    Module._load = function (id, ...rest) {
      seen.push(id);
      return id.startsWith("./") ? compile(id.slice(2)) : load.call(this, id, ...rest);
    };
    compile(bundle);
    console.log(JSON.stringify(seen));`;
  const input = JSON.stringify({ bundle, texts: Object.fromEntries(texts) });
  const { stdout, stderr } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8", input });
  expect(stderr).toBe("");
  const loaded: string[] = JSON.parse(stdout);
  const cheap = ["node:fs", "node:path", "node:os", "node:buffer", "node:util", "node:vm"];
  const part = "./part-core.cjs";
  expect(loaded.filter((id) => !cheap.includes(id) && id !== part)).toEqual([]);
  // What a hook begins with waits for nothing that it does not need; what is shared is loaded once.
  const isHook = /entries-(?:session-start|pre-compact)|^cli-(?:bin|start)/.test(bundle);
  expect(loaded.filter((id) => id === part).length).toBeLessThanOrEqual(isHook ? 0 : 1);
});

test.each(HOT)(
  "%s makes no pattern of Unicode's properties before it needs one: each takes a third of a millisecond",
  (bundle) => {
    const patterns = patternsAtTheTop(parse(textOf(bundle), { ecmaVersion: "latest", sourceType: "script" }));
    expect(patterns.filter((pattern) => /\\p\{/i.test(pattern))).toEqual([]);
  },
);

test("a bundle asks for each of Node's modules once", () => {
  const asked = HOT.map((bundle) => textOf(bundle).match(/(?<=[=,;}] ?)require\("node:[a-z_/]+"\)(?=[,;])/g) ?? []);
  expect(asked.flat().length).toBeGreaterThan(HOT.length);
  expect(asked.map((words) => new Set(words).size)).toEqual(asked.map((words) => words.length));
});

test("to ask once changes nothing but that, and not what is in a function", () => {
  const before =
    'var a=require("node:fs"),b=require("node:path");function f(){var c=require("node:fs");return c}var d=require("node:fs"),e=require("./x.cjs"),g=require("node:path").join;';
  const after =
    'var a=require("node:fs"),b=require("node:path");function f(){var c=require("node:fs");return c}var d=a,e=require("./x.cjs"),g=require("node:path").join;';
  expect(askedOnce(before)).toBe(after);
});

test("a function of Node's is called plainly, and no other one: that could look at what it is called of", () => {
  const given = 'var a=require("node:fs"),e=require("./x.cjs");';
  const before = `${given}function f(){return(0,a.b)((0,a.c)(1),(0,e.h)(2))}f((0,a.d)(),(1,a.b)(),(0,a["b"])(),f(0,a.i));`;
  const after = `${given}function f(){return a.b(a.c(1),(0,e.h)(2))}f(a.d(),(1,a.b)(),(0,a["b"])(),f(0,a.i));`;
  expect(askedOnce(before)).toBe(after);
});

function askedOnce(text: string): string {
  const script = `import { requireOnce } from "./scripts/require-once.mjs"; console.log(requireOnce(${JSON.stringify(text)}))`;
  return spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }).stdout.trim();
}

test("such a pattern would be seen, wherever at the top it is made", () => {
  const text = `const a = /\\p{L}/u, b = { c: [/x\\P{M}/u] }, d = () => /\\p{N}/u; class E { static f = new RegExp("\\\\p{Lu}", "u"); }`;
  expect(patternsAtTheTop(parse(text, { ecmaVersion: "latest" }))).toEqual(["\\p{L}", "x\\P{M}", "\\p{Lu}", "u"]);
});

/** Every pattern, and every text that may be one, outside of all functions. */
function patternsAtTheTop(node: AnyNode): string[] {
  if (/Function/.test(node.type)) return [];
  if (node.type === "Literal")
    return node.regex ? [node.regex.pattern] : typeof node.value === "string" ? [node.value] : [];
  const children = Object.values(node).flat();
  return children.filter(isNode).flatMap(patternsAtTheTop);
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

test("the client of a shared store is in no bundle and not in the plugin's program: each asks for it where it is needed", () => {
  const sources = Object.values(inputs()).flat();
  expect(sources.length).toBeGreaterThan(500);
  expect(sources.filter((path) => /node_modules\/(?:@?ioredis|redis-errors|denque)\//.test(path))).toEqual([]);
  const asking = (text: string): boolean => /\brequire\("ioredis"\)/.test(text);
  const bundles = Object.keys(inputs()).filter((name) => asking(textOf(name)));
  expect(bundles).toEqual(["commands-shared-machines.cjs"]);
  const program = join("plugin", "program");
  const texts = readdirSync(program, { withFileTypes: true }).filter((entry) => entry.isFile());
  expect(texts.some(({ name }) => asking(readFileSync(join(program, name), "utf8")))).toBe(true);
  for (const { name } of texts) expect(readFileSync(join(program, name), "utf8")).not.toContain("RedisOptions");
  // What the last line looks for is in the library.
  expect(readFileSync("node_modules/ioredis/built/Redis.js", "utf8")).toContain("RedisOptions");
});

test("a library that the check would miss is seen: the full program holds commander", () => {
  expect(inputs()["cli-program.cjs"]?.some((path) => path.startsWith("node_modules/commander/"))).toBe(true);
});

test("what a hook's bundle holds whole stands there alone, and others take it from there", () => {
  const holding = (word: string): string[] => Object.keys(inputs()).filter((name) => textOf(name).includes(word));
  expect(holding("PRIMARY CONTEXT INJECTION")).toEqual(["commands-session-start-session-start.cjs"]);
  expect(inputs()["cli-entries-explain.cjs"]).toContain("src/session-start/document.ts");
  // To ask for one source loads the whole bundle.
  expect(textOf("cli-entries-workspace.cjs")).not.toContain("commands-session-start-session-start.cjs");
});
