import { ACME_PROJECTS, addProject } from "../../helpers/acme-project.ts";
import { git } from "../../helpers/git-repository.ts";
import { makeWorkspace, type Workspace } from "../../helpers/workspace.ts";

export const ROLE = "oosh-expert";

/** A git repository with projects, skills and a role, set up by `./context init` as a user would. */
export function makeProject(initWords: readonly string[] = []): Workspace {
  const project = makeWorkspace();
  git(project.root, "init", "--quiet");
  project.write("CLAUDE.md", "# Acme\n\nWork inside projects.\n");
  project.write("00-system/core/orchestrator.md", "# Orchestrator\n\nRoute the user to skills and projects.\n");
  project.write("01-memory/goals.md", "# Goals\n\n- Ship the parser\n");
  for (const [name, description] of SYSTEM_SKILLS) {
    project.write(`00-system/skills/projects/${name}/SKILL.md`, skillText(name, description));
    project.write(`.claude/skills/${name}/SKILL.md`, skillText(name, description));
  }
  project.write("03-skills/weekly-report/SKILL.md", skillText("weekly-report", "Write the weekly report."));
  project.write(".claude/skills/weekly-report/SKILL.md", skillText("weekly-report", "Write the weekly report."));
  for (const [id, title] of Object.entries(ACME_PROJECTS)) addProject(project, id, title);
  project.write(`.claude/agents/${ROLE}/SKILL.md`, skillText(ROLE, "Knows the shell framework."));
  const ran = project.context(["init", "--yes", ...initWords]);
  if (ran.code !== 0) throw new Error(`init: ${ran.stderr}`);
  return project;
}

const SYSTEM_SKILLS = [
  ["plan-project", "Plan a new project."],
  ["execute-project", "Execute an existing project step by step."],
] as const;

function skillText(name: string, description: string): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n\n1. Do what it says.\n`;
}
