import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { detectMode } from "../../src/transcript/detect-mode.ts";
import { type Detection, detectProject } from "../../src/transcript/detect-project.ts";
import { readRows, rowsOfText } from "../../src/transcript/row.ts";
import { activitiesOfText, FIXTURES, fixture, OPTIONS } from "./helpers.ts";

interface Expected {
  readonly project: string | null;
  readonly confidence: string | null;
  readonly switched: boolean;
  readonly compact: string;
  readonly resume: string;
}

const EXPECTED: Readonly<Record<string, Expected>> = JSON.parse(
  readFileSync(new URL("expected.json", FIXTURES), "utf8"),
);
// The README: in 2.0.76 the custom command of `slash-skill` came first, and nothing after the work on 24-demo.
const OF_2_0_76: Readonly<Record<string, Expected>> = {
  "slash-skill": { project: "24-demo", confidence: "high", switched: false, compact: "compact", resume: "compact" },
};

const rows = ["2.1.332", "2.0.76"].flatMap((version) =>
  Object.entries(EXPECTED)
    .filter(([name]) => existsSync(new URL(`${version}/transcripts/${name}.jsonl`, FIXTURES)))
    .map(([name, expected]) => ({
      version,
      name,
      expected: version === "2.0.76" ? (OF_2_0_76[name] ?? expected) : expected,
    })),
);

function modeOf(source: string, detection: Detection): string {
  return detectMode({ source, detection, phase: "execution" }).mode;
}

describe("transcripts of the real client", () => {
  it("are there for both versions", () => {
    expect(rows.filter(({ version }) => version === "2.1.332")).toHaveLength(Object.keys(EXPECTED).length);
    expect(rows.filter(({ version }) => version === "2.0.76").length).toBeGreaterThanOrEqual(13);
  });

  it.each(rows)("$version $name gives the project, confidence and mode expected", ({ version, name, expected }) => {
    const detection = detectProject(activitiesOfText(fixture(version, name)), OPTIONS);
    expect({
      project: detection.project,
      confidence: detection.confidence,
      switched: detection.switched,
      compact: modeOf("compact", detection),
      resume: modeOf("resume", detection),
    }).toEqual({
      project: expected.project,
      confidence: expected.confidence,
      switched: expected.switched,
      compact: expected.compact,
      resume: expected.resume,
    });
  });

  it.each(rows)("$version $name has no broken row", ({ version, name }) => {
    expect(readRows(rowsOfText(fixture(version, name)))).toMatchObject({ broken: 0, partial: 0 });
  });

  it("take a call that has no result yet for work under way", () => {
    const activities = activitiesOfText(fixture("2.1.332", "at-precompact-unflushed.1"));
    const calls = activities.flatMap((activity) => (activity.kind === "tool-call" ? [activity.outcome] : []));
    expect(calls).toEqual(["ok", "in-flight", "in-flight"]);
  });

  it("name the skill that took over, and where", () => {
    const detection = detectProject(activitiesOfText(fixture("2.1.332", "skill-after-project")), OPTIONS);
    expect(detection.switchedBy).toMatchObject({ name: "weekly-report" });
  });

  it("show the project that was only read as the runner-up", () => {
    const detection = detectProject(activitiesOfText(fixture("2.1.332", "two-projects")), OPTIONS);
    expect(detection.runnerUp).toMatchObject({ project: "24-demo", writes: 0, reads: 4 });
  });

  it("keep a sub-agent's own file out of it", () => {
    const side = "subagent/subagents/agent-a586456355ca141e2";
    expect(detectProject(activitiesOfText(fixture("2.1.332", side)), OPTIONS).project).toBeNull();
  });
});
