import { itemsOf, outline, restOfItem, withoutComments } from "../base/markdown.ts";
import { sourceText } from "../base/source-text.ts";
import { type PhaseHeading, readPhaseHeading } from "./phase-heading.ts";

/** A checkbox of the steps file. */
export interface Task {
  /** Its place among all boxes of the file, from 1. */
  readonly ordinal: number;
  /** The item without marker and box, in one line. */
  readonly text: string;
  readonly done: boolean;
  /** The number of the phase it stands under; null outside every phase. */
  readonly phase: number | null;
  /** 1-based. */
  readonly line: number;
}

export interface Phase extends PhaseHeading {
  /** 1-based. */
  readonly line: number;
  readonly closed: number;
  readonly total: number;
}

/** `empty`: there is no box to go by. */
export type StepsPhase = "empty" | "planning" | "execution" | "complete";

/** What `04-steps.md` says; the one count of its boxes. */
export interface Steps {
  readonly phases: readonly Phase[];
  readonly tasks: readonly Task[];
  readonly closed: number;
  readonly total: number;
  /** The first open box; null where none is open. */
  readonly currentTask: Task | null;
  /** The number of the first phase with an open box, else of the last phase; 1 where there are no phases. */
  readonly currentSection: number;
  readonly phase: StepsPhase;
}

/** Reads a steps file: `##` headings that say Phase or Section and a number, and the boxes of list items. */
export function parseSteps(text: string): Steps {
  const source = sourceText(text);
  const parsed = outline(source);
  const plain = withoutComments(source, parsed);
  const headings = parsed.headings.filter((heading) => heading.level <= 2);
  const phases: { -readonly [K in keyof Phase]: Phase[K] }[] = [];
  const tasks: Task[] = [];
  let next = 0;
  let open = false;
  for (const item of itemsOf(parsed.prose)) {
    if (item.checked === null) continue;
    enterUpTo(item.line.number);
    const phase = open ? phases.at(-1) : undefined;
    tasks.push({
      ordinal: tasks.length + 1,
      text: taskText(item.text + restOfItem(plain, item.line.span.end)),
      done: item.checked,
      phase: phase?.number ?? null,
      line: item.line.number,
    });
    if (phase === undefined) continue;
    phase.total += 1;
    if (item.checked) phase.closed += 1;
  }
  enterUpTo(Number.POSITIVE_INFINITY);

  /** Takes the headings above a line: a phase begins, or another chapter ends it. */
  function enterUpTo(line: number): void {
    for (let heading = headings[next]; heading !== undefined && heading.line.number < line; heading = headings[next]) {
      const found = heading.level === 2 ? readPhaseHeading(heading.title) : null;
      open = found !== null;
      if (found !== null) phases.push({ ...found, line: heading.line.number, closed: 0, total: 0 });
      next += 1;
    }
  }

  const closed = tasks.filter((task) => task.done).length;
  const current = phases.find((phase) => phase.closed < phase.total) ?? phases.at(-1);
  return {
    phases,
    tasks,
    closed,
    total: tasks.length,
    currentTask: tasks.find((task) => !task.done) ?? null,
    currentSection: current?.number ?? 1,
    phase: phaseOf(tasks, closed),
  };
}

/** A box that nothing stands beside is a task like any other: to be told as nothing it looked as if none were in hand. */
export function taskText(text: string): string {
  return text.trim() || "(no text)";
}

function phaseOf(tasks: readonly Task[], closed: number): StepsPhase {
  if (tasks.length === 0) return "empty";
  if (closed === tasks.length) return "complete";
  return tasks.some((task) => !task.done && task.phase === 1) ? "planning" : "execution";
}
