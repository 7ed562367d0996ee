import { spawn } from "node:child_process";
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleTexts, COLD, together, WARM } from "../../scripts/packed-bundles.mjs";
import { openCodeCache } from "../../src/platform/code-cache.ts";

interface Ran {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

let root = "";

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "context-code-cache-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

let copies = 0;

/** A copy of the built program, without compiled code. */
function program(): { bin: string; caches: string; files: () => string[] } {
  copies += 1;
  const folder = join(root, String(copies));
  cpSync("bin", join(folder, "bin"), { recursive: true });
  cpSync(join("dist", "bundle"), join(folder, "dist", "bundle"), {
    recursive: true,
    filter: (path) => !path.includes("code-cache"),
  });
  const caches = join(folder, "dist", "bundle", "code-cache");
  const files = () => (existsSync(caches) ? readdirSync(caches).sort() : []);
  return { bin: join(folder, "bin", "context.js"), caches, files };
}

function run(
  bin: string,
  words: readonly string[] = ["validate", "-"],
  env: Record<string, string> = {},
  { flags = [], input = "# Nothing\n" }: { readonly flags?: readonly string[]; readonly input?: string } = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...flags, bin, ...words], {
      cwd: root,
      env: { PATH: process.env.PATH ?? "", ...env },
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
    child.stdin.end(input);
  });
}

describe("compiled code that is kept", () => {
  test("is made by the first run, for the user alone, and changes nothing that a run says", async () => {
    const { bin, caches, files } = program();
    const first = await run(bin);
    expect(first.code).toBe(1);
    expect(files().length).toBeGreaterThan(1);
    expect(files().filter((name) => !name.endsWith(".cache"))).toEqual([]);
    expect(statSync(caches).mode & 0o777).toBe(0o700);
    const before = files().map((name) => statSync(join(caches, name)).mtimeMs);
    expect(await run(bin)).toEqual(first);
    expect(files().map((name) => statSync(join(caches, name)).mtimeMs)).toEqual(before);
  });

  test("with a flipped byte, cut short, emptied or full of rubbish never reaches the engine", async () => {
    const { bin, caches, files } = program();
    const good = await run(bin);
    const intact = new Map(files().map((name) => [name, readFileSync(join(caches, name))]));
    const damages: ((bytes: Buffer) => Buffer)[] = [
      ...[0, 4, 17, 64, 0.01, 0.1, 0.25, 0.4, 0.49, 0.51, 0.75, 0.99].map((place) => (bytes: Buffer) => {
        const damaged = Buffer.from(bytes);
        const at = place < 1 ? Math.floor(place * bytes.length) : place;
        damaged[at] = (damaged[at] ?? 0) ^ 0x55;
        return damaged;
      }),
      (bytes) => bytes.subarray(0, bytes.length >> 1),
      (bytes) => bytes.subarray(0, bytes.length - 1),
      () => Buffer.alloc(0),
      () => Buffer.alloc(4096),
      (bytes) => Buffer.alloc(bytes.length, "x"),
    ];
    for (const [index, damage] of damages.entries()) {
      for (const [name, bytes] of intact) writeFileSync(join(caches, name), damage(bytes));
      expect(await run(bin), `damage ${index}`).toEqual(good);
    }
  });

  test("of a source that was edited to the same length, its time put back, is still told from it by a new build only", async () => {
    const { bin, caches, files } = program();
    const hook = () => run(bin, ["pre-compact"]);
    const [word, edited] = ["standard input is not JSON", "standard input is NOT JSON"];
    expect((await hook()).stderr).toContain(word);
    const bundle = join(caches, "..", "cli-entries-pre-compact.cjs");
    const { atime, mtime } = statSync(bundle);
    const names = files();
    // An edit gives the file another time: what was compiled before is not taken for it.
    writeFileSync(bundle, readFileSync(bundle, "utf8").replace(word, edited));
    expect((await hook()).stderr).toContain(edited);
    expect(files().filter((name) => !names.includes(name)).length).toBeGreaterThan(0);
    utimesSync(bundle, atime, mtime);
  });

  test("is left out where it cannot be written, and a folder or link in its place hurts nothing", async () => {
    const { bin, caches } = program();
    writeFileSync(caches, "a file where the folder would be");
    const blocked = await run(bin);
    expect(blocked.code).toBe(1);
    rmSync(caches);
    mkdirSync(caches);
    const { files } = { files: () => readdirSync(caches) };
    const plain = await run(bin);
    expect(plain).toEqual(blocked);
    for (const name of files()) {
      rmSync(join(caches, name));
      mkdirSync(join(caches, name));
    }
    expect(await run(bin)).toEqual(blocked);
  });

  test.runIf(process.getuid?.() === 0)(
    "is not left in an installation of another user, who could not remove it",
    async () => {
      const { bin, caches, files } = program();
      const folder = dirname(caches);
      chownSync(folder, 65_534, 65_534);
      const ran = await run(bin);
      expect(ran).toMatchObject({ code: 1, signal: null });
      expect(files()).toEqual([]);
      chownSync(folder, 0, 0);
      expect(await run(bin)).toEqual(ran);
      expect(files()).not.toEqual([]);
    },
  );

  test("of other engine flags is neither taken nor written", async () => {
    const { bin, files } = program();
    const flagged = await run(bin, ["validate", "-"], { NODE_OPTIONS: "--max-old-space-size=512" });
    expect(flagged.code).toBe(1);
    expect(files()).toEqual([]);
    await run(bin);
    const names = files();
    const jitless = await run(bin, ["validate", "-"], { NODE_OPTIONS: "--jitless" });
    expect(jitless.stdout).toBe(flagged.stdout);
    expect(files()).toEqual(names);
  });

  test("is made once by many first runs at the same time", async () => {
    const { bin, files } = program();
    const runs = await Promise.all(Array.from({ length: 8 }, () => run(bin)));
    expect(new Set(runs.map(({ code, signal, stdout }) => `${code} ${signal} ${stdout}`)).size).toBe(1);
    expect(files().filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("is that of the command, also where the project's folder is named before it", async () => {
    const { bin, files } = program();
    await run(bin, ["-C", root, "validate", "-"]);
    const names = files();
    expect(names.filter((name) => !name.includes("-validate-"))).toEqual([]);
    await run(bin, ["--root", root, "validate", "-"]);
    await run(bin);
    expect(files()).toEqual(names);
  });

  test("does not grow with first words that are no commands", async () => {
    const { bin, files } = program();
    for (const word of ["Nonsense", "../x", "é", "x".repeat(60)]) await run(bin, [word]);
    expect(files().filter((name) => name.startsWith("cli-bin.cjs-")).length).toBe(1);
  });

  test("is still kept after years of other engines and misspelt commands, whose files then go", async () => {
    const { bin, caches, files } = program();
    mkdirSync(caches, { mode: 0o700 });
    for (let index = 0; index <= 300; index++) writeFileSync(join(caches, `cli-bin.cjs-recove-${index}.cache`), "old");
    await run(bin);
    expect(files().filter((name) => !name.includes("-validate-"))).toEqual([]);
    expect(files().length).toBeGreaterThan(1);
  });
});

/** Says of each file whether V8 refused what was compiled ahead. */
const WATCH = `
const vm = require("node:vm");
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    const name = require("node:path").basename(options.filename);
    process.stderr.write(\`\${name} \${options.cachedData === undefined ? "none" : this.cachedDataRejected ? "refused" : "taken"}\\n\`);
  }
};`;

test("what a start compiled is taken by the next, though V8 stops optimising meanwhile", async () => {
  const { bin, files } = program();
  const watch = join(root, "watch.cjs");
  writeFileSync(watch, WATCH);
  const project = mkdtempSync(join(root, "project-"));
  mkdirSync(join(project, ".git"));
  const env = { CONTEXT_ROOT: project, HOME: root };
  await run(bin, ["session-start"], env, { input: "{}" });
  // The hook's bundle, and the document's own.
  expect(files().filter((name) => name.includes("-session-start-"))).toHaveLength(2);
  // Changed, so that the document is made anew.
  writeFileSync(join(project, "context.yaml"), "tone: plain\n");
  await run(bin, ["session-start"], env, { input: "{}" });
  const again = await run(bin, ["session-start"], env, { flags: ["--require", watch], input: "{}" });
  const said = again.stderr.split("\n").filter((line) => line !== "");
  expect(said.length).toBeGreaterThanOrEqual(5);
  expect(said.filter((line) => !line.endsWith(" taken") && !line.startsWith("cli-start"))).toEqual([]);
});

test("what the first start, in an empty project, left out is added by a later one that needs it", async () => {
  const { bin, caches, files } = program();
  const project = mkdtempSync(join(root, "project-"));
  mkdirSync(join(project, ".git"));
  const env = { CONTEXT_ROOT: project, HOME: root };
  await run(bin, ["session-start"], env, { input: "{}" });
  // Of the files that the first start made: that a later one makes others is no news.
  const names = files().filter((name) => name.includes("-session-start-"));
  const size = () => names.reduce((sum, name) => sum + statSync(join(caches, name)).size, 0);
  const first = size();
  expect(first).toBeGreaterThan(0);
  for (let index = 0; index < 5; index++) {
    const planning = join(project, "02-projects", `0${index}-demo`, "01-planning");
    mkdirSync(planning, { recursive: true });
    writeFileSync(join(planning, "01-overview.md"), `---\nname: Demo ${index}\nstatus: IN_PROGRESS\n---\n`);
    writeFileSync(join(planning, "04-steps.md"), "## Phase 1: Plan\n- [x] One\n- [ ] Two\n");
  }
  // After a compaction half as much again is run, under every Node; what is only a little more is not worth a new file.
  const edit = {
    type: "tool_use",
    id: "a",
    name: "Edit",
    input: { file_path: join(project, "02-projects/01-demo/a.md") },
  };
  const row = { type: "assistant", message: { role: "assistant", content: [edit] } };
  const transcript = join(project, "t.jsonl");
  writeFileSync(transcript, `${JSON.stringify(row)}\n`);
  const input = JSON.stringify({ source: "compact", session_id: "s", transcript_path: transcript, cwd: project });
  // One run in eight looks, by its process number.
  for (let index = 0; index < 200 && size() === first; index++) {
    await run(bin, ["session-start"], env, { input });
  }
  expect(size()).toBeGreaterThan(first);
});

test("a file that stands compressed is loaded as if it stood plain, and is an error where it is no such file", () => {
  const folder = mkdtempSync(join(root, "compressed-"));
  writeFileSync(join(folder, "a.cjs.br"), brotliCompressSync('exports.b = require("./b.cjs").word + "!";'));
  writeFileSync(join(folder, "b.cjs"), 'exports.word = "plain";');
  const load = () => {
    const places = { bundles: folder, warm: ["d.cjs"], folder: join(folder, "caches") };
    const options = { ...places, build: "b", task: "t", require: createRequire(import.meta.url) };
    return openCodeCache({ ...options, review: false }).load("a.cjs");
  };
  expect(load()).toEqual({ b: "plain!" });
  writeFileSync(join(folder, "a.cjs.br"), "no brotli");
  expect(load).toThrow();
  // With others, which hold what looks like more of its name and text.
  rmSync(join(folder, "a.cjs.br"));
  const texts = new Map([
    ["aa.cjs", 'exports.b = "{}\\n";'],
    ["a.cjs", 'exports.b = require("./b.cjs").word + require("./c.cjs").word + require("./d.cjs").word;'],
    ["c.cjs", 'exports.word = " and together";'],
  ]);
  writeFileSync(join(folder, COLD), together(texts));
  const warm = new Map([["d.cjs", 'exports.word = " twice";']]);
  writeFileSync(join(folder, WARM), together(warm));
  expect(load()).toEqual({ b: "plain and together twice" });
  const plain = ["b.cjs", readFileSync(join(folder, "b.cjs"), "utf8")] as const;
  expect(bundleTexts(folder)).toEqual(new Map([...texts, plain, ...warm]));
  texts.delete("c.cjs");
  writeFileSync(join(folder, COLD), together(texts));
  expect(load).toThrow(/^c\.cjs is missing in .*cold\.br$/);
});
