import { DEFAULT_CONFIG } from "./config/default-config.ts";
import type { Estimate } from "./session-start/facts.ts";
import { documentsFrom, type StartDocuments, type StartFacts } from "./session-start/start-documents.ts";

/**
 * What an agent reads first: the startup document, or the one that brings a project back after a compaction. The same facts
 * give the same bytes; texts of any kind may stand in them, and are escaped. `estimate` counts the tokens of a text.
 */
export function startDocuments(facts: StartFacts, estimate?: Estimate): StartDocuments {
  const { layout, tone, budgets, delivery } = DEFAULT_CONFIG;
  const skillLocations = {
    system: `${layout.system}/skills/`,
    integration: `${layout.skills}/*-connect/`,
    user: `${layout.skills}/`,
    project: ".claude/skills/",
  };
  return documentsFrom(facts, { tone, budgets, delivery, skillLocations }, estimate);
}

export { estimateTokens } from "./base/token-estimate.ts";
export type {
  Estimate,
  FileContent,
  FileFact,
  ManifestFacts,
  PendingItem,
  ProjectFacts,
  ProjectSummary,
  Resumption,
  RoleFacts,
  SessionFacts,
  SessionStartFacts,
  StartupFacts,
  StateFacts,
  UnreadKind,
} from "./session-start/facts.ts";
export type { Loss } from "./session-start/omitted.ts";
export type { SectionId } from "./session-start/sections.ts";
export type { StartDocuments, StartFacts } from "./session-start/start-documents.ts";
export type { Skill, SkillKind } from "./skills/skill.ts";
export type { Mode, ModeAction, ModeDecision, ProjectSkill } from "./transcript/detect-mode.ts";
