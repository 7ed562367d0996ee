import fc from "fast-check";
import { expect, test } from "vitest";
import { readGate } from "../../src/resume/gate.ts";
import { manifestValues } from "../../src/resume/manifest-values.ts";
import { newManifest } from "../../src/resume/new-manifest.ts";
import { parseManifest } from "../../src/resume/parse-manifest.ts";
import { updateManifest } from "../../src/resume/update.ts";

const NOW = "2026-02-01T08:00:00.000Z";

test("lists the planning files that are there, and says what the steps say", () => {
  const text = newManifest({
    folderName: "24-demo",
    name: 'Demo "app": one',
    existingFiles: ["01-planning/overview.md", "01-planning/04-steps.md", "x.md"],
    values: manifestValues({
      closed: 3,
      total: 6,
      currentSection: 2,
      currentTask: { ordinal: 4 },
      phase: "execution",
    }),
    now: NOW,
  });
  expect(text.split("\n\n# Validation Gate\n")[0]).toBe(
    [
      "---",
      'resume_schema_version: "1.0"',
      `last_updated: "${NOW}"`,
      'project_id: "24-demo"',
      'project_name: "Demo \\"app\\": one"',
      "current_phase: execution",
      "next_action: execute-project",
      "files_to_load:",
      "  - 01-planning/overview.md",
      "  - 01-planning/04-steps.md",
      "current_section: 2",
      "current_task: 4",
      'progress: "3/6 tasks complete"',
      "---",
    ].join("\n"),
  );
});

test("is a manifest without a finding, and says already what an update would", () => {
  const steps = fc
    .record({ closed: fc.nat(40), open: fc.nat(40), section: fc.nat(9), planning: fc.boolean() })
    .map(({ closed, open, section, planning }) => ({
      closed,
      total: closed + open,
      currentSection: section,
      currentTask: open === 0 ? null : { ordinal: closed + 1 },
      phase:
        closed + open === 0
          ? ("empty" as const)
          : open === 0
            ? ("complete" as const)
            : planning
              ? ("planning" as const)
              : ("execution" as const),
    }));
  const name = fc.string({ unit: "binary", minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(name, steps, (named, facts) => {
      const values = manifestValues(facts);
      const text = newManifest({ folderName: "24-demo", name: named, existingFiles: [], values, now: NOW });
      const { manifest, diagnostics } = parseManifest(text, "24-demo");
      expect(diagnostics.filter(({ code }) => code !== "manifest-recommended-key")).toEqual([]);
      if (facts.total > 0) expect(diagnostics).toEqual([]);
      expect(manifest?.project_name).toBe(named);
      expect(readGate(text)?.questions).toHaveLength(5);
      const again = updateManifest(text, { ...values, last_updated: "2030-01-01" });
      expect(again).toEqual({ ok: true, value: { text, changed: [] } });
    }),
  );
});
