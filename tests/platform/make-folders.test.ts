import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolders } from "../../src/platform/make-folders.ts";
import { bundleScript, remove, run, temporaryFolder } from "./scripts.ts";

function folderOf(): string {
  const folder = temporaryFolder();
  onTestFinished(() => remove(folder));
  return folder;
}

test("makes a folder and those above it, each with the mode that was asked for, and leaves one that is there", () => {
  const folder = folderOf();
  const path = join(folder, "a", "b", "c");
  makeFolders(path, 0o700);
  for (const made of [path, join(folder, "a", "b"), join(folder, "a")]) expect(statSync(made).mode & 0o777).toBe(0o700);
  makeFolders(path, 0o755);
  expect(statSync(path).mode & 0o777).toBe(0o700);
  symlinkSync(path, join(folder, "link"));
  makeFolders(join(folder, "link", "d"));
  expect(readdirSync(path)).toEqual(["d"]);
});

test("says what is in the way: a file in its place or above it, a link that leads nowhere", () => {
  const folder = folderOf();
  writeFileSync(join(folder, "file"), "");
  symlinkSync(join(folder, "gone"), join(folder, "dangling"));
  expect(() => makeFolders(join(folder, "file"))).toThrow("ENOTDIR");
  expect(() => makeFolders(join(folder, "file", "a", "b"))).toThrow("ENOTDIR");
  for (const name of ["dangling", "dangling/a"]) {
    expect(() => makeFolders(join(folder, name))).toThrow("ENOENT");
  }
  expect(readdirSync(folder).sort()).toEqual(["dangling", "file"]);
});

test.skipIf(!existsSync("/proc/self"))("ends where the system makes no folder in one that exists", () => {
  for (const path of ["/proc/x", "/proc/x/y/z"]) expect(() => makeFolders(path)).toThrow(/EN|EA|EP|ERO/);
});

test("processes that make the same folders at once all find them made", async () => {
  const scripts = folderOf();
  const script = bundleScript(new URL("./fixtures/make-folders.ts", import.meta.url), scripts);
  const folder = folderOf();
  mkdirSync(join(folder, "open"), { mode: 0o777 });
  const paths = Array.from({ length: 200 }, (_, index) => join(folder, "open", `${index}`, "a", "b"));
  const running = [1, 2, 3, 4].map(() => run(process.execPath, [script, ...paths]));
  for (const { ended } of running) expect(await ended).toMatchObject({ code: 0, stderr: "" });
  for (const path of paths) expect(statSync(path).isDirectory()).toBe(true);
});
