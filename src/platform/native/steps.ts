import { readPhaseHeading } from "../../projects/phase-heading.ts";
import { type Phase, parseSteps as parseByTypeScript, type Task } from "../../projects/steps.ts";
import "./host.ts";

export type { Phase, Steps, StepsPhase, Task } from "../../projects/steps.ts";

const CLOSED = 1;
const HEADING = 2;

/** In place of `src/projects/steps.ts`: see `quick-texts.c`. */
export const parseSteps: typeof parseByTypeScript = (text) => {
  const rows = host.quick?.stepLines(text) ?? null;
  if (rows === null) return parseByTypeScript(text);
  const phases: { -readonly [K in keyof Phase]: Phase[K] }[] = [];
  const tasks: Task[] = [];
  let [closed, isPlanning] = [0, false];
  let current: Task | null = null;
  let open: (typeof phases)[number] | null = null;
  for (let at = 0; at < rows.length; at += 3) {
    const [line, kind, words] = [Number(rows[at]), Number(rows[at + 1]), String(rows[at + 2])];
    if (kind > HEADING) {
      const found = kind === HEADING + 2 ? readPhaseHeading(withoutClosingHashes(words)) : null;
      open = found === null ? null : { ...found, line, closed: 0, total: 0 };
      if (open !== null) phases.push(open);
      continue;
    }
    const task = {
      ordinal: tasks.length + 1,
      text: words,
      done: kind === CLOSED,
      phase: open === null ? null : open.number,
      line,
    };
    tasks.push(task);
    if (open !== null) open.total += 1;
    if (task.done) closed += 1;
    else {
      current ??= task;
      isPlanning ||= task.phase === 1;
    }
    if (task.done && open !== null) open.closed += 1;
  }
  const total = tasks.length;
  const section = phases.find((phase) => phase.closed < phase.total) ?? phases.at(-1);
  const phase = total === 0 ? "empty" : closed === total ? "complete" : isPlanning ? "planning" : "execution";
  return { phases, tasks, closed, total, currentTask: current, currentSection: section?.number ?? 1, phase };
};

/** `Title ##` is `Title`; `C#` stays `C#`. */
function withoutClosingHashes(title: string): string {
  let end = title.length;
  while (end > 0 && title[end - 1] === "#") end -= 1;
  const before = title[end - 1];
  return end === 0 || before === " " || before === "\t" ? title.slice(0, end).trimEnd() : title;
}
