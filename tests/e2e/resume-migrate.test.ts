import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { stepsWith } from "../helpers/acme-project.ts";
import { EVIL, escaped, RAW } from "../helpers/unsafe-text.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

/** Old files of every kind that was in use; `{id}` is the project's. */
const SHAPES = ["legacy-A.root._resume.md", "legacy-B.planning._resume.md", "legacy-C.no-frontmatter._resume.md"];

function shape(index: number, id: string): string {
  const name = SHAPES[index % SHAPES.length] ?? "";
  const text = readFileSync(new URL(`../fixtures/nexus/${name}`, import.meta.url), "utf8");
  return text.replaceAll(/24-demo|02-ontologies-research/g, id);
}

const folder = (id: string) => `02-projects/${id}`;
const manifest = (id: string) => `${folder(id)}/01-planning/resume-context.md`;

function addLegacy(workspace: Workspace, id: string, place: "root" | "planning", text: string | Uint8Array): string {
  workspace.write(`${folder(id)}/01-planning/01-overview.md`, `---\nname: "Project ${id}"\n---\n`);
  workspace.write(`${folder(id)}/01-planning/04-steps.md`, stepsWith(3));
  return workspace.write(`${folder(id)}/${place === "root" ? "" : "01-planning/"}_resume.md`, text);
}

const BROKEN: readonly (readonly [string, string | Uint8Array])[] = [
  ["31-not-yaml", "---\nphase: [planning\nupdated: x\n---\n"],
  ["32-not-text", Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xff, 0xfe, 0x00])],
  ["33-open-ended", "---\nphase: planning\n"],
];

/** 25 projects with an old file each, three of which cannot be read; and one that is new already. */
function twentyFive(): { workspace: Workspace; good: readonly { id: string; file: string; text: string }[] } {
  const workspace = makeWorkspace();
  const good = Array.from({ length: 22 }, (_unused, index) => {
    const id = `${String(index + 1).padStart(2, "0")}-project`;
    let text = shape(index, id);
    if (index % 5 === 1) text = text.replaceAll("\n", "\r\n");
    if (index % 5 === 2) text = `\uFEFF${text}`;
    return { id, file: addLegacy(workspace, id, index % 2 === 0 ? "root" : "planning", text), text };
  });
  for (const [id, bytes] of BROKEN) addLegacy(workspace, id, "planning", bytes);
  workspace.write(manifest("34-new"), "---\nproject_id: 34-new\n---\n");
  return { workspace, good };
}

/** Every file of the projects with its bytes. */
function snapshot(workspace: Workspace): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const id of workspace.list("02-projects")) {
    for (const place of ["", "01-planning/"]) {
      for (const name of workspace.list(`${folder(id)}/${place}`)) {
        const path = `${folder(id)}/${place}${name}`;
        if (statSync(workspace.path(path)).isFile()) files.set(path, readFileSync(workspace.path(path), "latin1"));
      }
    }
  }
  return files;
}

test("25 projects of which three are broken: 22 are migrated, three told, and each step can be taken back", () => {
  const { workspace, good } = twentyFive();
  const before = snapshot(workspace);

  const dry = workspace.context("resume.migrate --dry-run");
  expect(dry.code).toBe(1);
  expect(snapshot(workspace)).toEqual(before);
  expect(dry.stdout).toContain("22 projects to migrate, 3 failed, 1 with nothing to do\n");
  expect(dry.stdout).toContain("01-project: would be migrated\n");
  expect(dry.stdout).toMatch(
    /^--- 01-project\/_resume\.md\s*\n\+\+\+ 01-project\/01-planning\/resume-context\.md\s*\n/m,
  );
  expect(dry.stdout).toMatch(/^-phase: "execution"$/m);
  expect(dry.stdout).toMatch(/^\+current_phase: "execution"$/m);

  const ran = workspace.context("resume.migrate --json");
  expect(ran).toMatchObject({ code: 1, stderr: "" });
  const report: { readonly projects: readonly { project: string; outcome: string; message?: string }[] } = JSON.parse(
    ran.stdout,
  );
  expect(report).toMatchObject({ ok: false, migrated: 22, failed: 3, error: { code: "migration-failed" } });
  const failed = report.projects.filter(({ outcome }) => outcome === "failed");
  expect(failed.map(({ project }) => project)).toEqual(BROKEN.map(([id]) => id));
  for (const { message } of failed) expect(message).toMatch(/_resume\.md/);
  expect(failed[0]?.message).toMatch(/_resume\.md:[2-4]:\d+ .*YAML/);
  for (const { id, file, text } of good) {
    expect(existsSync(file), id).toBe(false);
    expect(readFileSync(`${file}.bak`, "utf8"), id).toBe(text);
    const written = workspace.read(manifest(id));
    expect(written, id).toContain(id);
    // Nothing that was written down is lost, and the file keeps its own newlines.
    for (const line of text.split(/\r?\n/).filter((each) => /^(?:#|>|- )/.test(each.replace("\uFEFF", "")))) {
      expect(written, id).toContain(line.replace("\uFEFF", ""));
    }
    expect(written.includes("\r\n"), id).toBe(text.includes("\r\n"));
    expect(written.replaceAll("\r\n", "").includes("\r"), id).toBe(false);
  }
  for (const [id, bytes] of BROKEN) {
    expect(readFileSync(workspace.path(`${folder(id)}/01-planning/_resume.md`)), id).toEqual(Buffer.from(bytes));
    expect(workspace.exists(manifest(id)), id).toBe(false);
  }
  const valid: { readonly files: readonly { path: string; valid: boolean }[] } = JSON.parse(
    workspace.context("resume.validate --json").stdout,
  );
  const validPaths = valid.files.filter((each) => each.valid).map(({ path }) => path);
  expect(validPaths).toEqual(good.map(({ id }) => manifest(id)));

  // A second run has nothing to do but to name the three again.
  const after = snapshot(workspace);
  const again = workspace.context("resume.migrate");
  expect(again.code).toBe(1);
  expect(again.stdout).toContain("0 projects migrated, 3 failed, 23 with nothing to do\n");
  for (const [id] of BROKEN) expect(again.stdout).toContain(`${id}: not migrated: `);
  expect(snapshot(workspace)).toEqual(after);

  const back = workspace.context("resume.migrate --rollback");
  expect(back).toMatchObject({ code: 0, stderr: "" });
  expect(back.stdout).toContain("22 projects rolled back, 0 failed, 4 with nothing to do\n");
  const rolledBack = snapshot(workspace);
  for (const [path, bytes] of before) expect(rolledBack.get(path), path).toBe(bytes);
  for (const { id } of good) expect(workspace.exists(manifest(id)), id).toBe(false);
  expect(workspace.context("resume.migrate --rollback").stdout).toContain("0 projects rolled back");

  // And once more, one project alone.
  expect(workspace.context("resume.migrate 01-project")).toMatchObject({ code: 0 });
  expect(workspace.exists(manifest("01-project"))).toBe(true);
  expect(workspace.exists(manifest("02-project"))).toBe(false);
});

test("an old file that somebody kept under the backup's name is not taken for the backup", () => {
  const workspace = makeWorkspace();
  const text = shape(1, "24-demo");
  const file = addLegacy(workspace, "24-demo", "planning", text);
  workspace.write(`${folder("24-demo")}/01-planning/_resume.md.bak`, "kept by a person\n");
  expect(workspace.context("resume.migrate")).toMatchObject({ code: 0 });
  expect(workspace.read(`${folder("24-demo")}/01-planning/_resume.md.bak`)).toBe("kept by a person\n");
  expect(workspace.context("resume.migrate --rollback")).toMatchObject({ code: 0 });
  expect(readFileSync(file, "utf8")).toBe(text);
  expect(workspace.read(`${folder("24-demo")}/01-planning/_resume.md.bak`)).toBe("kept by a person\n");
});

test("where both places have an old file the planning folder's is the one, and the other stays", () => {
  const workspace = makeWorkspace();
  addLegacy(workspace, "24-demo", "root", "---\nphase: planning\nproject_id: 24-demo\n---\nroot's\n");
  addLegacy(workspace, "24-demo", "planning", "---\nphase: execution\nproject_id: 24-demo\n---\nplanning's\n");
  expect(workspace.context("resume.migrate 24")).toMatchObject({ code: 0 });
  expect(workspace.read(manifest("24-demo"))).toMatch(/current_phase: execution\n(?:.*\n)*planning's\n/);
  expect(workspace.read(`${folder("24-demo")}/_resume.md`)).toContain("root's");
  workspace.context("resume.migrate --rollback");
  expect(workspace.read(`${folder("24-demo")}/01-planning/_resume.md`)).toContain("planning's");
});

test("the old name of the version is read and gets the new one, and a manifest with it is no error", () => {
  const workspace = makeWorkspace();
  addLegacy(workspace, "24-demo", "planning", shape(1, "24-demo"));
  workspace.context("resume.migrate");
  expect(workspace.read(manifest("24-demo"))).toMatch(/^---\nresume_schema_version: "1\.2"\n/);
  expect(workspace.read(manifest("24-demo"))).not.toContain("resume_version");

  workspace.write(
    manifest("24-demo"),
    workspace.read(manifest("24-demo")).replace("resume_schema_version", "resume_version"),
  );
  const shown = workspace.context("resume.show 24-demo --json");
  expect(shown).toMatchObject({ code: 0 });
  expect(JSON.parse(shown.stdout)).toMatchObject({ manifest: { resume_schema_version: "1.2" }, legacy: false });
  expect(workspace.context("resume.validate 24-demo")).toMatchObject({ code: 0 });
});

test("an old file through a link out of the project is neither read nor moved", () => {
  const workspace = makeWorkspace();
  const elsewhere = makeWorkspace();
  const secret = elsewhere.write("_resume.md", "---\nphase: planning\n---\nprivate\n");
  mkdirSync(workspace.path(`${folder("24-demo")}/01-planning`), { recursive: true });
  symlinkSync(secret, workspace.path(`${folder("24-demo")}/_resume.md`));
  const ran = workspace.context("resume.migrate");
  expect(ran.code).toBe(1);
  expect(ran.stdout).toContain("24-demo: not migrated: ");
  expect(ran.stdout + ran.stderr).not.toContain("private");
  expect(existsSync(secret)).toBe(true);
  expect(workspace.exists(manifest("24-demo"))).toBe(false);
});

test("the new file has the old one's rights", () => {
  const workspace = makeWorkspace();
  chmodSync(addLegacy(workspace, "24-demo", "planning", shape(2, "24-demo")), 0o640);
  workspace.context("resume.migrate");
  expect(statSync(workspace.path(manifest("24-demo"))).mode & 0o777).toBe(0o640);
});

test("what an old file says reaches a terminal only as escapes", () => {
  const workspace = makeWorkspace();
  const quoted = escaped(EVIL);
  const lines = [
    `project_id: ${quoted}`,
    `updated: ${quoted}`,
    `phase: ${quoted}`,
    `files_to_load: ["../a", ${quoted}]`,
  ];
  addLegacy(workspace, "24-demo", "planning", `---\n${lines.join("\n")}\n---\n${EVIL}\n- **Phase**: ${EVIL}\n`);
  addLegacy(workspace, "25-bad", "planning", `---\nphase: [${EVIL}\n---\n`);
  for (const words of [
    "resume.migrate --dry-run",
    "resume.show",
    "resume.validate",
    "resume.update 24",
    "resume.migrate 24",
    "resume.show 24",
    "resume.validate 24",
  ]) {
    for (const more of [[], ["--json"]]) {
      const ran = workspace.context([...words.split(" "), ...more]);
      expect(ran.code, words).not.toBe(70);
      expect(ran.stdout + ran.stderr, words).not.toMatch(RAW);
      if (words === "resume.migrate --dry-run") expect(ran.stdout).toContain("owned");
    }
  }
});

test("what cannot be written or put back is told with its path, and no file is lost", () => {
  const workspace = makeWorkspace();
  const text = shape(1, "24-demo");
  const file = addLegacy(workspace, "24-demo", "planning", text);
  // A folder that holds something, in place of what is to be written.
  workspace.write(`${manifest("24-demo")}/kept.md`, "kept by a person\n");
  const migrated = workspace.context("resume.migrate 24 --json");
  expect(migrated.code).toBe(1);
  expect(migrated.stdout).toContain("01-planning/resume-context.md");
  expect(readFileSync(file, "utf8")).toBe(text);
  expect(workspace.read(`${manifest("24-demo")}/kept.md`)).toBe("kept by a person\n");
});

test("a file that cannot be read is told, not taken for one without findings", () => {
  const ran = makeWorkspace().context("resume.validate ./nowhere/resume-context.md");
  expect(ran).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/manifest-missing.*\n1 manifest, 1 invalid: 1 error\n$/),
  });
  expect(ran.stderr).toContain("nowhere/resume-context.md does not exist.");
});

test("a backup's name that somebody takes at that moment is theirs, and the old file stays", () => {
  const workspace = makeWorkspace();
  const old = addLegacy(workspace, "24-demo", "planning", shape(1, "24-demo"));
  const text = readFileSync(old);
  const preload = fileURLToPath(new URL("./fixtures/name-taken.cjs", import.meta.url));
  const ran = workspace.context("resume.migrate", { env: { NODE_OPTIONS: `--require "${preload}"` } });
  expect(ran.code).not.toBe(0);
  expect(readFileSync(`${old}.bak`, "utf8")).toBe("somebody's\n");
  expect(readFileSync(old)).toEqual(text);
  expect(existsSync(workspace.path(manifest("24-demo")))).toBe(false);
});

describe.each([
  { where: "files can have two names", twice: linkSync },
  { where: "files have one name alone", twice: copyFileSync },
])("a migration or its way back that was cut off by a kill, where $where,", ({ twice }) => {
  const OLD = `${folder("24-demo")}/01-planning/_resume.md`;
  const BACKUP = `${OLD}.bak`;
  const NEW = manifest("24-demo");
  const text = shape(1, "24-demo");

  /** Both names of the old file, and the manifest where it was written already. */
  function cutOff(withManifest: boolean): Workspace {
    const workspace = makeWorkspace();
    addLegacy(workspace, "24-demo", "planning", text);
    expect(workspace.context("resume.migrate")).toMatchObject({ code: 0 });
    twice(workspace.path(BACKUP), workspace.path(OLD));
    if (!withManifest) rmSync(workspace.path(NEW));
    return workspace;
  }

  test.each([true, false])("is brought to its end by the next migration (manifest written: %s)", (withManifest) => {
    const workspace = cutOff(withManifest);
    const dry = workspace.context("resume.migrate --dry-run");
    expect(dry).toMatchObject({ code: 0, stderr: "" });
    expect(dry.stdout).toContain("1 project to migrate");
    expect(workspace.exists(OLD)).toBe(true);
    expect(workspace.context("resume.migrate").stdout).toContain("1 project migrated");
    expect(workspace.exists(OLD)).toBe(false);
    expect(workspace.read(BACKUP)).toBe(text);
    expect(workspace.exists(NEW)).toBe(true);
    expect(workspace.list(`${folder("24-demo")}/01-planning`).filter((name) => name.includes(".bak"))).toHaveLength(1);
    expect(workspace.context("resume.migrate").stdout).toContain("0 projects migrated, 0 failed, 1 with nothing to do");
  });

  test("is brought to its other end by a way back", () => {
    const workspace = cutOff(true);
    expect(workspace.context("resume.migrate --rollback").stdout).toContain("1 project rolled back");
    expect(workspace.read(OLD)).toBe(text);
    expect(workspace.exists(NEW)).toBe(false);
    expect(workspace.exists(`${NEW}.bak`)).toBe(true);
    expect(workspace.exists(BACKUP)).toBe(false);
  });

  test("leaves a copy without a byte, and each way is gone to its end again", () => {
    const workspace = cutOff(true);
    rmSync(workspace.path(OLD));
    workspace.write(OLD, "");
    expect(workspace.context("resume.migrate --rollback").stdout).toContain("1 project rolled back");
    expect(workspace.read(OLD)).toBe(text);
    workspace.write(BACKUP, "");
    expect(workspace.context("resume.migrate").stdout).toContain("1 project migrated");
    expect(workspace.read(BACKUP)).toBe(text);
    expect(workspace.exists(`${BACKUP}-2`)).toBe(false);
  });

  test("a link to an empty file is no such copy, and stays", () => {
    const workspace = cutOff(true);
    rmSync(workspace.path(OLD));
    symlinkSync(workspace.write("empty.md", ""), workspace.path(OLD));
    workspace.context("resume.migrate --rollback");
    expect(lstatSync(workspace.path(OLD)).isSymbolicLink()).toBe(true);
    expect(workspace.read(BACKUP)).toBe(text);
  });

  test("an old file that somebody wrote anew beside the manifest is no such one, and stays", () => {
    const workspace = cutOff(true);
    rmSync(workspace.path(OLD));
    workspace.write(OLD, "anew\n");
    for (const words of ["resume.migrate", "resume.migrate --rollback"]) {
      expect(workspace.context(words).stdout).toContain("1 with nothing to do");
    }
    expect(workspace.read(OLD)).toBe("anew\n");
    expect(workspace.read(BACKUP)).toBe(text);
  });
});
