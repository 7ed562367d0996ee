import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { ownProcess } from "../../src/platform/process-identity.ts";
import { makeCompacted } from "../gate/session.ts";
import { makeAcme, manifestText, stepsWith } from "../helpers/acme-project.ts";
import type { Ran } from "../helpers/run-program.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const PLANNING = "02-projects/24-demo/01-planning";
const MANIFEST = `${PLANNING}/resume-context.md`;
const STEPS = `${PLANNING}/04-steps.md`;

/** What a person made of a manifest over the months. */
const BY_HAND = [
  "---   ",
  "# Kept by hand: do not tidy up",
  'resume_schema_version: "1.0"',
  "project_id:   24-demo   # the folder",
  "project_name: 'Demo: the app'",
  "my_own_key: {b: 1, a: [2,  3]}",
  "current_task:   '4'   # by hand",
  "",
  "progress: >-",
  "  2/6 tasks",
  "  complete",
  "current_phase: planning\t",
  "next_action: plan-build",
  "files_to_load:",
  "- 01-planning/04-steps.md  # the boxes",
  "current_section: 1",
  'last_updated: "2026-01-03T15:30:00"',
  "---",
  "",
  "# Notes",
  "",
  "current_task: 4 stands here too, and progress: none.   ",
  "---",
  "no newline at the end",
].join("\n");

/** The same, with the values that three closed boxes make. */
function updatedByHand(at: string): string {
  return BY_HAND.replace("current_task:   '4'", "current_task:   '4'")
    .replace(">-\n  2/6 tasks\n  complete", "3/6 tasks complete")
    .replace("current_phase: planning\t", "current_phase: execution\t")
    .replace("plan-build", "execute-build")
    .replace("current_section: 1", "current_section: 2")
    .replace("2026-01-03T15:30:00", at);
}

function update(workspace: Workspace, more: readonly string[] = []): Ran {
  return workspace.context(["resume.update", "24-demo", ...more]);
}

describe("only the values that follow the steps change", () => {
  test.each([
    ["as it is", (text: string) => text],
    ["with CRLF", (text: string) => text.replaceAll("\n", "\r\n")],
    ["with a BOM and CRLF", (text: string) => `\uFEFF${text.replaceAll("\n", "\r\n")}`],
  ])("%s: comments, unknown keys, order, blanks and the body stay, byte for byte", (_what, form) => {
    const workspace = makeAcme();
    workspace.write(MANIFEST, form(BY_HAND));
    chmodSync(workspace.path(MANIFEST), 0o640);
    const before = Date.now();
    const ran = update(workspace, ["--json"]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      ok: true,
      project: "24-demo",
      path: MANIFEST,
      changed: ["current_section", "progress", "current_phase", "next_action", "last_updated"],
      values: { current_section: 2, current_task: 4, progress: "3/6 tasks complete", current_phase: "execution" },
    });
    const after = workspace.read(MANIFEST);
    const at = /last_updated: "([^"]+)"/.exec(after)?.[1] ?? "";
    expect(Date.parse(at)).toBeGreaterThanOrEqual(before);
    expect(after).toBe(form(updatedByHand(at)));
    expect(readFileSync(workspace.path(MANIFEST))).toEqual(Buffer.from(form(updatedByHand(at))));

    // The second time there is nothing to do, and nothing is touched.
    expect(update(workspace)).toMatchObject({ code: 0, stdout: `${MANIFEST}: nothing to change.\n`, stderr: "" });
    expect(workspace.read(MANIFEST)).toBe(after);
    expect(workspace.list(PLANNING)).toEqual(["01-overview.md", "03-plan.md", "04-steps.md", "resume-context.md"]);
  });

  test("from the first box to the last, and back", () => {
    const workspace = makeAcme();
    const say = (closed: number) => {
      workspace.write(STEPS, stepsWith(closed));
      const ran = update(workspace);
      expect(ran).toMatchObject({ code: 0, stderr: "" });
      const key = (name: string) => new RegExp(`^${name}: "?([^"\\n]*)"?$`, "m").exec(workspace.read(MANIFEST))?.[1];
      return ["current_section", "current_task", "progress", "current_phase", "next_action"].map(key).join(" | ");
    };
    expect([0, 2, 5, 6, 3].map(say)).toEqual([
      "1 | 1 | 0/6 tasks complete | planning | plan-project",
      "2 | 3 | 2/6 tasks complete | execution | execute-project",
      "2 | 6 | 5/6 tasks complete | execution | execute-project",
      "2 | 7 | 6/6 tasks complete | review | execute-project",
      "2 | 4 | 3/6 tasks complete | execution | execute-project",
    ]);
  });

  test.each([
    ["a manifest that lacks another key", (text: string) => text.replace(/^project_name:.*\n/m, "")],
    ["an older manifest", (text: string) => text.replace("current_phase:", "phase:").replace(/^project_id:.*\n/m, "")],
  ])("a phase that boxes cannot tell from theirs stays in %s", (_what, spoil) => {
    const workspace = makeAcme();
    workspace.write(MANIFEST, spoil(BY_HAND).replace("phase: planning\t", "phase: testing # by hand"));
    const ran = update(workspace);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).not.toContain("current_phase");
    expect(workspace.read(MANIFEST)).toContain("phase: testing # by hand\n");
  });

  test("boxes in fences and comments do not count, and the number of a project is enough", () => {
    const workspace = makeAcme();
    workspace.write(STEPS, `${stepsWith(3)}\n\`\`\`\n- [x] no\n- [ ] no\n\`\`\`\n<!--\n- [x] no\n-->\n`);
    const ran = workspace.context("resume.update 24");
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(workspace.read(MANIFEST)).toContain('progress: "3/6 tasks complete"\n');
  });
});

test("the document of a compaction names the command, which runs as it stands there", () => {
  const { workspace } = makeCompacted();
  const [, line = ""] =
    /^- Update resume-context\.md then: (.+)$/m.exec(workspace.read("session/.cache/session-start.xml")) ?? [];
  expect(line).toBe("./context resume.update 24-demo");
  workspace.write(STEPS, stepsWith(5));
  const ran = spawnSync("sh", ["-c", line], { cwd: workspace.root, encoding: "utf8" });
  expect(ran).toMatchObject({ status: 0, stderr: "" });
  expect(workspace.read(MANIFEST)).toContain('progress: "5/6 tasks complete"');
});

describe("what cannot be updated is told with its place, and left as it is", () => {
  const cases: readonly (readonly [string, (workspace: Workspace) => void, number, RegExp])[] = [
    [
      "a missing project",
      (each) => rmSync(each.path("02-projects/24-demo"), { recursive: true }),
      1,
      /no project 24-demo/,
    ],
    ["a missing manifest", (each) => rmSync(each.path(MANIFEST)), 1, /24-demo has no resume-context\.md/],
    [
      "missing steps",
      (each) => rmSync(each.path(STEPS)),
      1,
      /04-steps\.md does not exist\.\n {2}Write the steps there, a box \(- \[ \]\) each, and run it again\.\n/,
    ],
    [
      "steps that are a folder",
      (each) => {
        rmSync(each.path(STEPS));
        mkdirSync(each.path(STEPS));
      },
      1,
      /04-steps\.md is a folder/,
    ],
    [
      "steps that are no text",
      (each) => each.write(STEPS, Buffer.from([0xff, 0xfe, 0])),
      1,
      /04-steps\.md is not UTF-8/,
    ],
    [
      "a manifest that is no text",
      (each) => each.write(MANIFEST, "---\na: \0\n---\n"),
      1,
      /resume-context\.md holds NUL/,
    ],
    ["an empty manifest", (each) => each.write(MANIFEST, ""), 1, /resume-context\.md:1:1 /],
    [
      "a manifest that is no YAML",
      (each) => each.write(MANIFEST, "---\na: 1\nb: [1\n---\nx\n"),
      1,
      /resume-context\.md:[2-4]:\d+ /,
    ],
    ["front matter that is not closed", (each) => each.write(MANIFEST, "---\na: 1\n"), 1, /resume-context\.md:1:1 /],
    ["a key that stands twice", (each) => each.write(MANIFEST, "---\na: 1\na: 2\n---\n"), 1, /resume-context\.md:3:1 /],
    [
      "a value that is a list",
      (each) => each.write(MANIFEST, "---\ncurrent_task: [1]\n---\n"),
      1,
      /resume-context\.md:2:1 /,
    ],
    [
      "a planning folder that is a link out of the project",
      (each) => {
        const elsewhere = makeWorkspace();
        renameSync(each.path(PLANNING), elsewhere.path("planning"));
        symlinkSync(elsewhere.path("planning"), each.path(PLANNING));
      },
      1,
      /link that leads out/,
    ],
  ];
  test.each(cases)("%s", (_what, spoil, code, told) => {
    const workspace = makeAcme();
    spoil(workspace);
    const before = workspace.exists(MANIFEST) ? readFileSync(workspace.path(MANIFEST)) : null;
    const ran = update(workspace);
    expect(ran).toMatchObject({ code, stdout: "" });
    expect(ran.stderr).toMatch(told);
    expect(workspace.exists(MANIFEST) ? readFileSync(workspace.path(MANIFEST)) : null).toEqual(before);
    expect(workspace.list(PLANNING).filter((name) => name.startsWith("."))).toEqual([]);
  });

  test("what is no project's id at all is a usage error", () => {
    const workspace = makeAcme();
    for (const id of ["../24-demo", "demo", "24-demo/..", ""]) {
      expect(workspace.context(["resume.update", id]).code).toBe(2);
    }
    expect(workspace.context("resume.update 24-dem").stderr).toContain('Did you mean "24-demo"?');
  });
});

describe("at the same time", () => {
  test("twenty updates and a person who closes boxes lose nothing and leave nothing", async () => {
    const workspace = makeAcme();
    workspace.write(MANIFEST, BY_HAND);
    workspace.write(STEPS, stepsWith(0));
    let closed = 0;
    const runs = Array.from({ length: 20 }, () => {
      const { child, ended } = workspace.start(["resume.update", "24-demo"]);
      child.stdin?.end();
      return ended.then((ran) => {
        closed = Math.min(5, closed + 1);
        writeFileSync(workspace.path(`${STEPS}.new`), stepsWith(closed));
        renameSync(workspace.path(`${STEPS}.new`), workspace.path(STEPS));
        return ran;
      });
    });
    const all = await Promise.all(runs);
    // Twenty at once on a busy machine may be longer about it than one waits for the lock, and then says so.
    for (const { code, stderr } of all) {
      if (code !== 4) expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      else expect(stderr).toMatch(/^context: .* is locked by process \d+ on .*, for longer than \d+ ms\.\n$/);
    }
    expect(all.filter(({ code }) => code === 0).length).toBeGreaterThan(0);
    expect(update(workspace).code).toBe(0);
    const after = workspace.read(MANIFEST);
    expect(after).toContain("current_task:   '6'   # by hand\n");
    expect(after).toContain("progress: 5/6 tasks complete\n");
    expect(after.slice(after.indexOf("\n---\n"))).toBe(BY_HAND.slice(BY_HAND.indexOf("\n---\n")));
    expect(after.split("\n").length).toBe(BY_HAND.split("\n").length - 2);
    expect(workspace.list(PLANNING)).toEqual(["01-overview.md", "03-plan.md", "04-steps.md", "resume-context.md"]);
  });

  // The last look and the rename are two steps, some microseconds apart: one save in thousands falls between them unseen.
  test("what an editor without our lock saves in between is kept", async () => {
    const workspace = makeAcme();
    const path = workspace.path(MANIFEST);
    workspace.write(MANIFEST, manifestText("24-demo"));
    let notes = 0;
    let running = true;
    const editor = (async () => {
      while (running) {
        // As editors save: a whole new file in the place of the old one.
        const text = readFileSync(path, "utf8");
        writeFileSync(`${path}.editor`, `${text}note ${notes + 1}\n`);
        if (readFileSync(path, "utf8") === text) {
          renameSync(`${path}.editor`, path);
          notes += 1;
        }
        await sleep(12);
      }
    })();
    let updates = 0;
    for (let count = 0; count < 16; count++) {
      writeFileSync(workspace.path(STEPS), stepsWith(count % 6));
      const { child, ended } = workspace.start(["resume.update", "24-demo"]);
      child.stdin?.end();
      const ran = await ended;
      expect([0, 1]).toContain(ran.code);
      if (ran.code === 0) updates += 1;
    }
    running = false;
    await editor;
    rmSync(`${path}.editor`, { force: true });
    expect(updates).toBeGreaterThan(2);
    expect(notes).toBeGreaterThan(20);
    const left = [...workspace.read(MANIFEST).matchAll(/^note (\d+)$/gm)].map((match) => Number(match[1]));
    const lost = Array.from({ length: notes }, (_unused, index) => index + 1).filter((note) => !left.includes(note));
    expect(lost.length, `lost: ${lost}`).toBeLessThan(3);
    expect(lost.length, `lost: ${lost}`).toBeLessThan(3);
    expect(workspace.list(PLANNING)).toEqual(["01-overview.md", "03-plan.md", "04-steps.md", "resume-context.md"]);
  });

  test("a dead process's lock and what it left are cleared away at the first try", () => {
    const workspace = makeAcme();
    const { pid } = spawnSync("true");
    const lock = { ...ownProcess(), pid, started: null, token: "dead" };
    workspace.write(`${PLANNING}/.resume-context.md.lock`, JSON.stringify(lock));
    workspace.write(`${PLANNING}/.resume-context.md.${pid}-abc-1d.tmp`, "half a manif");
    expect(update(workspace)).toMatchObject({ code: 0, stderr: "" });
    expect(workspace.list(PLANNING)).toEqual(["01-overview.md", "03-plan.md", "04-steps.md", "resume-context.md"]);
  });

  test("a lock that may be a living process's is waited for, then told, and never broken", () => {
    const workspace = makeAcme();
    const before = workspace.read(MANIFEST);
    const lock = `${PLANNING}/.resume-context.md.lock`;
    workspace.write(lock, JSON.stringify({ pid: 1, started: null, boot: null, host: "elsewhere", token: "other" }));
    const ran = update(workspace);
    expect(ran).toMatchObject({ code: 4, stdout: "" });
    expect(ran.stderr).toMatch(/resume-context\.md is locked by process 1 on elsewhere/);
    expect(workspace.exists(lock)).toBe(true);
    expect(workspace.read(MANIFEST)).toBe(before);
  });
});
