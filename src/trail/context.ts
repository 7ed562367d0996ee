import type { Activity, ToolCall } from "../transcript/activity.ts";
import type { EntryOrigin } from "../transcript/entry.ts";
import { type PathHome, partsBelow, resolvePath } from "../transcript/path-text.ts";
import { type Cleaner, cleaner } from "./clean-text.ts";
import type { Place, Since } from "./model.ts";

export interface TrailOptions extends PathHome {
  /** The session's working directory, for records without one; the root when null. */
  readonly cwd: string | null;
  readonly since: Since;
  /** False where what was read is the end of a longer session: its first request is not known. */
  readonly whole: boolean;
  /** A person's own patterns of secrets. */
  readonly redactPatterns?: readonly RegExp[];
}

/** A tool call where it stands. */
export type Call = ToolCall & EntryOrigin;

/** An activity with what every part of the trail asks about it. */
export interface Step {
  readonly activity: Activity;
  /** Position among all activities. */
  readonly index: number;
  /** Since the place from which the trail tells what was done. */
  readonly inside: boolean;
  /** Of the agent whose trail this is, not of one of its sub-agents. */
  readonly main: boolean;
}

export interface TrailContext extends PathHome, Cleaner {
  /** The folder that an activity's paths are relative to. */
  readonly cwdOf: (origin: EntryOrigin) => string;
  /** A path as one spelling, absolute. */
  readonly resolve: (path: string, base: string) => string;
  /** A resolved path as it is shown. */
  readonly shown: (resolved: string) => string;
}

/** The context of one trail; what it works out it remembers. */
export function trailContext(options: TrailOptions): TrailContext {
  const places = { root: options.root, home: options.home };
  const root = resolvePath(options.root, "/", places);
  const resolveFrom = remembered((base) => remembered((path) => resolvePath(path, base, places)));
  const texts = cleaner(options.redactPatterns ?? []);
  return {
    ...places,
    ...texts,
    cwdOf: (origin) => origin.cwd ?? options.cwd ?? options.root,
    resolve: (path, base) => resolveFrom(base)(path),
    shown: remembered((resolved) => {
      const parts = partsBelow(resolved, root);
      return texts.clean(parts === null ? resolved : parts.join("/") || ".", LONGEST_PATH);
    }),
  };
}

/** A session works on few files in few folders, again and again. */
function remembered<T>(compute: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = compute(key);
    known.set(key, value);
    return value;
  };
}

// Longer than any file system takes: a path is shown whole or it is none.
const LONGEST_PATH = 4_096;

/** The row, and the time where it is one. */
export function placeOf({ row, timestamp }: EntryOrigin): Place {
  return { row, at: timestamp !== null && ISO_TIME.test(timestamp) ? timestamp : null };
}

const ISO_TIME =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:[0-9]{2})?$/;

/** Whether a person refused or stopped the call; the client reports that as a failure. */
export function isRejected(call: Call): boolean {
  return call.outcome === "failed" && (REJECTED.test(call.result) || isInterrupted(call));
}

const REJECTED = /^(?:The user doesn't want to (?:proceed with|take) this|User rejected)/;

/** Whether a person stopped the agent while the call was under way. */
export function isInterrupted(call: Call): boolean {
  return call.outcome === "failed" && call.result.startsWith("[Request interrupted by user");
}

/** Whether the client called it off, since another call of the same message failed or was refused. */
export function isCalledOff(call: Call): boolean {
  return call.outcome === "failed" && CALLED_OFF.test(call.result);
}

const CALLED_OFF = /^(?:<tool_use_error>)?(?:Cancelled: parallel tool call|Sibling tool call errored)/;

/** What the person said when they refused a call; null where they said nothing. */
export function remarkOn(call: Call): string | null {
  if (!isRejected(call)) return null;
  const at = call.result.indexOf(REMARK);
  return at === -1 ? null : call.result.slice(at + REMARK.length).trim() || null;
}

const REMARK = "the user said:";
