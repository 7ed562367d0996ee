import { projects } from "../../commands/projects.ts";
import { skills } from "../../commands/skills.ts";
import type { Entry } from "../entry.ts";
import { runCommand } from "../run-command.ts";

export const entry: Entry = {
  projects: (world, invocation) => runCommand(world, invocation, projects),
  skills: (world, invocation) => runCommand(world, invocation, skills),
};
