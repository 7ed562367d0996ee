import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { writeWhole, writeWholeIf } from "../../src/platform/atomic-write.ts";
import { bundleScript, NOBODY, remove, run, runNode, temporaryFolder } from "./scripts.ts";

const scripts = temporaryFolder();
const WRITE = bundleScript(new URL("./fixtures/write.ts", import.meta.url), scripts);
let folder = "";
let path = "";

beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, "x.env");
  return () => remove(folder);
});
afterAll(() => remove(scripts));

const mode = (file: string) => statSync(file).mode & 0o777;
const write = (text = "new\n", root = folder) => writeWhole(path, text, { mode: 0o600, root, folderMode: 0o700 });

test("writes a new file with the mode that was asked for, whatever the umask", () => {
  const before = process.umask(0o077);
  try {
    expect(writeWhole(path, "é\0", { mode: 0o644, root: folder })).toEqual({ ok: true, value: undefined });
  } finally {
    process.umask(before);
  }
  expect(mode(path)).toBe(0o644);
  expect(readFileSync(path, "utf8")).toBe("é\0");
  expect(readdirSync(folder)).toEqual(["x.env"]);
});

test("replaces a file as a whole: who has the old one open goes on reading that", () => {
  writeFileSync(path, "old");
  const inode = statSync(path).ino;
  expect(write().ok).toBe(true);
  expect(readFileSync(path, "utf8")).toBe("new\n");
  expect(statSync(path).ino).not.toBe(inode);
  expect(mode(path)).toBe(0o600);
});

test("asks whether the text is still wanted when it is on the disk, and leaves the old one and no other file where it is not", () => {
  writeFileSync(path, "old");
  const asked: (readonly string[])[] = [];
  const writeIf = (wanted: boolean) =>
    writeWholeIf(path, "new\n", { mode: 0o600, root: folder }, () => {
      asked.push(readdirSync(folder));
      return wanted;
    });
  expect(writeIf(false)).toEqual({ ok: true, value: false });
  expect(readFileSync(path, "utf8")).toBe("old");
  expect(readdirSync(folder)).toEqual(["x.env"]);
  expect(writeIf(true)).toEqual({ ok: true, value: true });
  expect(readFileSync(path, "utf8")).toBe("new\n");
  expect(asked.map((names) => names.length)).toEqual([2, 2]);
});

test("makes the folders that are missing, for their owner alone", () => {
  path = join(folder, "a", "b", "x.env");
  expect(write().ok).toBe(true);
  expect(mode(join(folder, "a"))).toBe(0o700);
  expect(mode(join(folder, "a", "b"))).toBe(0o700);
});

test("through a link inside the root it writes the file that the link names, and keeps the link", () => {
  mkdirSync(join(folder, "real"));
  writeFileSync(join(folder, "real", "y"), "old");
  symlinkSync(join("real", "y"), path);
  expect(write().ok).toBe(true);
  expect(lstatSync(path).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, "real", "y"), "utf8")).toBe("new\n");
  expect(readdirSync(join(folder, "real"))).toEqual(["y"]);
});

test.each(["file", "folder", "dangling"])("through a link that leads out of the root it writes nothing: %s", (kind) => {
  const root = join(folder, "root");
  mkdirSync(root);
  mkdirSync(join(folder, "out"));
  writeFileSync(join(folder, "out", "x"), "theirs");
  path = join(root, "x");
  if (kind === "folder") {
    symlinkSync(join(folder, "out"), join(root, "sub"));
    path = join(root, "sub", "x");
  } else {
    symlinkSync(join(folder, "out", kind === "file" ? "x" : "nowhere"), path);
  }
  expect(write("new", root)).toEqual({
    ok: false,
    error: { path, message: `is a link that leads out of ${root}; it is not written` },
  });
  expect(readFileSync(join(folder, "out", "x"), "utf8")).toBe("theirs");
  expect(readdirSync(join(folder, "out"))).toEqual(["x"]);
});

test("a folder in the file's place stays, with the reason and without a temporary file", () => {
  mkdirSync(path);
  expect(write()).toMatchObject({
    ok: false,
    error: { path, message: expect.stringMatching(/^cannot be written: .*E/) },
  });
  expect(readdirSync(folder)).toEqual(["x.env"]);
});

test("a file in the folder's place stays", () => {
  writeFileSync(join(folder, "a"), "file");
  path = join(folder, "a", "x.env");
  expect(write().ok).toBe(false);
  expect(readFileSync(join(folder, "a"), "utf8")).toBe("file");
});

test("a pipe in the file's place is replaced and not waited for", () => {
  execFileSync("mkfifo", [path]);
  expect(write().ok).toBe(true);
  expect(readFileSync(path, "utf8")).toBe("new\n");
});

test("where there is no room the old file stays whole, and the reason is told", async () => {
  writeFileSync(path, "old and whole\n");
  const script = 'ulimit -f 0; exec "$0" "$1" whole "$2" 5000';
  const writer = run("bash", ["-c", script, process.execPath, WRITE, path]);
  expect(await writer.ended).toEqual({ code: 0, signal: null, stderr: "" });
  expect(writer.lines).toEqual([
    JSON.stringify({
      ok: false,
      error: { path, message: "cannot be written: the file would be larger than allowed (EFBIG)", code: "EFBIG" },
    }),
  ]);
  expect(readFileSync(path, "utf8")).toBe("old and whole\n");
  expect(readdirSync(folder)).toEqual(["x.env"]);
});

test("where there is room for a part only, the old file stays whole", async () => {
  writeFileSync(path, "old and whole\n");
  const writer = run("bash", ["-c", 'ulimit -f 4; exec "$0" "$1" whole "$2" 50000', process.execPath, WRITE, path]);
  expect((await writer.ended).code).toBe(0);
  expect(writer.lines[0]).toContain("EFBIG");
  expect(readFileSync(path, "utf8")).toBe("old and whole\n");
  expect(readdirSync(folder)).toEqual(["x.env"]);
});

test("a folder without rights keeps the old file, and the reason is told", async () => {
  writeFileSync(path, "old", { mode: 0o644 });
  chmodSync(folder, 0o555);
  const writer = runNode(WRITE, ["whole", path, "3"], NOBODY);
  expect((await writer.ended).code).toBe(0);
  expect(writer.lines[0]).toContain("cannot be written: permission denied (EACCES)");
  expect(readFileSync(path, "utf8")).toBe("old");
});

test("what a killed writer of the same file left is removed after a minute, and nothing else", () => {
  const dead = execFileSync(process.execPath, ["-p", "process.pid"], { encoding: "utf8" }).trim();
  const names = [
    `.x.env.${dead}-a-1.tmp`,
    `.x.env.${dead}-b-1.tmp`,
    `.x.env.${process.pid}-a-1.tmp`,
    `.y.env.${dead}-a-1.tmp`,
  ];
  const past = new Date(Date.now() - 120_000);
  for (const [index, name] of names.entries()) {
    writeFileSync(join(folder, name), "half");
    if (index !== 1) utimesSync(join(folder, name), past, past);
  }
  expect(write()).toMatchObject({ ok: true });
  expect(readdirSync(folder)).toEqual([...names.slice(1).sort(), "x.env"].sort());
});
