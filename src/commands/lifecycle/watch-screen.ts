import { plural } from "../../base/plural.ts";
import { printableLine } from "../../base/printable.ts";
import { openScreen } from "../../platform/screen.ts";
import { folderLooks } from "../../platform/watch-folders.ts";
import type { MachineError, StoreTurn } from "../../stores/machine-access.ts";
import type { CommandContext } from "../command-context.ts";
import { done, type Report } from "../report.ts";
import { type FleetQuestion, fleetText, readFleet } from "./fleet.ts";
import { lostReport } from "./machine-report.ts";
import { stuckNotes } from "./status-text.ts";
import { turnText } from "./store-turn.ts";

export interface ScreenOutput {
  readonly write: (text: string) => void;
  /** Given when this process is told to end. */
  readonly stop: AbortSignal;
  /** As if Ctrl-C had sent its signal: on a terminal in raw mode it is a key. */
  readonly interrupt: () => void;
  /** A watch goes on for days: each look has a time of its own. */
  readonly clock: () => Date;
}

const CTRL_C = "\u0003";
/** A fleet that changes all the time is redrawn five times a second: more nobody reads. */
const FRAME_MS = 200;

/** `lifecycle.status --watch` on a terminal: the table, redrawn when it changes, until somebody presses q. */
export async function watchScreen(
  context: CommandContext,
  input: FleetQuestion & { readonly retryMs: number },
  output: ScreenOutput,
): Promise<Report> {
  // A mistake in the command line is told on the screen that stays.
  const begin = await readFleet(context, input);
  if (!begin.ok && begin.error.outcome === "usage") return begin.error;
  const ended = new AbortController();
  const end = (): void => ended.abort();
  output.stop.addEventListener("abort", end);
  let lines: readonly string[] = [];
  let lost: MachineError | null = null;
  /** Of the store, where it was lost since the last change. */
  let word = "";
  const screen = openScreen({
    write: output.write,
    onKey: (key) => {
      if (key.includes(CTRL_C)) output.interrupt();
      if (/[qQ]/.test(key)) end();
    },
    onResize: () => screen.show(framed(lines, screen.size().rows, word)),
  });
  try {
    for await (const look of looks(context, ended.signal, input.retryMs)) {
      if (look.lost !== null) {
        lost = look.lost;
        break;
      }
      if (look.turn !== null) word = `${clockText(output.clock())} ${turnText(look.turn)}`;
      const next = look.turn?.kind === "gone" ? lines : await linesNow({ ...context, now: output.clock }, input);
      if (next.join("\n") === lines.join("\n")) {
        if (look.turn === null) continue;
      } else if (look.turn === null) word = "";
      lines = next;
      screen.show(framed(lines, screen.size().rows, word));
    }
  } finally {
    screen.close();
    output.stop.removeEventListener("abort", end);
  }
  return lost === null ? done("", {}) : lostReport(lost);
}

/** Context files are looked at as often as this where no folder tells of them. */
const RESCAN_MS = 1000;

interface ScreenLook {
  readonly turn: StoreTurn | null;
  readonly lost: MachineError | null;
}

/** When to look, what became of the store, and why it cannot be looked at any more. */
async function* looks(context: CommandContext, signal: AbortSignal, retryMs: number): AsyncGenerator<ScreenLook> {
  const { machines, agents, shared } = context.paths;
  if (shared === undefined) {
    for await (const _touched of folderLooks([machines, agents], { signal, gapMs: FRAME_MS }))
      yield { turn: null, lost: null };
  } else {
    yield* shared.looks({ signal, gapMs: FRAME_MS, rescanMs: RESCAN_MS, retryMs });
  }
}

/** `12:15:07Z`: a word of the store may stand there for a while. */
function clockText(now: Date): string {
  return `${now.toISOString().slice(11, 19)}Z`;
}

async function linesNow(context: CommandContext, input: FleetQuestion): Promise<readonly string[]> {
  const fleet = await readFleet(context, input);
  if (!fleet.ok) return [printableLine(fleet.error.problem.message)];
  const { roles, notes } = fleet.value;
  const problems = roles.flatMap(({ problem }) => problem?.message ?? []);
  const said = [...notes, ...problems, ...stuckNotes(roles, context.invokedAs)];
  return [
    ...fleetText(fleet.value).trimEnd().split("\n"),
    ...(said.length === 0 ? [] : ["", ...said.map(printableLine)]),
  ];
}

/** As many lines as there is room for above the last one, which says how to leave, what is not shown, and a word of the store. */
function framed(lines: readonly string[], rows: number, word: string): readonly string[] {
  const room = Math.max(1, rows - 1);
  const more = lines.length - room;
  const last = [
    "q quits",
    ...(more > 0 ? [`${plural(more, "more line")} below, --filter shows fewer`] : []),
    ...(word === "" ? [] : [word]),
  ];
  return [...lines.slice(0, room), printableLine(last.join("; "))];
}
