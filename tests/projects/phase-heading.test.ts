import fc from "fast-check";
import { expect, test } from "vitest";
import { readPhaseHeading } from "../../src/projects/phase-heading.ts";

test.each([
  ["Phase 2: Build", "phase", 2, "Build"],
  ["**phase 3.1b** - Ship", "phase", 3, "Ship"],
  ["SECTION 12", "section", 12, ""],
  ["✅ **Phase 2b** - Build", "phase", 2, "Build"],
  ["— Phase 4: Größe", "phase", 4, "Größe"],
])("reads %s", (title, kind, number, rest) => {
  expect(readPhaseHeading(title)).toMatchObject({ kind, number, title: rest });
});

test.each([
  ["Phase 2: Build (COMPLETE)", "Build", true],
  ["Phase 2: Build ( ✅  Completed )", "Build", true],
  ["Phase 2: Build ✅ COMPLETE", "Build", true],
  ["Phase 2: Build ✔\uFE0F", "Build", true],
  ["Phase 2: Build - COMPLETE", "Build", true],
  ["Phase 2: Build – COMPLETED", "Build", true],
  ["Phase 2: Build — COMPLETE", "Build", true],
  ["☑ Phase\t 2.10.3: Build", "Build", true],
  ["Phase 2: Build-COMPLETE", "Build-COMPLETE", false],
  ["Phase 2: Build + COMPLETE", "Build + COMPLETE", false],
  ["Phase 2: Make it COMPLETE", "Make it COMPLETE", false],
  ["Phase 2: Build (not completed)", "Build (not completed)", false],
  ["Phase 2: Build (see notes)", "Build (see notes)", false],
  ["Phase 2: a) complete)", "a) complete)", false],
  ["Phase 2: completed)", "completed)", false],
  ["Phase 2: ✅ comes later", "✅ comes later", false],
])("%j is called %j, and is complete: %j", (title, called, marked) => {
  expect(readPhaseHeading(title)).toMatchObject({ number: 2, title: called, marked });
});

test.each(["Rephase 2", "é Phase 2", "Phase 2é", "2 Phase 2", "Phase two", "Phase 2_a", "Phase"])(
  "takes %s for no phase",
  (title) => {
    expect(readPhaseHeading(title)).toBeNull();
  },
);

test("is the same phase whether or not a letter beyond ASCII follows", () => {
  const pieces = fc.constantFrom(
    "Phase",
    "section",
    "PHASE",
    " ",
    "\t",
    "2",
    "17",
    ".1",
    "b",
    ":",
    "-",
    "**",
    "_",
    "x",
    "(",
  );
  const some = fc.array(pieces, { maxLength: 3 }).map((all) => all.join(""));
  const core = fc.constantFrom("Phase 2", "section 17", "PHASE\t3", "phase2", "");
  const titles = fc.tuple(some, core, some).map((all) => all.join(""));
  let phases = 0;
  fc.assert(
    fc.property(titles, (title) => {
      const plain = readPhaseHeading(title);
      const other = readPhaseHeading(`${title} é`);
      phases += plain === null ? 0 : 1;
      expect([plain?.kind, plain?.number]).toEqual([other?.kind, other?.number]);
    }),
    { numRuns: 3000 },
  );
  expect(phases).toBeGreaterThan(20);
});
