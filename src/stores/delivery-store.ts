import { linkSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isoText } from "../base/iso-text.ts";
import { isObject, parseJson, stringAt } from "../base/json-value.ts";
import { valueOr } from "../base/result.ts";
import { temporaryPrefix, tryUnlink, writeWhole } from "../platform/atomic-write.ts";
import { realPathInside } from "../platform/contain.ts";
import { errnoOf, orNull } from "../platform/fs-error.ts";
import { makeFolders } from "../platform/make-folders.ts";
import { uniqueToken } from "../platform/process-identity.ts";
import { readText } from "../platform/read-text.ts";
import { statOf } from "../platform/stat-of.ts";
import { sweepAbandoned } from "../platform/sweep.ts";
import { listFolder } from "./list-folder.ts";
import type { ProjectPaths } from "./paths.ts";

/** What a hook command is about to print, for one event of one session. */
export interface Delivery {
  /** Checked where the payload was read: it is a file's name here. */
  readonly sessionId: string;
  /** `session-start.1.2040`: a command of ours, with its part, and how long the transcript is, which tells most events apart. */
  readonly what: string;
  /** What tells others of that length apart: the source, and the client where that matters. */
  readonly event: string;
  /** The client writes while its hooks answer this event: the second may find a longer transcript than the first, or find one. */
  readonly growing: boolean;
  /** The installation that prints it. */
  readonly by: string;
}

/**
 * The installation that just printed the same for the same event: another one (a plugin beside the project's own hooks), or
 * this one; null where none did.
 */
export function deliveredBy(paths: ProjectPaths, delivery: Delivery, now: Date): string | null {
  const folder = join(paths.cache, "deliveries");
  const name = join(folder, `${delivery.sessionId}.${delivery.what}`);
  if (realPathInside(paths.root, name) === null) return null;
  const text = `${JSON.stringify({ event: delivery.event, by: delivery.by, at: isoText(now) })}\n`;
  const draft = join(folder, `${temporaryPrefix(name)}${uniqueToken()}.tmp`);
  try {
    makeFolders(folder, 0o700);
    writeFileSync(draft, text, NEW);
    for (let count = 1; ; count++) {
      // An event like one that is long over has a mark of its own: that can be made once, and written over by two.
      const path = count === 1 ? name : `${name}.${count}`;
      if (isMade(path, draft, text)) {
        const names = tidied(folder, basename(name), now);
        return delivery.growing ? justBefore(folder, names, delivery, now) : null;
      }
      const last = readDelivery(path);
      const age = last === null ? Number.NaN : now.getTime() - Date.parse(last.at);
      if (last?.event !== delivery.event || !(age >= -TOGETHER_MS && age <= TOGETHER_MS)) continue;
      if (last.by === delivery.by) writeWhole(path, text, { mode: 0o600, root: paths.root, durable: false });
      return last.by;
    }
  } catch (error) {
    // What cannot be written down cannot be known: twice is better than not at all.
    if (errnoOf(error) === null) throw error;
    return null;
  } finally {
    tryUnlink(draft);
  }
}

/** When what a name begins with was printed last, and for which event, as its mark says; null where there is none. */
export function lastDelivery(
  paths: ProjectPaths,
  name: string,
): { readonly at: string; readonly event: string } | null {
  const folder = join(paths.cache, "deliveries");
  const marks = valueOr(listFolder(folder), []).flatMap((file) => {
    return (file.startsWith(name) && readDelivery(join(folder, file))) || [];
  });
  return marks.sort((a, b) => (a.at < b.at ? -1 : 1)).at(-1) ?? null;
}

const NEW = { flag: "wx", mode: 0o600 } as const;

/** False where the name exists. It shows the whole text at once: the other one, at the same moment, reads who was first. */
function isMade(path: string, draft: string, text: string): boolean {
  try {
    // Where no file can have two names it stands without the text for a moment.
    if (orNull(() => linkSync(draft, path)) === null) writeFileSync(path, text, NEW);
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Hooks of one event run side by side, and the slowest is given up after a minute. */
const TOGETHER_MS = 60_000;
const DELIVERY_MAX_BYTES = 64 * 1024;
const KEPT = 64;
const OLD_MS = 3600 * 1000;

/** Hooks of one event are started at once; no compaction, summary and start are over so soon. */
const JUST_BEFORE_MS = 2_000;

/** Who printed the same a moment ago, when the transcript was shorter; null where nobody did. */
function justBefore(
  folder: string,
  names: readonly string[],
  { sessionId, what, event }: Delivery,
  now: Date,
): string | null {
  const end = what.lastIndexOf(".") + 1;
  const stem = `${sessionId}.${what.slice(0, end)}`;
  const length = lengthIn(what.slice(end));
  for (const name of names) {
    if (!name.startsWith(stem) || !(lengthIn(name.slice(stem.length)) < length)) continue;
    const path = join(folder, name);
    if (now.getTime() - (statOf(path)?.mtimeMs ?? 0) > JUST_BEFORE_MS) continue;
    const mark = readDelivery(path);
    if (mark?.event === event && Math.abs(now.getTime() - Date.parse(mark.at)) <= JUST_BEFORE_MS) return mark.by;
  }
  return null;
}

/** Before the transcript is there it is shorter than any. */
function lengthIn(text: string): number {
  return text.startsWith("-") ? -1 : Number(text);
}

function readDelivery(path: string): { readonly event: string; readonly by: string; readonly at: string } | null {
  const file = readText(path, DELIVERY_MAX_BYTES, "refuse");
  const value = file.ok ? parseJson(file.value.text) : null;
  if (!isObject(value)) return null;
  const [event, by, at] = [stringAt(value, "event"), stringAt(value, "by"), stringAt(value, "at")];
  return event === null || by === null || at === null ? null : { event, by, at };
}

/** One small file for each event and part: those that are long over go, but for the ones that `mine` is numbered behind. The names that were there. */
function tidied(folder: string, mine: string, now: Date): readonly string[] {
  let names: readonly string[] = [];
  try {
    // What a writer that was killed left behind.
    sweepAbandoned(folder, "", now);
    names = readdirSync(folder);
    if (names.length <= KEPT) return names;
    for (const name of names) {
      const path = join(folder, name);
      if (!name.startsWith(mine) && now.getTime() - statSync(path).mtimeMs > OLD_MS) tryUnlink(path);
    }
  } catch (error) {
    // Another process tidies at the same time.
    if (errnoOf(error) === null) throw error;
  }
  return names;
}
