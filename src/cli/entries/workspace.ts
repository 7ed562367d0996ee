import { explain } from "../../commands/explain.ts";
import { projects } from "../../commands/projects.ts";
import { skills } from "../../commands/skills.ts";
import type { Entry } from "../entry.ts";
import { runCommand, text } from "../run-command.ts";

export const entry: Entry = {
  explain: (world, invocation) =>
    runCommand(world, invocation, (context) =>
      explain(context, { source: text(invocation, "source"), transcript: text(invocation, "transcript") }),
    ),
  projects: (world, invocation) => runCommand(world, invocation, projects),
  skills: (world, invocation) => runCommand(world, invocation, skills),
};
