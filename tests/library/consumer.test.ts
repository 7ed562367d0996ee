import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BARE_ENV, runProgram } from "../helpers/run-program.ts";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const tsc = resolve("node_modules", "typescript", "bin", "tsc");
const COMPILER = {
  module: "nodenext",
  target: "es2023",
  lib: ["es2023", "dom"],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  // What is published is to be right by itself.
  skipLibCheck: false,
};

/** A project in which the package is installed as npm does it, in a folder with a blank in its path. */
let project = "";

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), "a user's é "));
  project = join(folder, "the project");
  mkdirSync(project);
  // Packing builds, and a build takes away what other tests are running at this moment.
  npm(["pack", "--ignore-scripts", "--pack-destination", folder], process.cwd());
  // Its dependencies are those of this clone, so that nothing is asked of a registry.
  const names = Object.keys(manifest.dependencies);
  const beside = names.map((name) => [name, `file:${resolve("node_modules", name)}`]);
  const dependencies = {
    "agent-context": `file:../agent-context-${manifest.version}.tgz`,
    ...Object.fromEntries(beside),
  };
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }));
  const cache = ["--cache", join(folder, "cache")];
  npm(["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", ...cache], project);
});

afterAll(() => rmSync(resolve(project, ".."), { recursive: true, force: true }));

function npm(args: readonly string[], cwd: string): void {
  const { status, stderr } = spawnSync("npm", args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`npm ${args[0]}: ${stderr}`);
}

function run(args: readonly string[]): string {
  const ran = runProgram(process.execPath, args, { cwd: project });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  return ran.stdout;
}

const OPTIONAL = [
  'import { detectInTranscript, detectMode, isValid, startDocuments, updateManifest } from "agent-context";',
  'import { type AgentEvent, planMessages, serializeThread, serializeThreadStream } from "agent-context/thread";',
  "export function loop<T extends undefined>(none: T) {",
  "  const events: AgentEvent[] = [",
  '    { type: "tool_call", id: none, toolName: "t", toolCallId: "c", args: {}, parallelGroup: none, timestamp: 1, iteration: 1 },',
  '    { type: "tool_result", toolCallId: "c", result: 1, durationMs: none, parallelGroup: none, timestamp: 1, iteration: 1 },',
  '    { type: "error", error: "e", toolCallId: none, recoverable: true, timestamp: 1, iteration: 1 },',
  '    { type: "human_input_requested", question: "q", kind: none, choices: none, timestamp: 1, iteration: 1 },',
  "  ];",
  "  serializeThreadStream(events, { lookaheadCharacters: none, escape: none, skip: none, maxCharacters: none });",
  '  const detection = detectInTranscript("", { root: "/a", projectsFolder: "b", home: none, aliases: none, redactPatterns: none });',
  '  const decision = detectMode({ source: "startup", detection, phase: null, unseen: none });',
  '  const documents = startDocuments({ session: { source: "startup", id: none }, decision, startup: { state: none }, tone: none });',
  '  const updated = updateManifest("---\\nprogress: x\\n---\\n", { progress: none });',
  "  return {",
  "    xml: serializeThread(events, { maxCharacters: none, attributes: none, responsePrefix: none }),",
  "    plain: serializeThread(events),",
  "    messages: planMessages(events, { instructions: none }).length,",
  "    parts: documents.parts.length,",
  "    valid: isValid([], { strict: none }),",
  "    changed: updated.ok && updated.value.changed,",
  "  };",
  "}",
];

const WRONG = [
  'import { parseManifest, startDocuments, updateManifest } from "agent-context";',
  "parseManifest(1);",
  'startDocuments({ session: { source: "startup" } });',
  'const updated: string = updateManifest("", {}).value.text;',
  'updateManifest("", { current_phase: "done" });',
  'import { type SerializeOptions, serializeThreadStream } from "agent-context/thread";',
  "declare const ofTheWhole: SerializeOptions;",
  "serializeThreadStream([], ofTheWhole);",
];

/** What a user writes, by the file's name. */
const SOURCES: Readonly<Record<string, string>> = {
  "consumer.ts": readFileSync("tests/fixtures/library/consumer.ts", "utf8"),
  "readme.ts": readmeExample(),
  "old.cts": `export const code = async () => (await import("agent-context/manifest")).parseManifest("").diagnostics[0]?.code satisfies string | undefined;\n`,
  "optional.ts": `${OPTIONAL.join("\n")}\n`,
  "wrong.ts": `${WRONG.join("\n")}\n`,
};

function readmeExample(): string {
  const section = readFileSync("README.md", "utf8").split("## As a library")[1] ?? "";
  return /^```ts\n(import [^`]*export function goOn[^`]*)^```$/m.exec(section)?.[1] ?? "";
}

let said: string | null = null;

/**
 * What tsc says of a file of the project and of the package; xstate's own types are not right for such strict options. It looks
 * at all of them at once: most of its time goes into the package and the language's own declarations.
 */
function typesOf(file: string): string {
  if (said === null) {
    for (const [name, text] of Object.entries(SOURCES)) writeFileSync(join(project, name), text);
    const config = join(project, "tsconfig.json");
    writeFileSync(config, JSON.stringify({ compilerOptions: COMPILER, files: Object.keys(SOURCES) }));
    said = spawnSync(process.execPath, [tsc, "-p", config], { cwd: project, encoding: "utf8" }).stdout;
  }
  const others = Object.keys(SOURCES).filter((name) => name !== file);
  return others.reduce(
    (text, name) => without(text, name.replace(".", "\\.")),
    without(said, ".*node_modules/xstate/.*"),
  );
}

/** Without the findings in a place, each of which may go on over several lines. */
function without(text: string, place: string): string {
  return text.replace(new RegExp(`^${place}\\(\\d+,\\d+\\): .*\\n(?:[ \\t].*\\n)*`, "gm"), "");
}

const ENTRIES = ["agent-context/manifest", "agent-context/detect", "agent-context/documents"];

/** The names of an entry's values. */
function namesOf(entry: string): readonly string[] {
  const script = `console.log(JSON.stringify(Object.keys(await import(${JSON.stringify(entry)}))))`;
  return JSON.parse(run(["--input-type=module", "-e", script]));
}

describe("a project that has the package installed", () => {
  test("uses every export of it, and each is what its types say", () => {
    expect(typesOf("consumer.ts")).toBe("");
    const used = /import \{([^}]*)\} from "agent-context";/.exec(
      readFileSync(join(project, "consumer.ts"), "utf8"),
    )?.[1];
    const words = (used ?? "").split(",").map((word) => word.trim());
    expect(namesOf("agent-context").filter((name) => !words.includes(name))).toEqual([]);
    expect(JSON.parse(run(["consumer.js"]))).toEqual({
      template: [true, "oosh-expert"],
      fixed: true,
      sorted: ["completed-work", "metadata", "metadata", "metadata", "recovery-steps", "title", "key-files", "pending"],
      rules: true,
      schema: [true, true],
      saving: "saving",
      refused: expect.stringContaining("CONTEXT_VALID"),
      machine: ["lifecycle", true, 5],
      events: true,
      stored: ["saved", true],
      manifest: [
        "24-demo",
        ["01-planning/01-overview.md", "01-planning/04-steps.md"],
        ["manifest-recommended-key", "manifest-recommended-key", "manifest-recommended-key"],
      ],
      updated: ["current_section", "current_task", "progress", "current_phase", "next_action"],
      problem: ["front-matter-missing", 1],
      gate: 5,
      path: "climbs out of the project",
      ids: [true, false, true],
      mended: true,
      manifestSchema: true,
      detected: ["24-demo", "high", "compact", "execute-project", true],
      documents: ["compact", 1, [], true, true],
      alone: [true, true, true, true],
    });
  });

  test("runs the README's example, which tsc takes as it stands", () => {
    expect(SOURCES["readme.ts"]).toContain("goOn");
    expect(typesOf("readme.ts")).toBe("");
    const row = JSON.stringify({
      type: "assistant",
      message: {
        content: [{ type: "tool_use", id: "a", name: "Edit", input: { file_path: "/srv/shop/02-projects/24-demo/a" } }],
      },
    });
    const front = [
      'resume_schema_version: "1.0"',
      "project_id: 24-demo",
      "project_name: Demo",
      "current_phase: testing",
      "next_action: execute-project",
      "files_to_load: [04-steps.md]",
      'last_updated: "2026-01-03"',
    ];
    const texts = {
      manifest: `---\n${front.join("\n")}\n---\n\nMine.\n`,
      steps: "## Phase 2: Build\n- [x] one\n- [ ] two\n",
    };
    const script = `const { goOn } = await import("./readme.js");
      console.log(JSON.stringify(goOn(${JSON.stringify(row)}, ${JSON.stringify(texts)}, new Date(0))))`;
    const made = JSON.parse(run(["--input-type=module", "-e", script]));
    expect(made.detection).toMatchObject({ project: "24-demo", confidence: "medium" });
    expect(made.updated.value.text).toContain('last_updated: "1970-01-01T00:00:00.000Z"\n');
    expect(made.updated.value.text).toContain('progress: "1/2 tasks complete"\n---\n\nMine.\n');
    expect(made.parts[0]).toContain("<current-task>two</current-task>");
  });

  test("takes each part alone, which is the same that the whole gives", () => {
    const all = namesOf("agent-context");
    const parts = ENTRIES.map(namesOf);
    for (const names of parts) {
      expect(names.length).toBeGreaterThan(1);
      expect(names.filter((name) => !all.includes(name))).toEqual([]);
    }
    const same = ENTRIES.map((entry) => `import * as part from ${JSON.stringify(entry)};`);
    for (const line of same) {
      const script = `${line} import * as all from "agent-context";
        console.log(Object.keys(part).every((name) => part[name] === all[name]));`;
      expect(run(["--input-type=module", "-e", script])).toBe("true\n");
    }
  });

  test("may be CommonJS: it loads them with import()", () => {
    writeFileSync(
      join(project, "old.cjs"),
      `import("agent-context/manifest").then(({ parseManifest }) => console.log(parseManifest("").diagnostics[0].code));`,
    );
    expect(run(["old.cjs"])).toBe("front-matter-missing\n");
    expect(typesOf("old.cts")).toBe("");
  });

  test("may pass undefined for whatever may be left out", () => {
    expect(typesOf("optional.ts")).toBe("");
    const script = `console.log(JSON.stringify((await import("./optional.js")).loop(undefined)))`;
    const { xml, plain, ...rest } = JSON.parse(run(["--input-type=module", "-e", script]));
    expect(xml).toBe(plain);
    expect(rest).toEqual({ messages: 4, parts: 1, valid: true, changed: [] });
  });

  test("gets a finding from tsc where it takes a value for what it is not", () => {
    const lines = [...typesOf("wrong.ts").matchAll(/^wrong\.ts\((\d+),/gm)].map(([, line]) => line);
    expect([...new Set(lines)]).toEqual(["2", "3", "4", "5", "8"]);
  });

  test("needs no package and nothing of Node's for detection and documents", () => {
    const lib = join(project, "node_modules", "agent-context", "dist", "lib");
    const seen = new Set<string>();
    const outside: string[] = [];
    const look = (name: string): void => {
      if (seen.has(name)) return;
      seen.add(name);
      for (const [, from = ""] of readFileSync(join(lib, name), "utf8").matchAll(/(?:from|import)\s*"([^"]+)"/g))
        if (from.startsWith("./")) look(from.slice(2));
        else outside.push(from);
    };
    look("detect.js");
    look("documents.js");
    expect(outside).toEqual([]);
    look("manifest.js");
    expect([...new Set(outside)].sort()).toEqual(["yaml", "zod"]);
    const script = `delete globalThis.process; delete globalThis.Buffer; delete globalThis.require;
      const { startDocuments } = await import("agent-context/documents");
      const { detectInTranscript, detectMode } = await import("agent-context/detect");
      const detection = detectInTranscript([new Uint8Array([123, 125])], { root: "/a", projectsFolder: "b" });
      const decision = detectMode({ source: "startup", detection, phase: null });
      console.log(startDocuments({ session: { source: "startup" }, decision }).parts.length);`;
    expect(run(["--input-type=module", "-e", script])).toBe("1\n");
  });

  test("is given the types of what it can import, and none of what stands behind them", () => {
    const lib = join(project, "node_modules", "agent-context", "dist", "lib");
    const files = readdirSync(lib, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".d.ts"));
    const text = (name: string): string => readFileSync(join(lib, name), "utf8");
    const given = new Set<string>();
    const inside: string[] = [];
    for (const name of files)
      for (const [, list = ""] of text(name).matchAll(/^export(?: type)? \{([^}]*)\} from/gm))
        for (const [word] of list.replace(/ as \w+/g, "").matchAll(/\w+/g)) given.add(word);
    // These two hold what they give: as much as their sources say.
    const alone = { "langchain.d.ts": "src/langchain.ts", [join("thread", "index.d.ts")]: "src/thread/index.ts" };
    for (const [name, source] of Object.entries(alone)) {
      const held = [...text(name).matchAll(/^export (?:declare )?(?:type|function|class|const) (\w+)/gm)];
      const passed = [...text(name).matchAll(/^export \{ ([^}]*) \} from/gm)].flatMap(([, list = ""]) =>
        list.split(", "),
      );
      const lists = [...readFileSync(source, "utf8").matchAll(/^export(?: type)? \{([^}]*)\}/gm)];
      const wanted = lists.flatMap(([, list = ""]) => list.replace(/\btype /g, "").match(/\w+/g) ?? []);
      expect([...held.map(([, word]) => word), ...passed].sort()).toEqual(wanted.sort());
    }
    for (const name of files.filter((path) => !(path in alone)))
      for (const [, word = ""] of text(name).matchAll(/^export (?:declare )?(?:interface|type|function|class) (\w+)/gm))
        if (!given.has(word) && name !== "documents.d.ts") inside.push(`${name}: ${word}`);
    expect(inside).toEqual([]);
    const everything = files.map(text).join("");
    expect(everything).toContain("interface Detection ");
    for (const word of ["activitiesOf", "clueContext", "PieceCache", "Placement", "readFrontMatterMap"])
      expect(everything).not.toContain(word);
  });

  test("has the command", () => {
    const bin = join(project, "node_modules", ".bin", "context");
    const ran = spawnSync(bin, ["--version"], { cwd: project, encoding: "utf8", env: BARE_ENV });
    expect(ran.stdout).toContain(manifest.version);
  });

  test.skipIf(process.platform === "win32")("has its page in the manual, where npm installs it for everybody", () => {
    const folder = resolve(project, "..");
    const copy = join(folder, "copy");
    cpSync(join(project, "node_modules", "agent-context"), copy, { recursive: true });
    // Without what it depends on, so that nothing is asked of a registry.
    writeFileSync(join(copy, "package.json"), JSON.stringify({ ...manifest, dependencies: {}, scripts: {} }));
    npm(["pack", "--pack-destination", copy], copy);
    const tarball = join(copy, `agent-context-${manifest.version}.tgz`);
    const options = ["--offline", "--no-audit", "--prefix", join(folder, "all"), "--cache", join(folder, "cache")];
    npm(["install", "-g", ...options, tarball], copy);
    const page = gunzipSync(readFileSync(join(folder, "all", "share", "man", "man1", "context.1.gz")));
    expect(page.toString()).toBe(readFileSync("docs/context.1", "utf8"));
  });
});
