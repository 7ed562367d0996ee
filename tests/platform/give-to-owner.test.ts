import { chownSync, linkSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { giveFolderToOwner } from "../../src/platform/give-to-owner.ts";

const NOBODY = 65_534;
const asRoot = test.runIf(process.geteuid?.() === 0);
const folder = mkdtempSync(join(tmpdir(), "context-test-"));
const of = (name: string) => join(folder, name);

beforeAll(() => {
  mkdirSync(of("theirs"));
  if (process.geteuid?.() === 0) chownSync(of("theirs"), NOBODY, NOBODY);
  mkdirSync(of("the system's"));
  writeFileSync(of("the system's/file"), "");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

asRoot("a folder that root makes belongs to whom the one above belongs", () => {
  mkdirSync(of("theirs/made"));
  giveFolderToOwner(of("theirs/made"));
  expect(statSync(of("theirs/made"))).toMatchObject({ uid: NOBODY, gid: NOBODY });
});

asRoot(
  "what took the folder's name meanwhile gives nothing of the system's away: a link, another name of a file",
  () => {
    symlinkSync(of("the system's"), of("theirs/link"));
    linkSync(of("the system's/file"), of("theirs/name"));
    for (const name of ["theirs/link", "theirs/name", "theirs/gone"]) giveFolderToOwner(of(name));
    expect(statSync(of("the system's")).uid).toBe(0);
    expect(statSync(of("the system's/file")).uid).toBe(0);
  },
);
