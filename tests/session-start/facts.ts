import { estimateTokens } from "../../src/base/token-estimate.ts";
import type {
  FileContent,
  FileFact,
  ProjectFacts,
  ProjectSummary,
  SessionStartFacts,
  StartupFacts,
} from "../../src/session-start/facts.ts";
import type { Skill, SkillKind } from "../../src/skills/skill.ts";
import type { ModeDecision } from "../../src/transcript/detect-mode.ts";

export const estimate = estimateTokens;

export function file(path: string, content: string | FileContent): FileFact {
  const read: FileContent = typeof content === "string" ? { kind: "text", text: content } : content;
  return { path, absolutePath: `/home/nexus/${path}`, content: read };
}

export function skill(name: string, kind: SkillKind = "system", category: string | null = "tools"): Skill {
  const folder = { system: "00-system/skills", integration: "03-skills", user: "03-skills", project: ".claude/skills" };
  const way = category === null ? "" : `${category}/`;
  return {
    name,
    kind,
    category,
    description: `Load when the user mentions "${name}". It does one thing well.`,
    path: `${folder[kind]}/${way}${name}/SKILL.md`,
  };
}

export function summary(id: string, changes: Partial<ProjectSummary> = {}): ProjectSummary {
  return {
    id,
    name: `Project ${id}`,
    status: "IN_PROGRESS",
    active: true,
    percent: 50,
    currentTask: `Write chapter of ${id}`,
    updated: null,
    ...changes,
  };
}

const MENU: ModeDecision = {
  mode: "startup",
  skill: "none",
  action: "display_menu",
  caseNumber: 1,
  why: "a new session",
};

export function startupFacts(
  startup: Partial<StartupFacts> = {},
  changes: Partial<SessionStartFacts> = {},
): SessionStartFacts {
  return {
    session: { id: "b9ff7b48-ef86-4ef0-86d3-7835c69ec06b", source: "startup", timestamp: "2026-01-05T10:00:00Z" },
    decision: MENU,
    program: "context",
    role: null,
    startup: {
      orchestrator: file("00-system/core/orchestrator.md", "# Orchestrator\n\nShow the menu.\n"),
      goals: file("01-memory/goals.md", "# Goals\n\n- Ship it\n"),
      projects: [summary("24-demo"), summary("07-done", { active: false, status: "COMPLETE", percent: 100 })],
      skills: [
        skill("plan-project", "system", "projects"),
        skill("learn-nexus", "system", "learning"),
        skill("airtable-connect", "integration", "airtable"),
        skill("paper-search", "user", "research-pipeline"),
        skill("deploy", "project", null),
      ],
      skillLocations: {
        system: "00-system/skills/",
        integration: "03-skills/*-connect/",
        user: "03-skills/",
        project: ".claude/skills/",
      },
      state: {
        goalsPersonalized: true,
        workspaceConfigured: true,
        onboardingComplete: false,
        pending: [
          { skill: "learn-projects", time: "8-10 min", path: "00-system/skills/learning/learn-projects/SKILL.md" },
        ],
      },
      routing: true,
      ...startup,
    },
    project: null,
    resumption: null,
    systemFiles: [],
    workTrail: null,
    tone: "firm",
    budgets: { startup: 20_000, compact: 10_000 },
    delivery: { cap: 10_000, parts: 4 },
    documentPath: "/home/nexus/session/.cache/session-start.xml",
    loop: null,
    ...changes,
  };
}

export function compactFacts(
  project: Partial<ProjectFacts> = {},
  changes: Partial<SessionStartFacts> = {},
): SessionStartFacts {
  const phase = project.phase ?? "execution";
  const name = phase === "planning" ? "plan-project" : "execute-project";
  return startupFacts(
    {},
    {
      session: { id: "b9ff7b48-ef86-4ef0-86d3-7835c69ec06b", source: "compact", timestamp: null },
      decision: { mode: "compact", skill: name, action: "continue_working", caseNumber: 3, why: "24-demo is in hand" },
      role: {
        name: "oosh-expert",
        state: "compacting",
        checklist: ["Read this whole document before you do anything else.", "Read the skill file."],
        contextFile: file(
          "session/agents/oosh-expert.context.md",
          "# OOSH Expert — Context\n\n**Updated**: 2026-01-05\n",
        ),
      },
      project: {
        id: "24-demo",
        phase,
        skill: name,
        currentTask: "Write the second chapter",
        closed: 14,
        total: 40,
        confidence: "high",
        manifest: {
          path: "02-projects/24-demo/01-planning/resume-context.md",
          absolutePath: "/home/nexus/02-projects/24-demo/01-planning/resume-context.md",
          nextAction: name,
          currentSection: 2,
          currentTask: 15,
          questions: [],
        },
        files: [
          file("02-projects/24-demo/01-planning/01-overview.md", "# Overview\n\nWhat for.\n"),
          file("02-projects/24-demo/01-planning/03-plan.md", "# Plan\n\nHow.\n"),
          file("02-projects/24-demo/01-planning/04-steps.md", "# Steps\n\n- [x] one\n- [ ] two\n"),
        ],
        skillFile: file(`00-system/skills/projects/${name}/SKILL.md`, `---\nname: ${name}\n---\n\n# Do it\n`),
        ...project,
      },
      resumption: { kind: "resumed" },
      systemFiles: [
        file("00-system/core/orchestrator.md", "# Orchestrator\n"),
        file("00-system/system-map.md", "# Map\n"),
        file("04-workspace/workspace-map.md", { kind: "missing", reason: "does not exist" }),
      ],
      workTrail: "Edited 02-projects/24-demo/03-working/a.md\nRan `npm test`: failed\n",
      ...changes,
    },
  );
}
