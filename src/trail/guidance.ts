import { isAbsolute } from "../transcript/path-text.ts";
import { brief, cleaner, oneLine } from "./clean-text.ts";
import { cut } from "./cut.ts";
import { EDITING_TOOLS } from "./file-work.ts";
import type { Trail } from "./model.ts";

export interface GuidanceFacts {
  readonly projectId: string | null;
  /** Where none is certain, which one may be in hand and why, as a clause. */
  readonly projectDoubt?: string | null | undefined;
  readonly phase: string | null;
  /** As the steps file has it; the to-do list's own where null. */
  readonly currentTask: string | null;
  /** The open boxes behind it, without secrets; what the to-do list holds comes before them. */
  readonly openTasks: readonly string[];
  /** What to run once the memory is gone. */
  readonly recoverCommand: string | null;
  /** UTF-16 units that stand in front of it in the same text. */
  readonly taken?: number | undefined;
}

/** UTF-16 units: what a summariser is asked for beside its own orders stays short. */
export const GUIDANCE_LIMIT = 2_000;

/** What a compaction's summary must keep, for the summariser's prompt; empty where nothing is known. */
export function summariserGuidance(trail: Trail, facts: GuidanceFacts): string {
  const { clean, cleanLine: one } = cleaner([]);
  const task = facts.currentTask ?? trail.currentTask;
  const todos = trail.todos.flatMap(({ status, text }) => (status === "completed" || text === task ? [] : [text]));
  const open = new Set([...todos, ...facts.openTasks].map((text) => cut(text, 120)));
  // The window most often fills up with an edit whose result the client has not written down yet.
  const changing = new Set(
    trail.inFlight.flatMap(({ state, kind, tool, what }) =>
      state === "running" && kind === "call" && what !== "" && EDITING_TOOLS.has(tool) ? [what] : [],
    ),
  );
  const there = trail.files.filter(({ change, path }) => change !== "deleted" && !changing.has(path));
  const changed = there.filter(({ by }) => by === "tool");
  // Scratch files outside the root are not what the work is about.
  const written = there.filter(({ by, path }) => by === "shell" && !isAbsolute(path));
  const running = trail.inFlight.filter(({ state, kind }) => state === "running" && kind !== "call");
  const parts: readonly Part[] = [
    {
      lead: "Project",
      texts: projectTexts(facts, one),
      room: 400,
    },
    { lead: "Current task, word for word", texts: task === null ? [] : [clean(task, 600)], room: 640 },
    {
      lead: "The person's last request",
      texts: trail.requests.slice(0, 1).map(({ text }) => cut(oneLine(text), 200)),
      room: 240,
    },
    {
      lead: "Unanswered errors",
      texts: trail.failures.map(({ what, says }) => `${brief(what)}: ${cut(says, 120)}`),
      room: 300,
    },
    {
      lead: "Files changed",
      texts: [
        ...Array.from(changing, (path) => `${cut(path, 160)} (no result yet)`),
        ...changed.map(({ path }) => path),
      ],
      room: 400,
    },
    { lead: "Files written by commands", texts: written.map(({ path }) => path), room: 200 },
    { lead: "Open tasks", texts: [...open], room: 240 },
    {
      lead: "Still running, not to be started again",
      texts: running.map(({ what, id }) => (id === null ? brief(what) : `${brief(what)} (${id})`)),
      room: 200,
    },
    {
      lead: "The person's first request",
      texts: trail.requests.slice(1).flatMap(({ text, first }) => (first ? [cut(oneLine(text), 200)] : [])),
      room: 240,
    },
  ];
  if (parts.every(({ texts }) => texts.length === 0)) return "";
  const recover =
    facts.recoverCommand === null ? "" : `To recover after the compaction: ${one(facts.recoverCommand, 200)}\n`;
  return assembled(parts, recover, facts.taken ?? 0);
}

interface Part {
  readonly lead: string;
  readonly texts: readonly string[];
  /** UTF-16 units it may take while others want room. */
  readonly room: number;
}

const OPENING = "Keep these in the summary:\n";

function assembled(parts: readonly Part[], recover: string, taken: number): string {
  let left = GUIDANCE_LIMIT - OPENING.length - recover.length - taken;
  const lineOf = ({ lead, texts }: Part, line: string, room: number): string => {
    const longer = partLine(lead, texts, Math.min(room, left + line.length) - 1);
    left += line.length - longer.length;
    return longer;
  };
  const lines = parts.map((part) => lineOf(part, "", part.room));
  // What nobody wanted goes to those that had to leave something out, in their order.
  return `${OPENING}${parts.map((part, at) => lineOf(part, lines[at] ?? "", GUIDANCE_LIMIT)).join("")}${recover}`;
}

/** `- Lead: a; b (3 more)` and a newline behind `room` units at most; empty where not one text fits. */
function partLine(lead: string, texts: readonly string[], room: number): string {
  const head = `- ${lead}: `;
  const moreOf = (shown: number): string => (shown < texts.length ? ` (${texts.length - shown} more)` : "");
  let best = "";
  let line = head;
  for (const [at, text] of texts.entries()) {
    line += at === 0 ? text : `; ${text}`;
    if (line.length > room) break;
    const whole = line + moreOf(at + 1);
    if (whole.length <= room) best = whole;
  }
  const left = room - head.length - moreOf(1).length;
  if (best === "" && texts.length > 0 && left > LEAST) best = `${head}${cut(texts[0] ?? "", left)}${moreOf(1)}`;
  return best === "" ? "" : `${best}\n`;
}

const LEAST = 20;

function projectTexts(
  { projectId, projectDoubt, phase }: GuidanceFacts,
  one: (text: string, room: number) => string,
): readonly string[] {
  if (projectId !== null) return [`${one(projectId, 300)}${phase ? `, phase ${one(phase, 60)}` : ""}`];
  return projectDoubt == null ? [] : [`none is certain; ${one(projectDoubt, 300)}`];
}
