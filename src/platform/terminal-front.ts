import { readdirSync, readlinkSync } from "node:fs";
import { orNull } from "./fs-error.ts";
import { procStat } from "./proc-stat.ts";
import { programName } from "./process-identity.ts";

/** Whether what is typed on a terminal reaches a process, as far as the system tells. */
export type Front =
  | { readonly kind: "in-front" }
  /** It does not run under the process that the terminal was opened for. */
  | { readonly kind: "elsewhere" }
  /** It runs there, but another program has the keyboard, such as the shell after a Ctrl-Z. */
  | { readonly kind: "behind" }
  | { readonly kind: "stopped" }
  /** A program that it started reads the keyboard, such as an editor. */
  | { readonly kind: "lent"; readonly to: string }
  | { readonly kind: "unknown" };

export interface TerminalOfPane {
  /** The process that the terminal was opened for. */
  readonly pid: number;
  /** Its device, such as `/dev/pts/3`. */
  readonly tty: string;
}

/** A deeper nest of processes is none that a person set up. */
const MOST_ANCESTORS = 64;

/** Whether a process is the one that reads a terminal's keyboard. */
export function frontOf(pid: number, terminal: TerminalOfPane): Front {
  const chain = ancestry(pid);
  const [own] = chain;
  if (own === undefined) return { kind: "unknown" };
  const end = chain.findIndex((one) => one.pid === terminal.pid);
  if (end === -1) return { kind: "elsewhere" };
  let terminalBelow: number | null = null;
  for (const one of chain.slice(0, end + 1)) {
    // A program that runs another one on a terminal of its own (script, sudo) has to be in front itself.
    if (one.tty === terminalBelow) continue;
    terminalBelow = one.tty;
    if (one.state === "T" || one.state === "t") return { kind: "stopped" };
    if (one.group !== one.frontGroup) return { kind: "behind" };
  }
  const to = readerBeside(own, new Set(chain.map((one) => one.pid)), terminal.tty);
  return to === null ? { kind: "in-front" } : { kind: "lent", to };
}

/**
 * The name of the process that leads the group in front of a terminal, as the system has it; null where it does not tell.
 * tmux makes one up from the command line, up to its first blank, which a folder on the way may hold.
 */
export function frontProgram({ pid }: Pick<TerminalOfPane, "pid">): string | null {
  const opened = statOf(pid);
  const front = opened === null || opened.frontGroup <= 0 ? null : statOf(opened.frontGroup);
  return front === null ? null : programName(front.pid, front.name);
}

/** The numbers of a process and of all above it, nearest first; none where the system does not tell. */
export function ancestorsOf(pid: number): readonly number[] {
  return ancestry(pid).map((one) => one.pid);
}

function ancestry(pid: number): readonly Stat[] {
  const chain: Stat[] = [];
  for (let next = pid; next > 0 && chain.length < MOST_ANCESTORS; ) {
    const stat = statOf(next);
    if (stat === null) break;
    chain.push(stat);
    next = stat.parent;
  }
  return chain;
}

/** The name of another process of the same group that has the terminal as its standard input; those above only wait. */
function readerBeside(own: Stat, above: ReadonlySet<number>, tty: string): string | null {
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || above.has(pid)) continue;
    const stat = statOf(pid);
    if (stat === null || stat.tty !== own.tty || stat.group !== own.frontGroup || stat.state === "Z") continue;
    // It may have ended, or be another user's.
    if (orNull(() => readlinkSync(`/proc/${pid}/fd/0`)) === tty) return programName(pid, stat.name);
  }
  return null;
}

interface Stat {
  readonly pid: number;
  readonly name: string;
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly tty: number;
  /** The group that its terminal's keys go to. */
  readonly frontGroup: number;
}

/** Fields 2 to 8. */
function statOf(pid: number): Stat | null {
  const stat = procStat(pid);
  if (stat === null) return null;
  const [state = "", parent, group, , tty, frontGroup] = stat.fields;
  return {
    pid,
    name: stat.name,
    state,
    parent: Number(parent),
    group: Number(group),
    tty: Number(tty),
    frontGroup: Number(frontGroup),
  };
}
