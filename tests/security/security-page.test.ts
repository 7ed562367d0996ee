import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const page = readFileSync("docs/security.md", "utf8");
const named = [...page.matchAll(/\| `(tests\/[^`]+)` \|/g)].map(([, path = ""]) => path);

test("each claim of the security page names a test that exists and tests something", () => {
  expect(named.length).toBeGreaterThan(10);
  for (const path of named) {
    expect(existsSync(path), path).toBe(true);
    expect(readFileSync(path, "utf8"), path).toMatch(/\b(?:test|it)(?:\.\w+)?\(/);
  }
});
