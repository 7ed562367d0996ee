import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { makeAcme } from "../helpers/acme-project.ts";
import { decisionOf, OWN, runStart, SESSION, startDocument, startParts } from "../helpers/session-start.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const MEMO = "session/.cache/start.memo";
const WHOLE = "session/.cache/session-start.xml";
const OTHER = "0b0b0b0b-1111-4222-8333-444455556666";

/** Older than what counts as just changed. */
const settled = () => sleep(2100);

function filled(): Workspace {
  const workspace = makeAcme();
  workspace.role("oosh-expert");
  for (const name of ["a", "b", "c"]) skill(workspace, name);
  workspace.write("01-memory/goals.md", "# Goals\n\n- Ship it.\n");
  workspace.write("02-projects/30-bare/01-planning/overview.md", "# Bare\n");
  return workspace;
}

function skill(workspace: Workspace, name: string, description = "Does one thing."): string {
  return workspace.write(`03-skills/${name}/SKILL.md`, `---\nname: ${name}\ndescription: ${description}\n---\n`);
}

/** The document as a start makes it that remembers nothing. */
function fresh(workspace: Workspace): string {
  rmSync(workspace.path("session/.cache"), { recursive: true, force: true });
  return startDocument(workspace).xml;
}

/** Puts a mark into the documents that are remembered: one that bears it was not made anew. */
function plant(workspace: Workspace, where: "documents" | "scan" = "documents"): void {
  const text = readFileSync(workspace.path(MEMO)).toString("latin1");
  // The scan stands behind the documents and the marks.
  const parts = [text.slice(0, text.indexOf("\0")), text.slice(text.indexOf("\0"))];
  const index = where === "documents" ? 0 : 1;
  parts[index] = (parts[index] ?? "").replaceAll("Does one thing.", "Does two things");
  writeFileSync(workspace.path(MEMO), Buffer.from(parts.join(""), "latin1"));
}

describe("a start in a project where nothing has changed", () => {
  test("says what the last one said, to the byte, of its own session", async () => {
    const workspace = filled();
    await settled();
    const first = startDocument(workspace).xml;
    expect(workspace.exists(MEMO)).toBe(true);
    const whole = workspace.read(WHOLE);
    expect(startDocument(workspace).xml).toBe(first);
    const other = startDocument(workspace, { session: OTHER }).xml;
    expect(other).toBe(first.replace(SESSION, OTHER));
    expect(workspace.read(WHOLE)).toBe(whole.replace(SESSION, OTHER));
    expect(decisionOf(workspace)).toMatchObject({ session_id: OTHER, case: 1 });
    rmSync(workspace.path("session/.cache"), { recursive: true });
    expect(startDocument(workspace, { session: OTHER }).xml).toBe(other);
    expect(workspace.read(WHOLE)).toBe(whole.replace(SESSION, OTHER));
  });

  test("points each session to a whole document of its own, where it is not told all", async () => {
    const workspace = filled();
    workspace.write("00-system/core/orchestrator.md", "Route the user.\n".repeat(2000));
    await settled();
    const first = startDocument(workspace).xml;
    expect(first).toContain(`<omitted whole="${workspace.path(OWN)}">`);
    const whole = workspace.read(OWN);
    const other = startDocument(workspace, { session: OTHER }).xml;
    expect(other).toBe(first.replaceAll(SESSION, OTHER));
    expect(workspace.read(OWN)).toBe(whole);
    expect(workspace.read(OWN.replace(SESSION, OTHER))).toBe(whole.replace(SESSION, OTHER));
  });

  test("leaves nothing for ever of roles that are no more: what no start has renewed for a month goes", async () => {
    const workspace = filled();
    const month = Date.now() / 1000 - 31 * 24 * 60 * 60;
    const old = ["start.task-1.memo", ".gitignore", "precompact_state.json.corrupt-20260101T000000Z"];
    for (const name of old) utimesSync(workspace.write(`session/.cache/${name}`, "x"), month, month);
    workspace.write("session/.cache/start.task-2.memo", "x");
    await settled();
    startDocument(workspace);
    expect(workspace.exists(MEMO)).toBe(true);
    const [gone = "", ...kept] = old;
    expect(workspace.list("session/.cache")).not.toContain(gone);
    expect(workspace.list("session/.cache")).toEqual(expect.arrayContaining([...kept, "start.task-2.memo"]));
  });

  test("is not made anew; another source, role, count of parts or length of the session's id is", async () => {
    const workspace = filled();
    await settled();
    startDocument(workspace);
    plant(workspace);
    expect(startDocument(workspace).xml).toContain("Does two things");
    for (const options of [
      { source: "clear" },
      { source: "later" },
      { session: "short" },
      { run: { env: { HIVEMIND_ROLE: "oosh-expert" } } },
      { run: { env: { CONFIG_PATH: workspace.path("elsewhere") } } },
    ]) {
      expect(startDocument(workspace, options).xml).not.toContain("Does two things");
      await settled();
      startDocument(workspace);
      plant(workspace);
    }
    expect((await startParts(workspace, 2))[0]?.stdout).not.toContain("Does two things");
  });

  test("in parts says in each what it said", async () => {
    const workspace = filled();
    workspace.write("00-system/core/orchestrator.md", "Route the user.\n".repeat(3000));
    await settled();
    const first = await startParts(workspace, 4);
    expect(workspace.exists("session/.cache/start-4.memo")).toBe(true);
    const again = await startParts(workspace, 4);
    expect(again.map(({ stdout }) => stdout)).toEqual(first.map(({ stdout }) => stdout));
  });

  test("for a role too, until its context file or its state changes", async () => {
    const workspace = filled();
    workspace.context("lifecycle.save oosh-expert");
    const run = { env: { HIVEMIND_ROLE: "oosh-expert" } };
    await settled();
    const first = startDocument(workspace, { run }).xml;
    expect(first).toContain('state="saved"');
    expect(workspace.exists("session/.cache/start.oosh-expert.memo")).toBe(true);
    expect(startDocument(workspace, { run }).xml).toBe(first);
    workspace.context("lifecycle.recover oosh-expert");
    expect(startDocument(workspace, { run }).xml).toContain('state="active"');
    appendFileSync(workspace.path("session/agents/oosh-expert.context.md"), "\nOne more line.\n");
    expect(startDocument(workspace, { run }).xml).toContain("One more line.");
  });

  test("that was changed a moment ago is not remembered: the next change might look the same", () => {
    const workspace = filled();
    startDocument(workspace);
    expect(workspace.exists(MEMO)).toBe(false);
  });

  test("for a role whose context file cannot be read is made anew: it may be readable without having changed", async () => {
    const workspace = filled();
    workspace.context("lifecycle.save oosh-expert");
    rmSync(workspace.path("session/agents/oosh-expert.context.md"));
    mkdirSync(workspace.path("session/agents/oosh-expert.context.md"));
    await settled();
    const run = { env: { HIVEMIND_ROLE: "oosh-expert" } };
    expect(startDocument(workspace, { run }).xml).toContain("is a folder, expected a file");
    expect(workspace.exists("session/.cache/start.oosh-expert.memo")).toBe(false);
  });

  test("for a role whose folders have moved out of the project is made anew, though no file has changed", async () => {
    const workspace = filled();
    workspace.context("lifecycle.save oosh-expert");
    const run = { env: { HIVEMIND_ROLE: "oosh-expert" } };
    await settled();
    startDocument(workspace, { run });
    const elsewhere = makeAcme().path("agents");
    renameSync(workspace.path("session/agents"), elsewhere);
    symlinkSync(elsewhere, workspace.path("session/agents"));
    const warm = startDocument(workspace, { run }).xml;
    rmSync(workspace.path("session/.cache"), { recursive: true });
    expect(startDocument(workspace, { run }).xml).toBe(warm);
  });

  test("with something that cannot be read is told of it at every start", async () => {
    const workspace = filled();
    workspace.write("01-memory/goals.md", Buffer.from([0xff, 0xfe, 0x00]));
    await settled();
    for (let run = 0; run < 2; run++) expect(startDocument(workspace).stderr).toMatch(/goals\.md is not UTF-8/);
    expect(workspace.exists(MEMO)).toBe(false);
  });
});

describe("a start in a project where a few files have changed", () => {
  test("reads those anew, and takes the rest from what is remembered", async () => {
    const workspace = filled();
    await settled();
    startDocument(workspace);
    plant(workspace, "scan");
    workspace.write("02-projects/24-demo/01-planning/04-steps.md", "- [x] a\n- [ ] the next one\n");
    skill(workspace, "b", "Does another.");
    workspace.write("01-memory/goals.md", "- Other goals.\n");
    for (let run = 0; run < 2; run++) {
      const { xml } = startDocument(workspace);
      expect(xml).toContain("the next one");
      expect(xml).toContain("Does another.");
      expect(xml).toContain("Other goals.");
      expect(xml.split("Does two things").length).toBe(3);
    }
    await settled();
    const whole = startDocument(workspace).xml;
    // Remembered as it is now.
    expect(startDocument(workspace).xml).toBe(whole);
    const anonymous = (xml: string): string => xml.replace(/ id="[0-9a-f]{8}"/, "");
    expect(anonymous(fresh(workspace))).toBe(anonymous(whole.replaceAll("Does two things", "Does one thing.")));
  });

  test.each([
    ["a skill", "03-skills/b/SKILL.md", "03-skills/b/SKILL.md"],
    ["a project's file", "02-projects/24-demo/01-planning/04-steps.md", "02-projects/24-demo/01-planning/04-steps.md"],
    ["a folder of skills", "03-skills", "03-skills/d/SKILL.md"],
  ])("reads %s anew that the role's checklist names as well", async (_, architecture, path) => {
    const workspace = filled();
    workspace.write("context.yaml", `recovery:\n  architecture: ${architecture}\n`);
    const run = { env: { HIVEMIND_ROLE: "oosh-expert" } };
    await settled();
    startDocument(workspace, { run });
    // Remembered once more, from what was remembered.
    workspace.write("01-memory/goals.md", "- Other goals.\n");
    await settled();
    startDocument(workspace, { run });
    workspace.write(path, "---\nname: b\ndescription: Has changed.\n---\n- [ ] Has changed.\n");
    const warm = startDocument(workspace, { run }).xml;
    expect(warm).toContain("Has changed.");
    rmSync(workspace.path("session/.cache"), { recursive: true });
    expect(startDocument(workspace, { run }).xml).toBe(warm);
  });

  test.each([
    ["is no JSON", "{"],
    ["holds no list", "{}"],
    ["has a skill without a path", '"path"', '"way"'],
    ["has a project of a status that is no text", '"status":"', '"status":7,"was":"'],
    ["has a project that is none", '"id":"', '"id":"../'],
  ])("reads all of it where what is remembered %s", async (_, from, to = "") => {
    const workspace = filled();
    await settled();
    startDocument(workspace);
    const text = readFileSync(workspace.path(MEMO)).toString("latin1");
    const at = text.lastIndexOf('{"skills":');
    const scan = to === "" ? `${from}\n` : text.slice(at).replace(from, to);
    expect(scan).not.toBe(text.slice(at));
    writeFileSync(workspace.path(MEMO), Buffer.from(text.slice(0, at) + scan, "latin1"));
    workspace.write("02-projects/24-demo/01-planning/04-steps.md", "- [x] a\n- [ ] the next one\n");
    const { xml, stderr } = startDocument(workspace);
    expect(stderr).toBe("");
    expect(xml).toBe(fresh(workspace));
  });
});

const CHANGES: readonly (readonly [string, (workspace: Workspace) => void])[] = [
  ["a skill gets another description", (at) => skill(at, "b", "Does another.")],
  [
    "a skill changes in place, to the same size, with its old times put back",
    (at) => {
      skill(at, "b", "Does One thing.");
      utimesSync(at.path("03-skills/b/SKILL.md"), 1, 1);
    },
  ],
  ["a skill is added", (at) => skill(at, "d")],
  ["a skill is added deep in a new folder", (at) => skill(at, "pack/more/e")],
  ["a skill is removed", (at) => rmSync(at.path("03-skills/a"), { recursive: true })],
  ["a skill's file is removed", (at) => rmSync(at.path("03-skills/a/SKILL.md"))],
  ["a skill's folder is renamed", (at) => renameSync(at.path("03-skills/a"), at.path("03-skills/z"))],
  ["skills come to a place that had none", (at) => skill(at, "../.claude/skills/own")],
  [
    "a skill's file is replaced by a link to another",
    (at) => {
      rmSync(at.path("03-skills/a/SKILL.md"));
      symlinkSync("../b/SKILL.md", at.path("03-skills/a/SKILL.md"));
    },
  ],
  ["all skills move away", (at) => renameSync(at.path("03-skills"), at.path("03-old"))],
  ["a project is added", (at) => at.write("02-projects/40-new/01-planning/overview.md", "# New\n")],
  ["a project's steps change", (at) => at.write("02-projects/24-demo/01-planning/04-steps.md", "- [x] a\n- [ ] b\n")],
  ["a project gets the steps it had not", (at) => at.write("02-projects/30-bare/01-planning/steps.md", "- [ ] x\n")],
  [
    "a project's file comes under its first name",
    (at) => at.write("02-projects/30-bare/01-planning/01-overview.md", "# Named\n"),
  ],
  ["a project goes", (at) => rmSync(at.path("02-projects/24-demo"), { recursive: true })],
  [
    "steps, a skill and goals change",
    (at) => {
      at.write("02-projects/24-demo/01-planning/04-steps.md", "- [ ] z\n");
      skill(at, "c", "Does a third.");
      at.write("01-memory/goals.md", "- None.\n");
    },
  ],
  [
    "steps change, and a skill is added",
    (at) => {
      at.write("02-projects/24-demo/01-planning/04-steps.md", "- [ ] z\n");
      skill(at, "d");
    },
  ],
  [
    "a project's file becomes a folder",
    (at) => {
      rmSync(at.path("02-projects/24-demo/01-planning/04-steps.md"));
      mkdirSync(at.path("02-projects/24-demo/01-planning/04-steps.md"));
    },
  ],
  [
    "a skill's file becomes a folder",
    (at) => {
      rmSync(at.path("03-skills/a/SKILL.md"));
      mkdirSync(at.path("03-skills/a/SKILL.md/x"), { recursive: true });
    },
  ],
  ["a skill's front matter breaks", (at) => at.write("03-skills/a/SKILL.md", "---\nname: [a\n")],
  [
    "a skill needs a YAML reader",
    (at) => at.write("03-skills/a/SKILL.md", "---\nname: a\ndescription: >\n  Folded\n  text.\n---\n"),
  ],
  [
    "a project's overview is no text",
    (at) => at.write("02-projects/24-demo/01-planning/01-overview.md", Buffer.from([0xff, 0])),
  ],
  ["goals change", (at) => at.write("01-memory/goals.md", "- Other goals.\n")],
  ["goals go", (at) => rmSync(at.path("01-memory/goals.md"))],
  ["a user's setup appears", (at) => at.write("01-memory/user-config.yaml", "onboarding: {}\n")],
  ["a configuration appears", (at) => at.write("context.yaml", "tone: plain\n")],
];

test("what was remembered is not believed when anything has changed", async () => {
  const cases = CHANGES.map(([name, change]) => ({ name, change, workspace: filled() }));
  await settled();
  for (const { name, change, workspace } of cases) {
    startDocument(workspace);
    plant(workspace);
    change(workspace);
    const { xml } = startDocument(workspace);
    expect(xml, name).not.toContain("Does two things");
    expect(xml, name).toBe(fresh(workspace));
  }
});

describe("a memory that somebody else made", () => {
  const NOWHERE = "made elsewhere";

  /** A memo of this key that says another thing, of files that it names and that are not there. */
  function forge(workspace: Workspace, looked: readonly string[], numbers: readonly number[] = [-1, 0, 0, 0]): void {
    const bytes = readFileSync(workspace.path(MEMO));
    const head = JSON.parse(bytes.toString("utf8", 0, bytes.indexOf(0)));
    const text = JSON.stringify({ ...head, looked, shown: 0, documents: [NOWHERE] });
    const start = Buffer.from(`${text}\0${2}\0`);
    const marks = Float64Array.from(looked.flatMap(() => numbers));
    const gap = Buffer.alloc((8 - (start.length % 8)) % 8);
    writeFileSync(workspace.path(MEMO), Buffer.concat([start, gap, new Uint8Array(marks.buffer), Buffer.from("{}\n")]));
  }

  test.each([
    ["no file", []],
    ["what is not there", ["nothing", "/nothing"]],
    ["a name that no file can have", ["no\0thing"]],
  ])("and that could have come with the project, made from %s, is not believed", async (_, looked) => {
    const workspace = filled();
    await settled();
    const before = startDocument(workspace).xml;
    forge(workspace, looked);
    const ran = runStart(workspace);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).not.toContain(NOWHERE);
    expect(startDocument(workspace).xml).toBe(before);
  });

  test("from what is the same on many machines, as in an image that is mounted, is not believed", async () => {
    const workspace = filled();
    const image = makeWorkspace();
    symlinkSync(image.write("file", "x"), workspace.path("link"));
    await settled();
    startDocument(workspace);
    const { size, mtimeMs, ctimeMs, ino } = statSync(image.path("file"));
    for (const looked of ["link", `${"../".repeat(20)}${image.path("file")}`]) {
      forge(workspace, [looked], [size, mtimeMs, ctimeMs, ino]);
      expect(runStart(workspace).stdout).not.toContain(NOWHERE);
    }
  });

  test("and that is larger than any is not read", async () => {
    const workspace = filled();
    await settled();
    startDocument(workspace);
    plant(workspace);
    const bytes = readFileSync(workspace.path(MEMO));
    const text = Buffer.from(`${" ".repeat(6 * 1024 * 1024)}${bytes.toString("latin1")}`, "latin1");
    writeFileSync(workspace.path(MEMO), text);
    expect(startDocument(workspace).xml).not.toContain("Does two things");
  });

  test.runIf(process.getuid?.() === 0)("as another user is not believed", async () => {
    const workspace = filled();
    await settled();
    startDocument(workspace);
    plant(workspace);
    chownSync(workspace.path(MEMO), 65_534, 65_534);
    expect(startDocument(workspace).xml).not.toContain("Does two things");
  });
});

describe("a memory that is damaged", () => {
  const DAMAGES: readonly (readonly [string, (path: string) => void])[] = [
    ["empty", (path) => truncateSync(path, 0)],
    ["cut short", (path) => truncateSync(path, 500)],
    ["cut in its last bytes", (path) => truncateSync(path, readFileSync(path).length - 3)],
    ["zeros", (path) => writeFileSync(path, Buffer.alloc(4000))],
    ["zeros in a page", (path) => writeFileSync(path, readFileSync(path).fill(0, 100, 1000))],
    ["something else", (path) => writeFileSync(path, '{"key":5}\0\0\0\0\0\0\0')],
    [
      "of a name with a NUL",
      (path) => {
        const [head = "", tail = ""] = readFileSync(path).toString("latin1").split('"looked":["context.yaml"');
        writeFileSync(path, Buffer.from(`${head}"looked":["c\\u0000.yaml"${tail}`, "latin1"));
      },
    ],
    [
      "a folder",
      (path) => {
        rmSync(path);
        mkdirSync(path);
      },
    ],
    [
      "a link",
      (path) => {
        renameSync(path, `${path}.real`);
        symlinkSync(`${path}.real`, path);
      },
    ],
    ["not to be read", (path) => chmodSync(path, 0)],
  ];

  test("is passed over without a word", async () => {
    const cases = DAMAGES.map(([name, damage]) => ({ name, damage, workspace: filled() }));
    await settled();
    for (const { name, damage, workspace } of cases) {
      const before = startDocument(workspace).xml;
      expect(workspace.exists(MEMO), name).toBe(true);
      damage(workspace.path(MEMO));
      const ran = runStart(workspace);
      expect(ran, name).toMatchObject({ code: 0, stderr: "" });
      expect(startDocument(workspace).xml, name).toBe(before);
    }
  });
});
