import {
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { appendLines } from "../../src/platform/append-lines.ts";
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
  "what took the folder's name meanwhile gives nothing of the system's away: a link, another name of a file, another folder",
  () => {
    symlinkSync(of("the system's"), of("theirs/link"));
    linkSync(of("the system's/file"), of("theirs/name"));
    mkdirSync(of("theirs/old"));
    utimesSync(of("theirs/old"), new Date(), new Date(Date.now() - 60_000));
    for (const name of ["theirs/link", "theirs/name", "theirs/old", "theirs/gone"]) giveFolderToOwner(of(name));
    expect(statSync(of("theirs/old")).uid).toBe(0);
    expect(statSync(of("the system's")).uid).toBe(0);
    expect(statSync(of("the system's/file")).uid).toBe(0);
  },
);

asRoot(
  "a file that root appends to is given away where root made it: one of the system's may have been moved there",
  () => {
    const append = (name: string): number => {
      expect(appendLines(of(name), ["{}"], { keep: () => true, mode: 0o600 })).toMatchObject({ ok: true });
      return statSync(of(name)).uid;
    };
    writeFileSync(of("theirs/moved"), "a secret\n", { mode: 0o600 });
    expect(append("theirs/moved")).toBe(0);
    expect(append("theirs/new")).toBe(NOBODY);
  },
);
