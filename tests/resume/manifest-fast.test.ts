import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readManifestFast } from "../../src/resume/manifest-fast.ts";
import { parseManifest } from "../../src/resume/parse-manifest.ts";
import { manifestText } from "../helpers/acme-project.ts";

const value = fc.oneof(
  fc.constantFrom(
    "24-demo",
    '"24-demo"',
    "'1.0'",
    '"1.0"',
    "1.0",
    "execution",
    "COMPLETE",
    "testing # now",
    "2026-01-03T15:30:00",
    "2026-02-30",
    '"2026-01-03T15:30:00Z"',
    "3",
    "-1",
    "2.5",
    '"15"',
    "null",
    "",
    "[a.md, b.md]",
    "[]",
    "[1, a]",
    "\n  - a.md\n  - b.md  # If it is there",
    "\n- 01-planning/01-overview.md",
    "a: b",
    "&x a",
    "| \n  text",
  ),
  fc.string({ maxLength: 8 }),
);
const keys = [
  "resume_schema_version",
  "project_id",
  "project_name",
  "current_phase",
  "next_action",
  "files_to_load",
  "last_updated",
  "current_section",
  "current_task",
];
const good = [
  '"1.0"',
  "24-demo",
  "Demo",
  "execution",
  "execute-project",
  "\n  - 01-planning/01-overview.md",
  '"2026-01-03T15:30:00"',
  "2",
  "15",
];

describe("the fast reader of manifests", () => {
  test("takes a plain manifest whole", () => {
    const text = `---\n${keys.map((key, index) => `${key}: ${good[index]}`).join("\n")}\n---\n`;
    expect(readManifestFast(text)).toEqual({
      project_id: "24-demo",
      project_name: "Demo",
      current_phase: "execution",
      next_action: "execute-project",
      files_to_load: ["01-planning/01-overview.md"],
      last_updated: "2026-01-03T15:30:00",
      current_section: 2,
      current_task: 15,
    });
  });

  test("agrees with the full reader on every text that it takes", () => {
    let taken = 0;
    // One or two values of a good manifest are replaced, so that many texts are still good.
    const change = fc.record({ at: fc.nat(keys.length - 1), value });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 2 }), (changes) => {
        const values = good.map((text, index) => changes.find(({ at }) => at === index)?.value ?? text);
        const text = `---\n${keys.map((key, index) => `${key}: ${values[index]}`).join("\n")}\n---\nbody\n`;
        const fast = readManifestFast(text);
        if (fast === null) return;
        taken += 1;
        expect(parseManifest(text).manifest).toMatchObject(fast);
      }),
      { numRuns: 3000 },
    );
    expect(taken).toBeGreaterThan(500);
  });
});

test("leaves front matter that the full reader refuses to it", () => {
  const plain = manifestText("24-demo");
  const nested = plain.replace("---\n", `---\n# ${"[".repeat(40)}\n`);
  expect(readManifestFast(plain)).not.toBeNull();
  expect(parseManifest(nested).manifest === null).toBe(readManifestFast(nested) === null);
});
