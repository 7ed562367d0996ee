import { detectMode, NOTHING_DETECTED } from "../../transcript/detect-mode.ts";
import type { StartDecision } from "./decide.ts";

/** Which document a start gets that goes on with no earlier work. */
export function decideNew(source: string): StartDecision {
  const decision = detectMode({ source, detection: NOTHING_DETECTED, phase: null });
  const nothing = { transcript: null, transcriptProblem: null, detection: null, fork: null, steps: null, state: null };
  return { decision, project: null, confidence: null, ...nothing };
}
