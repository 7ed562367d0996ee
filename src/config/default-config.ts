import type { Config } from "./config.ts";

/** `{save}` is the command that saves the role, such as `./context lifecycle.save oosh-expert`; `{file}` its context file. */
export const DEFAULT_ASK =
  "Role {role}: your context will be compacted. Bring {file} up to date now, then run {save} and stop there, without starting anything else.";

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
