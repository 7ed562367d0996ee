import type { Activity } from "../transcript/activity.ts";
import { backgroundRuns } from "./background.ts";
import { isShellCall, type ShellCall, shellCall } from "./command-text.ts";
import { commandRuns } from "./commands.ts";
import { commits } from "./commits.ts";
import { type Step, type TrailOptions, trailContext } from "./context.ts";
import { failures } from "./failures.ts";
import { fileTrail } from "./file-work.ts";
import { inFlight } from "./in-flight.ts";
import type { Trail } from "./model.ts";
import { questions } from "./questions.ts";
import { references, requests } from "./requests.ts";
import { stops } from "./stops.ts";
import { testRuns } from "./test-run.ts";
import { todoList } from "./todo-list.ts";

/**
 * What was done, from the records alone. What was done is told since the place asked for; what still stands (the to-do
 * list, unanswered failures, what is in flight, links, the first request) from everything that was read.
 */
export function buildTrail(activities: readonly Activity[], options: TrailOptions): Trail {
  const context = trailContext(options);
  const { steps, compactions } = stepsOf(activities, options.since === "compaction");
  const background = backgroundRuns(steps);
  const read = new Map<number, ShellCall>();
  for (const { activity, index } of steps) {
    if (activity.kind !== "tool-call" || !isShellCall(activity)) continue;
    read.set(index, shellCall(activity, background.get(activity.id), context));
  }
  const calls = steps.flatMap(({ activity, index, inside, main }) =>
    activity.kind === "tool-call" && main ? [{ call: activity, inside, shell: read.get(index) ?? null }] : [],
  );
  const shells = calls.flatMap(({ shell, inside }) => (shell !== null && inside ? [shell] : []));
  const todos = todoList(
    calls.map(({ call }) => call),
    context,
  );
  return {
    since: options.since === "compaction" && compactions > 0 ? "compaction" : options.whole ? "start" : "end",
    compactions,
    currentTask: todos.find(({ status }) => status === "in_progress")?.text ?? null,
    todos,
    failures: failures(calls, context),
    ...fileTrail(steps, read, context),
    requests: requests(steps, context, options.whole),
    inFlight: inFlight(steps, background, context),
    commits: commits(shells, context),
    tests: testRuns(shells, context),
    questions: questions(steps, context),
    references: references(steps, context),
    stops: stops(steps, context),
    commands: commandRuns(shells, context),
  };
}

/** A sub-agent's own file holds nothing else: there its line is the main one. */
function stepsOf(
  activities: readonly Activity[],
  sinceCompaction: boolean,
): { steps: readonly Step[]; compactions: number } {
  const alone = activities.every(({ sidechain }) => sidechain);
  let last = -1;
  let compactions = 0;
  let before: Activity["kind"] | null = null;
  for (const [index, { kind, sidechain }] of activities.entries()) {
    if (sidechain && !alone) continue;
    if (kind === "compact-boundary" || kind === "compact-summary") {
      // A boundary and the summary behind it are one compaction.
      if (!(kind === "compact-summary" && before === "compact-boundary")) compactions += 1;
      last = index;
    }
    before = kind;
  }
  const from = sinceCompaction ? last : -1;
  const steps = activities.map((activity, index) => ({
    activity,
    index,
    inside: index > from,
    main: alone || !activity.sidechain,
  }));
  return { steps, compactions };
}
