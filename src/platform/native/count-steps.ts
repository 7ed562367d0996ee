import { countSteps as countByTypeScript } from "../../projects/count-steps.ts";
import { readPhaseHeading } from "../../projects/phase-heading.ts";
import { taskText } from "../../projects/steps.ts";
import "./host.ts";

export type { StepsCount } from "../../projects/count-steps.ts";

const CLOSED = 1;
const HEADING = 2;
const PHASES = ["empty", "planning", "execution", "complete"] as const;

/** In place of `src/projects/count-steps.ts`: see `quick-texts.c`. */
export const countSteps: typeof countByTypeScript = (text) => {
  const count = host.quick?.countSteps(text) ?? null;
  if (count === null) return countLines(text);
  const [closed, total, currentSection, phase, task] = count;
  const currentTask = task === null ? null : taskText(task);
  return { closed, total, currentSection, phase: PHASES[phase] ?? "empty", currentTask };
};

/** Of a text whose headings are not all plain. */
const countLines: typeof countByTypeScript = (text) => {
  const rows = host.quick?.stepLines(text) ?? null;
  if (rows === null) return countByTypeScript(text);
  let [total, closed, open, planning] = [0, 0, 0, false];
  let currentTask: string | null = null;
  /** The number of the phase that is being read, of the first with an open box, and of the last. */
  let [number, firstOpen, last]: (number | null)[] = [null, null, null];
  for (let at = 0; at < rows.length; at += 3) {
    const [kind, words] = [Number(rows[at + 1]), String(rows[at + 2])];
    if (kind > HEADING) {
      if (open > 0) firstOpen ??= number;
      open = 0;
      number = kind === HEADING + 2 ? (readPhaseHeading(withoutClosingHashes(words))?.number ?? null) : null;
      last = number ?? last;
      continue;
    }
    total += 1;
    if (kind === CLOSED) {
      closed += 1;
      continue;
    }
    currentTask ??= taskText(words);
    if (number === 1) planning = true;
    if (number !== null) open += 1;
  }
  if (open > 0) firstOpen ??= number;
  const phase = total === 0 ? "empty" : closed === total ? "complete" : planning ? "planning" : "execution";
  return { closed, total, currentSection: firstOpen ?? last ?? 1, phase, currentTask };
};

/** `Title ##` is `Title`; `C#` stays `C#`. */
function withoutClosingHashes(title: string): string {
  let end = title.length;
  while (end > 0 && title[end - 1] === "#") end -= 1;
  const before = title[end - 1];
  return end === 0 || before === " " || before === "\t" ? title.slice(0, end).trimEnd() : title;
}
