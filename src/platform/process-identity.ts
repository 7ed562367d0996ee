import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { isFsError, orNull } from "./fs-error.ts";
import { procStat, readProc } from "./proc-stat.ts";

/** Tells one process from every other, on this machine and others, now and after a restart of the machine. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since boot at which the process started, from `/proc`; null where the system does not tell. */
  readonly started: string | null;
  /** The kernel's id of this boot; null where the system does not tell. */
  readonly boot: string | null;
  readonly host: string;
  /**
   * The kernel's number of the process's own numbering (its pid namespace), in a sandbox or a container; absent outside of
   * one. The same number of another numbering is another process.
   */
  readonly space?: string;
}

let ownIdentity: ProcessIdentity | null = null;

/** The identity of this process, worked out once. */
export function ownProcess(): ProcessIdentity {
  ownIdentity ??= {
    pid: process.pid,
    started: startOf(process.pid).ticks,
    boot: bootId(),
    host: hostname(),
    ...ownSpace(),
  };
  return ownIdentity;
}

/**
 * Whether that process is certainly gone. A process of another host or another numbering, or one that cannot be told from a
 * living one, counts as alive: waiting too long costs seconds, robbing a living owner costs data.
 */
export function isDead(owner: ProcessIdentity): boolean {
  const own = ownProcess();
  if (owner.host !== own.host) return false;
  if (isOfOtherBoot(owner)) return true;
  if (owner.space !== own.space) return false;
  // No system has larger numbers, and of one that is, nobody says that it is gone.
  if (owner.pid !== (owner.pid | 0) || owner.pid <= 0) return true;
  const { ticks } = startOf(owner.pid);
  // Another process got the number since.
  if (owner.started !== null && ticks !== null && owner.started !== ticks) return true;
  return !isRunning(owner.pid);
}

/** Whether the process ran, under this host's name, while another kernel ran than now. */
export function isOfOtherBoot({ host, boot }: ProcessIdentity): boolean {
  const own = ownProcess();
  return host === own.host && boot !== null && own.boot !== null && boot !== own.boot;
}

/** Whether the process runs, or ran, on this very kernel, where its number says nothing here. */
export function isOfOtherSpace({ host, boot, space }: ProcessIdentity): boolean {
  const own = ownProcess();
  return host === own.host && boot === own.boot && space !== own.space;
}

/** Whether a process of this host has that number and has not ended. */
export function isRunning(pid: number): boolean {
  // A killed process whose parent does not ask for its end keeps its number for as long as the parent lives.
  if (startOf(pid).ended) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !isFsError(error) || error.code !== "ESRCH";
  }
}

/** Whether a process still runs, as far as this machine can tell: one of another host may or may not. */
export type ProcessLife = "running" | "ended" | "unknown";

export function lifeOf(process: ProcessIdentity): ProcessLife {
  if (isDead(process)) return "ended";
  // Without the time of its start, another process could have got the number since.
  const own = ownProcess();
  const isTold = process.host === own.host && process.space === own.space && process.started !== null;
  return isTold ? "running" : "unknown";
}

/** An identity in one line without blanks of its own: number, start, boot (and numbering), host. */
export function processText({ pid, started, boot, host, space }: ProcessIdentity): string {
  return `${pid}/${started ?? ""}/${boot ?? ""}${space === undefined ? "" : `@${space}`}/${host}`;
}

/** The identity that `processText` wrote; null for any other text. */
export function parseProcess(text: string): ProcessIdentity | null {
  const [, pid, started, boot, space, host] =
    /^([1-9]\d{0,9})\/(\d{0,20})\/([0-9a-f-]{0,64})(?:@(\d{1,20}))?\/(.+)$/.exec(text) ?? [];
  if (pid === undefined || started === undefined || boot === undefined || host === undefined) return null;
  const known = { pid: Number(pid), started: started || null, boot: boot || null, host };
  return space === undefined ? known : { ...known, space };
}

/** Processes between a hook and its client are a shell or two; a deeper nest is none that starts hooks. */
const MOST_ANCESTORS = 32;

/** The nearest ancestor of this process that runs under such a name; null where there is none or the system does not tell. */
export function nearestAncestor(isWanted: (name: string) => boolean): ProcessIdentity | null {
  let pid = process.ppid;
  for (let steps = 0; steps < MOST_ANCESTORS && pid > 1; steps++) {
    const stat = startOf(pid);
    if (stat.ticks === null) return null;
    if (stat.name !== null && isWanted(programName(pid, stat.name))) {
      return { pid, started: stat.ticks, boot: bootId(), host: hostname(), ...ownSpace() };
    }
    pid = stat.parent;
  }
  return null;
}

/**
 * The name of a process, by what `/proc/<pid>/stat` calls it: that is its main thread's, and Node calls every program's
 * `MainThread` (24) or `node-MainThread` (26). Such a one is named as it was started, by the last part of its first word.
 */
export function programName(pid: number, threadName: string): string {
  if (threadName !== "MainThread" && threadName !== "node-MainThread") return threadName;
  const [word = ""] = (readProc(`/proc/${pid}/cmdline`) ?? "").split("\0");
  return word.slice(word.lastIndexOf("/") + 1) || threadName;
}

let tokens = 0;

/** A name part that no other process and no other call uses. */
export function uniqueToken(): string {
  tokens += 1;
  const random = Math.floor(Math.random() * 36 ** 6).toString(36);
  return `${process.pid}-${Date.now().toString(36)}-${tokens}${random}`;
}

interface ProcessStat {
  readonly ticks: string | null;
  readonly ended: boolean;
  readonly name: string | null;
  /** 0 where there is none. */
  readonly parent: number;
}

/** Fields 2, 3, 4 and 22. */
function startOf(pid: number): ProcessStat {
  const stat = procStat(pid);
  if (stat === null) return { ticks: null, ended: false, name: null, parent: 0 };
  const { name, fields } = stat;
  return {
    ticks: fields[19] ?? null,
    ended: fields[0] === "Z" || fields[0] === "X",
    name,
    parent: Number(fields[1]) || 0,
  };
}

/** `PROC_PID_INIT_INO` of the kernel's `include/linux/proc_ns.h`: the numbering that every machine begins with. */
const FIRST_SPACE = "4026531836";

function ownSpace(): { readonly space?: string } {
  const link = orNull(() => readlinkSync("/proc/self/ns/pid")) ?? "";
  const space = /^pid:\[(\d{1,20})\]$/.exec(link)?.[1];
  return space === undefined || space === FIRST_SPACE ? {} : { space };
}

function bootId(): string | null {
  return readProc("/proc/sys/kernel/random/boot_id")?.trim() ?? null;
}
