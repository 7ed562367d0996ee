import type { Workspace } from "../../helpers/workspace.ts";
import type { ToolCall, Turn } from "./model-answer.ts";

export const readFile = (project: Workspace, name: string): ToolCall => ({
  name: "Read",
  input: { file_path: project.path(name) },
});

export const writeFile = (project: Workspace, name: string, content: string): ToolCall => ({
  name: "Write",
  input: { file_path: project.path(name), content },
});

export const editFile = (project: Workspace, name: string, from: string, to: string): ToolCall => ({
  name: "Edit",
  input: { file_path: project.path(name), old_string: from, new_string: to },
});

export const runCommand = (command: string): ToolCall => ({
  name: "Bash",
  input: { command, description: "Runs a command" },
});

export const useSkill = (skill: string, args = ""): ToolCall => ({ name: "Skill", input: { skill, args } });

export const planningFile = (id: string, name: string): string => `02-projects/${id}/01-planning/${name}`;

/** Turns of an agent that carries a project out: it loads the skill, reads, writes a file, closes no box. */
export function executeProject(project: Workspace, id: string): readonly Turn[] {
  return [
    { call: [useSkill("execute-project", id)] },
    {
      call: [readFile(project, planningFile(id, "01-overview.md")), readFile(project, planningFile(id, "04-steps.md"))],
    },
    { call: [writeFile(project, workingFile(id), "# Parser\n\nReads a line at a time.\n")] },
  ];
}

export const workingFile = (id: string): string => `02-projects/${id}/02-working/parser.md`;
