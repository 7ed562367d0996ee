import type { Config } from "../../config/config.ts";
import { parseSteps } from "../../projects/steps.ts";
import { readStepsFile } from "../../stores/project-store.ts";
import { homeFolder } from "../../stores/transcript-store.ts";
import { summariserGuidance } from "../../trail/guidance.ts";
import { buildTrail } from "../../trail/trail.ts";
import type { CommandContext } from "../command-context.ts";
import type { PreCompactProject } from "./project.ts";

export interface WorkGuidanceInput {
  readonly role: string | null;
  readonly cwd: string | null;
}

/** What the summary must keep of the work: project, task, changed files, unanswered errors. Empty where nothing is known. */
export function workGuidance(
  context: CommandContext,
  config: Config,
  input: WorkGuidanceInput,
  { project, transcript }: PreCompactProject,
): string {
  const { root } = context.paths;
  const home = homeFolder(context.env);
  const trail = buildTrail(transcript?.activities ?? [], { root, home, cwd: input.cwd ?? root, since: "compaction" });
  const steps = project === null ? null : readStepsFile(context.paths, config, project);
  const facts = steps?.ok ? parseSteps(steps.value.text) : null;
  const show = project === null ? null : `${context.invokedAs} resume.show ${project}`;
  return summariserGuidance(trail, {
    projectId: project,
    phase: facts?.phase ?? null,
    currentTask: facts?.currentTask?.text ?? null,
    // A role's own first line names its command already.
    recoverCommand: input.role === null ? show : null,
  });
}
