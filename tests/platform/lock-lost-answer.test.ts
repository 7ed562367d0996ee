import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { withLock } from "../../src/platform/lock.ts";
import { remove, temporaryFolder } from "./scripts.ts";

/** What a file server's client says that asked twice, since the first answer was lost. */
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const linkSync = (existing: string, path: string): void => {
    fs.linkSync(existing, path);
    throw Object.assign(new Error("EEXIST: file already exists, link"), { code: "EEXIST" });
  };
  return { ...fs, linkSync };
});

test("a lock that was made, and said to be there already, is held and let go", () => {
  const folder = temporaryFolder();
  const path = join(folder, "x.lock");
  const held = withLock(path, { waitMs: 0, folderMode: 0o700 }, () => existsSync(path));
  expect(held).toEqual({ ok: true, value: true });
  expect(readdirSync(folder)).toEqual([]);
  remove(folder);
});
