import { mkdirSync, symlinkSync, truncateSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { makeAcme, preCompactPayload, sessionText } from "../helpers/acme-project.ts";
import { runProgram } from "../helpers/run-program.ts";
import { SessionLog } from "../helpers/session-log.ts";
import type { Workspace } from "../helpers/workspace.ts";

const STATE = "00-system/.cache/precompact_state.json";
/** A start of the program takes a tenth of a second; a client waits ten times as long as this. */
const MOST_CPU_SECONDS = 2;
const MB = 1024 * 1024;

const good = (workspace: Workspace) => new SessionLog(workspace.root).edit("02-projects/24-demo/02-working/a.md");

interface Case {
  readonly what: string;
  /** Makes the transcript; its path. */
  readonly make: (workspace: Workspace) => string;
  readonly project: string | null;
  /** What is told on stderr; nothing where it is left out. */
  readonly told?: RegExp;
  /** Whether the file that was changed is named to the summariser. */
  readonly work?: boolean;
}

const WRITE = (content: (workspace: Workspace) => string | Uint8Array) => (workspace: Workspace) =>
  workspace.write("client/s.jsonl", content(workspace));

function sparse(workspace: Workspace, megabytes: number, end: string): string {
  const path = workspace.write("client/s.jsonl", "");
  truncateSync(path, megabytes * MB);
  runProgram("sh", ["-c", 'cat >> "$1"', "sh", path], { cwd: workspace.root, input: end });
  return path;
}

const CASES: readonly Case[] = [
  { what: "that is missing", make: (workspace) => workspace.path("client/none.jsonl"), project: null },
  {
    what: "whose path is a folder",
    make: (workspace) => workspace.path("02-projects"),
    project: null,
    told: /^context: Expected a file, found a directory: .*\n$/,
  },
  {
    what: "whose path is a FIFO",
    make: (workspace) => {
      runProgram("mkfifo", ["fifo"], { cwd: workspace.root });
      return workspace.path("fifo");
    },
    project: null,
    told: /^context: Expected a file, found a named pipe: .*\n$/,
  },
  { what: "whose path is a device", make: () => "/dev/zero", project: null, told: /^context: Expected a file, .*\n$/ },
  {
    what: "whose path is a loop of links",
    make: (workspace) => {
      symlinkSync("loop", workspace.path("loop"));
      return workspace.path("loop");
    },
    project: null,
    told: /^context: .*loop.*\n$/,
  },
  {
    what: "that is a link to the file",
    make: (workspace) => {
      symlinkSync(WRITE((each) => good(each).text())(workspace), workspace.path("link"));
      return workspace.path("link");
    },
    project: "24-demo",
    work: true,
  },
  { what: "that is empty", make: WRITE(() => ""), project: null },
  { what: "of 600 MB of nothing", make: (workspace) => sparse(workspace, 600, ""), project: null },
  {
    what: "of 600 MB with work at its end",
    make: (workspace) => sparse(workspace, 600, `\n${good(workspace).text()}`),
    project: "24-demo",
    work: true,
  },
  {
    what: "with a row of 50 MB between the work and its end",
    make: WRITE((workspace) => {
      const big = { type: "tool_result", tool_use_id: "x", content: "y".repeat(50 * MB) };
      return good(workspace)
        .add({ type: "user", message: { content: [big] } })
        .prompt("go on")
        .text();
    }),
    project: "24-demo",
    work: true,
  },
  {
    what: "with 40 MB of the client's own rows after the work",
    make: WRITE((workspace) => {
      const blob = `${JSON.stringify({ type: "api-request-blob", body: "02-projects/27-xml-context ".repeat(40_000) })}\n`;
      return good(workspace).text() + blob.repeat(38);
    }),
    project: "24-demo",
    work: true,
  },
  {
    what: "with broken rows all over and half a row at its end",
    make: WRITE((workspace) => {
      const log = new SessionLog(workspace.root).raw("{").raw("[]").raw("null").raw("\u0000").raw('{"type":"user"');
      log.edit("02-projects/24-demo/02-working/a.md").raw('"02-projects/27-xml-context"').raw("}{");
      for (const content of [null, 5, {}, [null, 1, []], [{ type: "tool_result" }], [[{ type: "tool_use" }]]]) {
        log.add({ type: "user", message: { content } }).add({ type: "assistant", message: { content } });
      }
      log.add({ type: "user", message: null }).add({ type: "user" }).add({ type: "assistant", message: [] });
      return `${log.text()}{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Wri`;
    }),
    project: "24-demo",
    work: true,
  },
  {
    what: "that ends in the middle of its one row",
    make: WRITE((workspace) => good(workspace).text().slice(0, 80)),
    project: null,
  },
  {
    what: "with NUL bytes and bytes that are no UTF-8",
    make: WRITE((workspace) =>
      Buffer.concat([
        Buffer.alloc(4096),
        Buffer.from(`\n${good(workspace).text()}`),
        Buffer.from([0xff, 0xfe, 0x0a, 0xc3, 0x28, 0x0a, 0xed, 0xa0, 0x80, 0x0a]),
        Buffer.alloc(100),
      ]),
    ),
    project: "24-demo",
    work: true,
  },
  {
    what: "in UTF-16",
    make: WRITE((workspace) => Buffer.from(`\uFEFF${good(workspace).text()}`, "utf16le")),
    project: null,
  },
  {
    what: "with CRLF and a BOM",
    make: WRITE((workspace) => `\uFEFF{"type":"x"}\r\n${good(workspace).text().replaceAll("\n", "\r\n")}`),
    project: "24-demo",
    work: true,
  },
  {
    what: "whose calls have other shapes than ours",
    make: WRITE((workspace) => {
      const log = new SessionLog(workspace.root);
      for (const input of [null, [], "02-projects/27-xml-context", { file_path: 5 }, { file_path: ["x"] }, {}]) {
        log.add({ type: "assistant", message: { content: [{ type: "tool_use", id: "i", name: "Edit", input }] } });
      }
      return log.edit("02-projects/24-demo/02-working/a.md").text();
    }),
    project: "24-demo",
    work: true,
  },
  {
    what: "of rows that are nested as deep as JSON goes",
    make: WRITE((workspace) => {
      const deep = `{"type":"user","message":{"content":${"[".repeat(200_000)}${"]".repeat(200_000)}}}`;
      return good(workspace).raw(deep).text();
    }),
    project: "24-demo",
    work: true,
  },
  {
    what: "of one megabyte of one character in each text",
    make: WRITE((workspace) => {
      const log = good(workspace);
      for (const text of ["a", '"', "'", "\\", "--- ", "x.", "-----BEGIN ", "eyJ", "sk-", "://", "password="]) {
        log.bash(text.repeat(80_000 / text.length), { failed: true, says: text.repeat(80_000 / text.length) });
      }
      return log.text();
    }),
    project: "24-demo",
    work: true,
  },
];

describe("a transcript", () => {
  test.each(CASES)("$what costs the client nothing, and says what it can", async ({ make, project, told, work }) => {
    const workspace = makeAcme();
    const transcript = make(workspace);
    for (const words of [["pre-compact"], ["pre-compact", "--guidance"]]) {
      const { child, ended } = workspace.start(words, { cwd: workspace.root, cpuSeconds: MOST_CPU_SECONDS });
      child.stdin?.end(preCompactPayload(workspace, transcript));
      const ran = await ended;
      expect(ran).toMatchObject({ code: 0, signal: null });
      if (told === undefined) expect(ran.stderr).toBe("");
      else expect(ran.stderr).toMatch(told);
      if (words.length === 1) expect(ran.stdout).toBe("{}\n");
      else {
        expect(ran.stdout.length).toBeLessThanOrEqual(2000);
        expect(ran.stdout.includes("Files changed: 02-projects/24-demo/02-working/a.md\n")).toBe(work ?? false);
        expect(ran.stdout.includes("Project: 24-demo")).toBe(project !== null);
      }
      if (project === null) expect(workspace.exists(STATE)).toBe(false);
      else expect(JSON.parse(workspace.read(STATE))).toMatchObject({ active_project_id: project });
    }
  });
});

test("work that lies before what a hook reads is known from this session's earlier compaction", () => {
  const workspace = makeAcme();
  const log = new SessionLog(workspace.root).edit("02-projects/24-demo/a.md");
  const transcript = workspace.write("client/s.jsonl", log.text());
  const run = () => workspace.context("pre-compact", { input: preCompactPayload(workspace, transcript) });
  expect(run().code).toBe(0);
  for (let count = 0; count < 1200; count++) log.bash(`make ${count}`);
  workspace.write("client/s.jsonl", log.text());
  expect(run()).toMatchObject({ code: 0, stdout: "{}\n", stderr: "" });
  expect(JSON.parse(workspace.read(STATE))).toMatchObject({
    active_project_id: "24-demo",
    confidence: "medium",
    detection_method: "cache",
  });
});

test("after two compactions it is the work since the last one that counts, and a summary alone counts little", () => {
  const workspace = makeAcme();
  const log = new SessionLog(workspace.root).edit("02-projects/24-demo/a.md").edit("02-projects/24-demo/b.md");
  log.compacted("Working on 24-demo.").read("02-projects/27-xml-context/a.md").compacted("All about 24-demo, 24-demo.");
  const transcript = workspace.write("client/s.jsonl", log.text());
  const run = () => workspace.context("pre-compact", { input: preCompactPayload(workspace, transcript) });
  run();
  expect(JSON.parse(workspace.read(STATE))).toMatchObject({
    active_project_id: "27-xml-context",
    confidence: "medium",
  });
  workspace.write("client/s.jsonl", new SessionLog(workspace.root).compacted("All about 24-demo.").text());
  run();
  expect(JSON.parse(workspace.read(STATE))).toMatchObject({ active_project_id: "24-demo", confidence: "low" });
});

test("what the agent read, the client's reminders and our own output point to no project", () => {
  const workspace = makeAcme();
  const named = `${workspace.root}/02-projects/27-xml-context/01-planning/04-steps.md`;
  const log = new SessionLog(workspace.root)
    .prompt(`look at ${named}`)
    .says(`I shall edit ${named}`)
    .bash("ls -R .", { says: named })
    .call("TodoWrite", { todos: [{ content: "x", status: "pending" }] }, { says: named })
    .add({ type: "user", isMeta: true, message: { content: named } })
    .add({ type: "attachment", attachment: { type: "hook_success", content: named, stdout: named } })
    .edit(named, { failed: true, says: "File has not been read yet." })
    .edit(named, { record: { isSidechain: true } })
    .add({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: "none", content: named }] } });
  mkdirSync(workspace.path("client"));
  const transcript = workspace.write("client/s.jsonl", log.text());
  expect(workspace.context("pre-compact", { input: preCompactPayload(workspace, transcript) })).toMatchObject({
    code: 0,
    stdout: "{}\n",
    stderr: "",
  });
  expect(workspace.exists(STATE)).toBe(false);
  // The same place, worked on in earnest, is one.
  workspace.write("client/s.jsonl", sessionText("2.1.332", "planning", workspace.root));
  workspace.context("pre-compact", { input: preCompactPayload(workspace, transcript) });
  expect(JSON.parse(workspace.read(STATE))).toMatchObject({ active_project_id: "27-xml-context" });
});
