import { printableLine } from "../../base/printable.ts";
import type { Config } from "../../config/config.ts";
import { homeFolder } from "../../platform/home-folder.ts";
import { withoutOptimising } from "../../platform/optimiser.ts";
import { parseSteps } from "../../projects/steps.ts";
import { readStepsFile } from "../../stores/project-store.ts";
import { withSubAgents } from "../../stores/sub-agent-work.ts";
import { readTranscript } from "../../stores/transcript-store.ts";
import { summariserGuidance } from "../../trail/guidance.ts";
import { buildTrail } from "../../trail/trail.ts";
import { redact } from "../../transcript/redact.ts";
import type { CommandContext } from "../command-context.ts";
import { ownPatterns } from "../redact-patterns.ts";
import type { InHand } from "./project.ts";

export interface WorkGuidanceInput {
  readonly role: string | null;
  readonly transcriptPath: string | null;
  readonly cwd: string | null;
}

export interface WorkGuidance {
  /** Empty where nothing is known. */
  readonly text: string;
  readonly warnings: readonly string[];
}

/** What the summary must keep of the work: project, task, changed files, unanswered errors; `taken` units stand in front of it. */
export function workGuidance(
  context: CommandContext,
  config: Config,
  input: WorkGuidanceInput,
  inHand: InHand,
  taken: number,
): WorkGuidance {
  return withoutOptimising(() => gather(context, config, input, inHand, taken));
}

function gather(
  context: CommandContext,
  config: Config,
  input: WorkGuidanceInput,
  inHand: InHand,
  taken: number,
): WorkGuidance {
  const { project, doubt } = inHand;
  const read = input.transcriptPath === null ? null : readTranscript(input.transcriptPath, "window");
  const unread = read !== null && !read.ok && read.error.code !== "missing" ? [`${read.error.message}.`] : [];
  const { patterns: redactPatterns, notes } = ownPatterns(config);
  const { root } = context.paths;
  const home = homeFolder(context.env);
  const cwd = input.cwd ?? root;
  const trail = buildTrail(read?.ok ? withSubAgents(read.value) : [], {
    root,
    home,
    cwd,
    since: "compaction",
    whole: read?.ok === true && read.value.whole,
    redactPatterns,
  });
  const steps = project === null ? null : readStepsFile(context.paths, config, project);
  const facts = steps?.ok ? parseSteps(steps.value.text) : null;
  const show = project === null ? null : `${context.invokedAs} resume.show ${project}`;
  const [task = null, ...openTasks] = (facts?.tasks ?? []).flatMap(({ done, text }) =>
    done ? [] : [printableLine(redact(text, redactPatterns))],
  );
  const text = summariserGuidance(trail, {
    projectId: project,
    projectDoubt: doubt,
    phase: facts?.tasks.length ? facts.phase : null,
    currentTask: task,
    // Newer clients have no list of their own.
    openTasks,
    // A role's own first line names its command already.
    recoverCommand: input.role === null ? show : null,
    taken,
  });
  return { text, warnings: [...unread, ...notes] };
}
