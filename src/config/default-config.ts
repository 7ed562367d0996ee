import type { Config } from "./config.ts";
import { DEFAULT_ASK } from "./default-ask.ts";

/** What holds without a `context.yaml`: spelled out, so that a start without one loads neither zod nor yaml. */
export const DEFAULT_CONFIG: Config = {
  layout: {
    system: "00-system",
    memory: "01-memory",
    projects: "02-projects",
    skills: "03-skills",
    workspace: "04-workspace",
  },
  budgets: { startup: 20_000, compact: 10_000 },
  delivery: { cap: 10_000, parts: 4 },
  tone: "firm",
  recovery: { architecture: "docs/oosh-architecture.md" },
  compact: { ask: DEFAULT_ASK },
  store: { prefix: "" },
  redact: [],
};

/** One of them tells that a project is for this program: roles, a workspace, or settings for it. */
export const PROJECT_MARKS = [
  "session/agents",
  DEFAULT_CONFIG.layout.projects,
  DEFAULT_CONFIG.layout.system,
  DEFAULT_CONFIG.layout.skills,
  "context.yaml",
] as const;
