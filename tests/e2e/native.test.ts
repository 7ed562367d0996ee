import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { addSession, makeAcme, sessionsOf } from "../helpers/acme-project.ts";
import { buildNative, copyPackage, ENGINE } from "../helpers/native-package.ts";
import { runProgram, startProgram } from "../helpers/run-program.ts";
import type { Workspace } from "../helpers/workspace.ts";

// The native program beside Node: the same input gives the same bytes, exit code and files. `npm run test:native` runs the
// other tests of the same commands through it. Where it cannot be built this is skipped, and says why.

const copy = copyPackage("yours");
const missing = buildNative(copy);
if (missing !== null) console.warn(`Skipped: ${missing}`);

afterAll(() => rmSync(copy.root, { recursive: true, force: true }));

interface Step {
  readonly words: string;
  readonly input?: (workspace: Workspace) => string | Uint8Array;
  /** Files to be there before it. */
  readonly write?: Readonly<Record<string, string>>;
  readonly env?: (workspace: Workspace) => Readonly<Record<string, string>>;
}

const ROLE = "oosh-expert";

function hook(event: string, more: (workspace: Workspace) => object = () => ({})): (workspace: Workspace) => string {
  return (workspace) => {
    const transcript_path = addSession(workspace, "manual-compact");
    const session_id = "5e551041-0000-4000-8000-000000000001";
    const payload = { session_id, transcript_path, cwd: workspace.root, hook_event_name: event, ...more(workspace) };
    return JSON.stringify(payload);
  };
}

const start = (source: string) => hook("SessionStart", () => ({ source }));
const compact = hook("PreCompact", () => ({ trigger: "auto" }));
const role = () => ({ HIVEMIND_ROLE: ROLE });

/** A session whose last row nests deeper than the native program can read: it leaves that to Node, in the middle of what it does. */
function deepSession({ root, write }: Workspace): string {
  const nest = "[".repeat(100_000) + "]".repeat(100_000);
  const input = `{"file_path":${JSON.stringify(`${root}/02-projects/24-demo/01-planning/04-steps.md`)},"nest":${nest}}`;
  const call = `{"type":"tool_use","id":"t","name":"Edit","input":${input}}`;
  const ids = '"sessionId":"5e551041-0000-4000-8000-000000000001","uuid":"2"';
  return write("client/deep.jsonl", `{"type":"assistant",${ids},"message":{"role":"assistant","content":[${call}]}}\n`);
}

const deep = (event: string, more: object) =>
  hook(event, (workspace) => ({ ...more, transcript_path: deepSession(workspace) }));

const ENDED = { pid: 999_999_999, started: null, boot: null, host: hostname(), token: "t" };

const TWICE = JSON.stringify({
  enabledPlugins: { "agent-context@here": true },
  hooks: { SessionStart: [{ hooks: [{ type: "command", command: "context session-start" }] }] },
});

/** Each row's steps run one after the other in a project of their own. */
const ROWS: [what: string, steps: readonly Step[]][] = [
  [
    "a role's life",
    ["init", "save", "status", "pre.compact", "recover", "history"].map((step) => ({
      words: `lifecycle.${step} ${ROLE}`,
    })),
  ],
  [
    "machine-readable answers",
    [
      { words: "lifecycle.init oosh-expert --json" },
      { words: "lifecycle.save oosh-expert --json" },
      { words: "lifecycle.status --json" },
      { words: "lifecycle status --brief" },
    ],
  ],
  [
    "two words, a folder named before",
    [{ words: "-C . lifecycle save oosh-expert" }, { words: "--root . recover oosh-expert" }],
  ],
  [
    "wrong command lines",
    [
      { words: "lifecycle.save" },
      { words: "lifecycle.save no-such-role" },
      { words: "lifecycle.sav x" },
      { words: "lifecycle.status --nope" },
      { words: "lifecycle.save ../x" },
      { words: "gate --nope" },
      { words: "pre-compact --part 1" },
    ],
  ],
  ["help", [{ words: "lifecycle.save --help" }, { words: "gate -h" }]],
  [
    "files that are checked",
    [
      { words: "validate oosh-expert" },
      { words: "validate --json oosh-expert" },
      { words: "validate bad-role" },
      { words: "validate --format sarif bad-role" },
      { words: "recover bad-role" },
    ],
  ],
  [
    "what Node goes on with after a step: it is not taken twice",
    [
      { words: "pre-compact", input: deep("PreCompact", { trigger: "auto" }), env: role },
      { words: "session-start", input: deep("SessionStart", { source: "compact" }), env: role },
      { words: "pre-compact --guidance", input: deep("PreCompact", { trigger: "manual" }), env: role },
      { words: "lifecycle.history oosh-expert" },
    ],
  ],
  [
    "context files that were lost after a save",
    [
      { words: "lifecycle.save oosh-expert" },
      // Larger than what is taken for emptied by accident.
      { words: "lifecycle.save oosh-expert", write: { "session/agents/oosh-expert.context.md": " ".repeat(3000) } },
      { words: "lifecycle.pre.compact oosh-expert" },
      { words: "lifecycle.save oosh-expert", write: { "session/agents/oosh-expert.context.md": "" } },
    ],
  ],
  [
    "a compaction and the start after it",
    [
      { words: "pre-compact", input: compact, env: role },
      { words: "session-start", input: start("compact"), env: role },
      { words: "recover oosh-expert" },
      { words: "lifecycle.status" },
    ],
  ],
  [
    "a compaction with guidance, without a role",
    [
      { words: "pre-compact --guidance", input: compact },
      { words: "session-start", input: start("compact") },
    ],
  ],
  [
    "starts of every source",
    ["startup", "resume", "clear", "startup"].map((source) => ({ words: "session-start", input: start(source) })),
  ],
  [
    "a later event of a session, given to Node in the middle, where the settings and a plugin both run the hook",
    [
      { words: "session-start", input: start("startup"), write: { ".claude/settings.json": TWICE } },
      { words: "session-start", input: deep("SessionStart", { source: "compact" }), env: role },
      { words: "session-start", input: deep("SessionStart", { source: "compact" }), env: role },
    ],
  ],
  [
    "a lock whose owner has ended, and a history that is given to Node while it is held",
    [
      { words: `lifecycle.save ${ROLE}` },
      {
        words: "pre-compact",
        input: compact,
        env: role,
        write: {
          "session/stateMachines/oosh_expert.history.jsonl": `${"[".repeat(100_000)}${"]".repeat(100_000)}\n`,
          "session/stateMachines/oosh_expert.states.env.lock": JSON.stringify(ENDED),
        },
      },
      { words: "lifecycle.status --json" },
    ],
  ],
  [
    "a start in parts",
    ["1/2", "2/2"].map((part) => ({ words: `session-start --part ${part}`, input: start("startup") })),
  ],
  [
    "the gate",
    [
      { words: "session-start", input: start("compact"), env: role },
      {
        words: "gate",
        input: hook("PreToolUse", () => ({ tool_name: "Edit", tool_input: { file_path: "a.ts" } })),
        env: role,
      },
      {
        words: "gate",
        input: hook("PostToolUse", ({ path }) => ({
          tool_name: "Read",
          tool_input: { file_path: path("session/agents/oosh-expert.context.md") },
        })),
        env: role,
      },
    ],
  ],
  [
    "payloads that are none",
    [
      ...["", "{", "null", "[]", '{"a":1}', '"\\ud800"', "[".repeat(200_000)].map((input) => ({
        words: "pre-compact",
        input: () => input,
      })),
      { words: "session-start", input: () => Uint8Array.of(0xff, 0xfe, 0) },
      { words: "gate", input: () => "{}{}" },
    ],
  ],
  [
    "settings in YAML",
    [
      {
        words: "lifecycle.status",
        write: { "context.yaml": "delivery:\n  parts: 2 # two\nnope: {a: [1, &x b]}\n" },
      },
      { words: "session-start", input: start("startup") },
      { words: "pre-compact", input: compact },
    ],
  ],
  [
    "skills in YAML that a scan cannot read",
    [
      {
        words: "session-start",
        input: start("startup"),
        write: { "03-skills/odd/SKILL.md": '---\nname: odd\ndescription: >-\n  folded\n  "text" & é\n---\n# Odd\n' },
      },
    ],
  ],
  ["hooks that are switched off", [{ words: "pre-compact", input: compact, env: () => ({ CONTEXT_DISABLED: "1" }) }]],
  [
    "a store that is not there",
    [
      { words: "lifecycle.status", env: () => ({ CONTEXT_STORE: "redis://127.0.0.1:1/0" }) },
      { words: "pre-compact", input: compact, env: () => ({ ...role(), CONTEXT_STORE: "redis://127.0.0.1:1/0" }) },
    ],
  ],
];

describe.skipIf(missing !== null)("the native program does what Node does", () => {
  test.each(ROWS)("%s", (_what, steps) => {
    const workspace = makeAcme();
    workspace.role(ROLE);
    workspace.write("session/agents/bad-role.context.md", "# A page\n\n## Pending\n\nnothing\n");
    const [node, native] = both(workspace, (CONTEXT_NATIVE) => {
      const ran = steps.map(({ words, input = () => "", env = () => ({}), write = {} }) => {
        for (const [name, text] of Object.entries(write)) workspace.write(name, text);
        const own = { CONTEXT_NATIVE, HOME: workspace.path("home"), ...env(workspace) };
        const result = runProgram(copy.launcher, words.split(" "), {
          ...{ cwd: workspace.root, env: own, input: input(workspace) },
        });
        return { ...result, stdout: plain(result.stdout), stderr: plain(result.stderr) };
      });
      return { ran, files: filesOf(workspace) };
    });
    expect(native?.ran).toEqual(node?.ran);
    expect(native?.files).toEqual(node?.files);
  });

  test("every recorded session is summed up alike", () => {
    for (const name of sessionsOf("2.1.332")) {
      const workspace = makeAcme();
      const transcript_path = addSession(workspace, name);
      const input = JSON.stringify({ session_id: "s", transcript_path, hook_event_name: "PreCompact" });
      const [node, native] = both(workspace, (CONTEXT_NATIVE) =>
        runProgram(copy.launcher, ["pre-compact", "--guidance"], {
          ...{ cwd: workspace.root, env: { CONTEXT_NATIVE }, input },
        }),
      );
      expect(native, name).toEqual(node);
    }
  });

  test("keeps nothing of what it only takes off the client's hands", () => {
    const script = 'ulimit -v 200000; head -c 1000000000 /dev/zero | "$0" session-start';
    const ran = runProgram("sh", ["-c", script, copy.native], { cwd: makeAcme().root });
    expect(ran).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "context: standard input is larger than 8388608 bytes\n",
    });
  });

  test("runs what it holds itself, and without a Node on the PATH", () => {
    const workspace = makeAcme();
    workspace.role(ROLE);
    const env = { PATH: workspace.path("nothing") };
    for (const words of [
      ["lifecycle.init", ROLE],
      ["lifecycle.save", ROLE],
      ["lifecycle.status"],
      ["pre-compact"],
      ["session-start"],
      ["gate"],
    ]) {
      const input = words.length === 1 ? compact(workspace) : "";
      expect(runProgram(copy.native, words, { cwd: workspace.root, env, input }), words.join(" ")).toMatchObject({
        code: 0,
        stderr: "",
      });
    }
    const ran = runProgram(copy.native, ["lifecycle.graph"], { cwd: workspace.root, env });
    expect(ran.stderr).toContain("node is not on the PATH");
  });

  test("patterns and looking for texts do what the engine's own do", () => {
    const script = fileURLToPath(new URL("../fixtures/native/patterns.js", import.meta.url));
    const [quick, plain] = [[script], [script, "plain"]].map((words) =>
      execFileSync(ENGINE, words, { encoding: "utf8", maxBuffer: 2 ** 28 }).split("\n"),
    );
    expect(plain?.length).toBeGreaterThan(30_000);
    // One line at a time: what is shown of two long texts that differ is of no use.
    expect(quick?.filter((line, at) => line !== plain?.[at])).toEqual([]);
    expect(quick?.length).toBe(plain?.length);
  });

  test("readers of texts in C read what the TypeScript beside them reads", () => {
    const folder = mkdtempSync(join(tmpdir(), "context-readers-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const script = join(folder, "readers.js");
    buildSync({
      ...{ entryPoints: [fileURLToPath(new URL("../fixtures/native/readers.ts", import.meta.url))], outfile: script },
      ...{ bundle: true, format: "iife", globalName: "readers", footer: { js: "readers.outcome" } },
    });
    expect(execFileSync(ENGINE, [script], { encoding: "utf8" })).toMatch(/^\d{6} compared\n$/);
  });

  test("a crash after the payload was read gives it to Node", async () => {
    const workspace = makeAcme();
    const whole = compact(workspace);
    const { child, ended } = startProgram(copy.native, ["pre-compact", "--guidance"], {
      cwd: workspace.root,
      env: { CONTEXT_STDIN_IDLE_MS: "2000" },
    });
    // Without its last brace it is not whole, and is waited for.
    child.stdin?.write(whole.slice(0, -1));
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.kill("SIGSEGV");
    child.stdin?.end("}");
    const ran = await ended;
    expect(ran).toMatchObject({ code: 0, signal: null });
    expect(ran.stdout).toContain("24-demo");
  });
});

/** By Node, and by the native program after the project was put back as it was. */
function both<T>({ root }: Workspace, run: (CONTEXT_NATIVE: string) => T): T[] {
  const before = mkdtempSync(join(tmpdir(), "context-before-"));
  onTestFinished(() => rmSync(before, { recursive: true, force: true }));
  cpSync(root, before, { recursive: true, verbatimSymlinks: true });
  return ["0", ""].map((setting) => {
    for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true, force: true });
    cpSync(before, root, { recursive: true, verbatimSymlinks: true });
    return run(setting);
  });
}

/** Times are a run's own, and so are the ids of documents that hold them, and what files are known by. */
function plain(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/g, "TIME")
    .replace(/\b\d{15}-\d+-[a-z0-9]+-[a-z0-9]+/g, "NAME")
    .replace(/\b\d{13}(?:\.\d+)?\b/g, "MS")
    .replace(/\bMS:MS:\d+/g, "MARKS")
    .replace(/\b[0-9a-f]{8}\b(?!-)/g, "ID");
}

function filesOf({ root }: Workspace): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    // What a start remembers holds the times of files.
    if (!entry.isFile() || entry.name.endsWith(".memo")) continue;
    files[plain(path.slice(root.length))] = plain(readFileSync(path, "utf8"));
  }
  return files;
}
