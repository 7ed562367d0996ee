import { describe, expect, it } from "vitest";
import { type DetectionForMode, detectMode, type ModeDecision } from "../../src/transcript/detect-mode.ts";

const NONE: DetectionForMode = {
  project: null,
  confidence: null,
  switched: false,
  talkedSince: false,
  otherSkill: null,
};
const X: DetectionForMode = { ...NONE, project: "24-demo", confidence: "high" };
const SKILL = { name: "weekly-report" };

const STARTUP_MENU = { mode: "startup", skill: "none", action: "display_menu" } as const;
const STARTUP_ON = { mode: "startup", skill: "none", action: "continue_working" } as const;
const PLAN = { mode: "compact", skill: "plan-project", action: "continue_working" } as const;
const EXECUTE = { mode: "compact", skill: "execute-project", action: "continue_working" } as const;

type Row = readonly [number | null, string, DetectionForMode, string | null, Omit<ModeDecision, "caseNumber" | "why">];

const ROWS: readonly Row[] = [
  [1, "startup", NONE, null, STARTUP_MENU],
  [1, "startup", X, "execution", STARTUP_MENU],
  [1, "new", X, "execution", STARTUP_MENU],
  [1, "clear", X, "execution", STARTUP_MENU],
  [2, "compact", X, "planning", PLAN],
  [2, "compact", X, "research", PLAN],
  [3, "compact", X, "execution", EXECUTE],
  [3, "compact", X, "complete", EXECUTE],
  [3, "compact", X, null, EXECUTE],
  [3, "compact", { ...X, talkedSince: true }, "execution", EXECUTE],
  [3, "compact", { ...X, confidence: "medium" }, "execution", EXECUTE],
  [4, "compact", { ...X, switched: true, otherSkill: SKILL }, "execution", STARTUP_ON],
  [5, "compact", { ...NONE, otherSkill: SKILL }, null, STARTUP_ON],
  [6, "compact", NONE, null, STARTUP_ON],
  [6, "compact", { ...X, confidence: "low" }, "execution", STARTUP_ON],
  [7, "compact", { ...X, talkedSince: true }, "planning", PLAN],
  [8, "resume", X, "planning", PLAN],
  [9, "resume", X, "execution", EXECUTE],
  [9, "resume", { ...X, switched: true, otherSkill: SKILL }, "execution", EXECUTE],
  [9, "fork", X, "execution", EXECUTE],
  [10, "resume", NONE, null, STARTUP_MENU],
  [10, "resume", { ...X, confidence: "low" }, "execution", STARTUP_MENU],
  [10, "fork", { ...NONE, otherSkill: SKILL }, null, STARTUP_MENU],
  [null, "teleport", X, "execution", STARTUP_ON],
  [null, "", NONE, null, STARTUP_ON],
];

describe("detectMode", () => {
  it.each(ROWS)("case %j: source %j", (caseNumber, source, detection, phase, expected) => {
    expect(detectMode({ source, detection, phase })).toMatchObject({ ...expected, caseNumber });
  });

  it("shows no menu where the transcript of a session that goes on is not there yet, as a fork's is not", () => {
    for (const source of ["fork", "resume"]) {
      expect(detectMode({ source, detection: NONE, phase: null, unseen: true })).toMatchObject(STARTUP_ON);
    }
    expect(detectMode({ source: "startup", detection: NONE, phase: null, unseen: true })).toMatchObject(STARTUP_MENU);
  });

  it("says why in a sentence that names the project or the source", () => {
    expect(detectMode({ source: "compact", detection: X, phase: "planning" }).why).toContain("24-demo");
    expect(detectMode({ source: "teleport", detection: X, phase: null }).why).toContain('"teleport"');
  });
});
