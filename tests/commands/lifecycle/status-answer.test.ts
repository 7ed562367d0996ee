import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { CommandContext } from "../../../src/commands/command-context.ts";
import { lifecycleStatus } from "../../../src/commands/lifecycle/status.ts";
import type { StatusQuestion } from "../../../src/commands/lifecycle/status-question.ts";
import { reportJson } from "../../../src/commands/report-json.ts";
import { UNSEEN, WHOLE } from "../../../src/gate/coverage.ts";
import { formatGateState } from "../../../src/gate/state.ts";
import { ownProcess, processText } from "../../../src/platform/process-identity.ts";
import type { ProjectPaths } from "../../../src/stores/paths.ts";
import { contextText } from "../../helpers/context-text.ts";
import { remove } from "../../platform/scripts.ts";
import { project } from "../../stores/projects.ts";
import { put } from "../../stores/workspace-files.ts";

let paths: ProjectPaths;

beforeEach(() => {
  paths = project();
  for (const [index, state] of STATES.entries()) {
    put(paths, machine(index), envText(index, state));
    put(paths, contextFile(index), contextText({ role: `role-${index}` }));
  }
  return () => remove(paths.root);
});

const STATES = ["active", "saving", "saved", "compacting", "recovering"];
/** Long after everything that a test writes, and after the states began. */
const LATER = Date.now() + 60_000;
const SINCE = new Date(LATER - 5 * 60_000).toISOString();

const machine = (index: number): string => `session/stateMachines/role_${index}.states.env`;
const contextFile = (index: number): string => `session/agents/role-${index}.context.md`;
const memo = (): string => join(paths.cache, "status.memo");

function envText(index: number, state: string, more: readonly string[] = []): string {
  return [
    "STATE_SCHEMA=1",
    `STATE_MACHINE=role_${index}`,
    `STATE_ROLE=role-${index}`,
    `STATE_CURRENT=${state}`,
    `STATE_SINCE=${SINCE}`,
    "STATE_COMPACTIONS=1",
    "STATE_UNSAVED=0",
    ...more,
    "STATE_REVISION=3",
    "",
  ].join("\n");
}

/** A session of a role that compacted, and has read the first of two files. */
function gateState(role = "role-2"): string {
  return formatGateState({
    sessionId: "s-1",
    role,
    projectId: null,
    transcriptPath: null,
    transcriptBytes: null,
    compactedAt: SINCE,
    required: [
      { path: "a.md", purposes: ["role"], given: WHOLE, read: UNSEEN },
      { path: "b.md", purposes: ["role"], given: UNSEEN, read: UNSEEN },
    ],
    denials: 0,
    deniedCall: null,
    repeats: 0,
    opened: null,
  });
}

interface Ask extends Partial<StatusQuestion> {
  readonly at?: number;
  readonly json?: boolean;
  readonly build?: string;
  readonly invokedAs?: string;
}

/** What a status says, as its reader gets it. */
async function ask({ at = LATER, json = false, build = "b", invokedAs = "context", ...input }: Ask = {}) {
  const now = new Date(at);
  const context: CommandContext = {
    paths,
    env: {},
    cwd: paths.root,
    now: () => now,
    build,
    installation: "here",
    invokedAs,
  };
  const all = { role: undefined, filter: undefined, unsaved: false, brief: false, json, ...input };
  const report = await lifecycleStatus(context, all);
  const parts = report.parts.map((part) => (part.kind === "text" ? part.text : ""));
  return { stdout: json ? (report.document ?? reportJson(report)) : parts.join(""), notes: report.notes };
}

/** The same, where nothing is known of an earlier one. */
async function askAnew(input: Ask = {}) {
  for (const name of ["", "-json", "-brief", "-json-brief"])
    rmSync(join(paths.cache, `status${name}.memo`), { force: true });
  return ask(input);
}

/** Whether a status takes the answer that is kept: a word in it is another one. */
async function isKnown(input: Ask = {}): Promise<boolean> {
  const path = join(paths.cache, `status${input.json ? "-json" : ""}${input.brief ? "-brief" : ""}.memo`);
  const before = readFileSync(path);
  writeFileSync(path, Buffer.from(before.toString("latin1").replaceAll("role-2 ", "roll-2 "), "latin1"));
  const { stdout } = await ask(input);
  writeFileSync(path, before);
  return stdout.includes("roll-2 ");
}

describe("an answer about all roles", () => {
  test("is given again, byte for byte, while nothing has changed: as a table, as JSON, and of the machines alone", async () => {
    for (const form of [{}, { json: true }, { brief: true }, { json: true, brief: true }]) {
      const first = await askAnew(form);
      expect(first.stdout).toContain("role-4");
      expect(await ask(form)).toEqual(first);
    }
    await ask();
    expect(await isKnown()).toBe(true);
  });

  const changes: Record<string, () => void> = {
    "a machine": () => put(paths, machine(2), envText(2, "active")),
    "a context file": () => put(paths, contextFile(3), "# Nothing of use\n"),
    "a context file with its size and time of writing put back": () => {
      const path = join(paths.root, contextFile(3));
      const { atime, mtime, size } = statSync(path);
      writeFileSync(path, "x".repeat(size));
      utimesSync(path, atime, mtime);
    },
    "a context file that is gone": () => rmSync(join(paths.root, contextFile(0))),
    "a folder in a context file's place": () => {
      rmSync(join(paths.root, contextFile(0)));
      mkdirSync(join(paths.root, contextFile(0)));
    },
    "a machine that is gone": () => rmSync(join(paths.root, machine(1))),
    "a machine that is broken": () => put(paths, machine(1), "STATE_CURRENT=asleep\n"),
    "a new machine": () => put(paths, machine(7), envText(7, "saved")),
    "a context file without a machine": () => put(paths, contextFile(8), contextText({ role: "role-8" })),
    "what a session has read since its compaction": () => put(paths, "session/.cache/gate/s-1.json", gateState()),
  };

  test.each(Object.entries(changes))("is made anew after a change: %s", async (_, change) => {
    put(paths, "session/.cache/gate/s-2.json", "{}");
    const first = await ask();
    expect(await isKnown()).toBe(true);
    change();
    const second = await ask();
    expect(second).toEqual(await askAnew());
    expect(second).not.toEqual(first);
  });

  test("is made anew when the first role has been on its way for too long, and when the clock goes back", async () => {
    await ask();
    const limit = Date.parse(SINCE) + 10 * 60_000;
    expect(await isKnown({ at: limit })).toBe(true);
    const stuck = await ask({ at: limit + 1 });
    expect(stuck.stdout).toContain("(stuck)");
    // That one holds for good, but not before it was so.
    expect(await isKnown({ at: limit + 1_000_000 })).toBe(true);
    expect((await ask({ at: limit })).stdout).not.toContain("(stuck)");
  });

  test("is made anew when the client of an owner ends", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    const client = processText({ ...ownProcess(), pid: child.pid ?? 0, started: null });
    put(paths, machine(0), envText(0, "active", ["STATE_SESSION_ID=s", `STATE_OWNER_PROCESS=${client}`]));
    const running = await ask();
    expect(await isKnown()).toBe(true);
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill();
    await gone;
    expect(running.stdout).not.toContain("(ended)");
    expect((await ask()).stdout).toContain("(ended)");
  });

  test("is another build's, another launcher's or a stranger's as good as none", async () => {
    const first = await ask();
    expect(await isKnown()).toBe(true);
    expect(await isKnown({ build: "c" })).toBe(false);
    expect(await isKnown({ invokedAs: "./context" })).toBe(false);
    const whole = readFileSync(memo());
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from("{}"),
      Buffer.from("null\0\0\0\n"),
      whole.subarray(0, whole.length - 1),
      whole.subarray(0, whole.length - 9),
      // Cut at the end of a line of the table.
      whole.subarray(0, whole.lastIndexOf("\n", whole.length - 3) + 1),
      Buffer.concat([whole.subarray(0, whole.length - 9), Buffer.from("\n")]),
      Buffer.from(whole.toString("latin1").replace('"notes":[]', '"notes":[1]'), "latin1"),
    ]) {
      writeFileSync(memo(), bytes);
      expect(await ask()).toEqual(first);
    }
  });

  test("is not believed where it could have come with the project, or names what no file can be called", async () => {
    const first = await ask();
    const bytes = readFileSync(memo());
    const head = JSON.parse(bytes.toString("utf8", 0, bytes.indexOf(0)));
    const forge = (looked: readonly string[], length: string, folder = [-1, 0, 0, 0]): void => {
      const start = Buffer.from(`${JSON.stringify({ ...head, looked })}\0\0${length}\0`);
      const files = ["machine", "context file"].flatMap(() => [-1, 0, 0, 0]);
      const marks = Float64Array.from([...looked.flatMap(() => folder), ...files]);
      const gap = Buffer.alloc((8 - (start.length % 8)) % 8);
      writeFileSync(memo(), Buffer.concat([start, gap, new Uint8Array(marks.buffer), Buffer.from("forged\n")]));
    };
    for (const looked of [[], ["/nothing"], ["/no\0thing"], [paths.machines]]) {
      forge(looked, "6");
      expect(await ask(), looked.join()).toEqual(first);
    }
    forge([paths.machines], "-27");
    expect(await ask()).toEqual(first);
    // In an image that is mounted a folder's times are the same everywhere.
    const image = `${paths.root}.image`;
    renameSync(paths.machines, image);
    symlinkSync(image, paths.machines);
    const { size, mtimeMs, ctimeMs, ino } = statSync(image);
    const key: unknown[] = JSON.parse(head.key);
    head.key = JSON.stringify(key.with(8, image));
    forge([paths.machines], "6", [size, mtimeMs, ctimeMs, ino]);
    const { stdout } = await ask();
    remove(image);
    expect(stdout).not.toContain("forged");
  });

  test("is made anew when the session's folder has moved out of the project, though no file has changed", async () => {
    await ask();
    expect(await isKnown()).toBe(true);
    const elsewhere = `${paths.root}.elsewhere`;
    const session = join(paths.root, "session");
    renameSync(session, elsewhere);
    symlinkSync(elsewhere, session);
    const { stdout } = await ask();
    remove(elsewhere);
    expect(stdout).toContain("unreadable");
  });

  test("is not kept of a context file that cannot be read, which the next look may be able to", async () => {
    for (let index = 5; index < 60; index++) put(paths, machine(index), envText(index, "saved"));
    rmSync(join(paths.root, contextFile(1)));
    mkdirSync(join(paths.root, contextFile(1)));
    expect((await ask()).stdout).toContain("unreadable");
    expect(() => statSync(memo())).toThrow("ENOENT");
    const facts = readFileSync(join(paths.cache, "status.json"), "utf8");
    expect(facts).toContain('"role-2"');
    expect(facts).not.toContain('"role-1"');
  });

  test("is not kept of what changed within the last two seconds, nor where something went wrong, nor of a choice of roles", async () => {
    await ask({ at: Date.now() + 1000 });
    expect(() => statSync(memo())).toThrow("ENOENT");
    for (const part of [{ role: "role-1" }, { filter: "state=saved" }]) await ask(part);
    expect(() => statSync(memo())).toThrow("ENOENT");
    put(paths, machine(1), "STATE_CURRENT=asleep\n");
    await ask();
    expect(() => statSync(memo())).toThrow("ENOENT");
  });

  test("is not kept of a role that may still be reading, whose transcript tells what it has read", async () => {
    mkdirSync(join(paths.cache, "gate"), { recursive: true });
    put(paths, "session/.cache/gate/s-1.json", gateState("role-4"));
    expect((await ask()).stdout).toContain("RECOVERY");
    expect(() => statSync(memo())).toThrow("ENOENT");
  });
});
