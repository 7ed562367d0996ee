export {
  detectInTranscript,
  type TranscriptDetection,
  type TranscriptPlaces,
} from "./transcript/detect-in-transcript.ts";
export {
  continuesWork,
  type DetectionForMode,
  detectMode,
  type Mode,
  type ModeAction,
  type ModeDecision,
  type ModeInput,
  type ProjectSkill,
} from "./transcript/detect-mode.ts";
export type { Confidence, Detection, Evidence, OtherSkill } from "./transcript/detect-project.ts";
export type { EvidenceKind } from "./transcript/evidence.ts";
export type { ProjectScore } from "./transcript/project-score.ts";
