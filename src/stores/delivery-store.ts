import { linkSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, parseJson, stringAt } from "../base/json-value.ts";
import { temporaryPrefix, tryUnlink, writeWhole } from "../platform/atomic-write.ts";
import { realPathInside } from "../platform/contain.ts";
import { errnoOf } from "../platform/fs-error.ts";
import { makeFolders } from "../platform/make-folders.ts";
import { uniqueToken } from "../platform/process-identity.ts";
import { readText } from "../platform/read-text.ts";
import { sweepAbandoned } from "../platform/sweep.ts";
import type { ProjectPaths } from "./paths.ts";

/** What a hook command is about to print, for one event of one session. */
export interface Delivery {
  /** Checked where the payload was read: it is a file's name here. */
  readonly sessionId: string;
  /** `session-start.1.2040`: a command of ours, with its part, and how long the transcript is, which tells most events apart. */
  readonly what: string;
  /** What tells others of that length apart: the source. */
  readonly event: string;
  /** The installation that prints it. */
  readonly by: string;
}

/**
 * Whether the same was just printed for the same event: by `another` installation of this program (a plugin beside the
 * project's own hooks), by the `same` one, or not.
 */
export function deliveredBy(paths: ProjectPaths, delivery: Delivery, now: Date): "another" | "same" | null {
  const folder = join(paths.cache, "deliveries");
  const path = join(folder, `${delivery.sessionId}.${delivery.what}`);
  if (realPathInside(paths.root, path) === null) return null;
  const text = `${JSON.stringify({ event: delivery.event, by: delivery.by, at: now.toISOString() })}\n`;
  const draft = join(folder, `${temporaryPrefix(path)}${uniqueToken()}.tmp`);
  try {
    makeFolders(folder, 0o700);
    writeFileSync(draft, text, NEW);
    try {
      // Fails where the name exists, and shows the whole text at once: the other one, at the same moment, reads who was first.
      linkSync(draft, path);
    } catch (error) {
      if (errnoOf(error) === "EEXIST") throw error;
      // No file can have two names here.
      writeFileSync(path, text, NEW);
    }
    forgetOld(folder, now);
    return null;
  } catch (error) {
    const code = errnoOf(error);
    if (code === null) throw error;
    // What cannot be written down cannot be known: twice is better than not at all.
    if (code !== "EEXIST") return null;
  } finally {
    tryUnlink(draft);
  }
  const file = readText(path, DELIVERY_MAX_BYTES, "refuse");
  const last = file.ok ? parseDelivery(file.value.text) : null;
  const age = last === null ? Number.NaN : now.getTime() - Date.parse(last.at);
  const together = last?.event === delivery.event && age >= -TOGETHER_MS && age <= TOGETHER_MS;
  if (together && last.by !== delivery.by) return "another";
  writeWhole(path, text, { mode: 0o600, root: paths.root, folderMode: 0o700, durable: false });
  return together ? "same" : null;
}

const NEW = { flag: "wx", mode: 0o600 } as const;

/** Hooks of one event run side by side, and the slowest is given up after a minute. */
const TOGETHER_MS = 60_000;
const DELIVERY_MAX_BYTES = 64 * 1024;
const KEPT = 64;
const OLD_MS = 3600 * 1000;

function parseDelivery(text: string): { readonly event: string; readonly by: string; readonly at: string } | null {
  const value = parseJson(text);
  if (!isObject(value)) return null;
  const [event, by, at] = [stringAt(value, "event"), stringAt(value, "by"), stringAt(value, "at")];
  return event === null || by === null || at === null ? null : { event, by, at };
}

/** One small file for each event and part: those that are long over go. */
function forgetOld(folder: string, now: Date): void {
  let names: readonly string[];
  try {
    // What a writer that was killed left behind.
    sweepAbandoned(folder, "", now);
    names = readdirSync(folder);
    if (names.length <= KEPT) return;
    for (const name of names) {
      const path = join(folder, name);
      if (now.getTime() - statSync(path).mtimeMs > OLD_MS) tryUnlink(path);
    }
  } catch (error) {
    // Another process tidies at the same time.
    if (errnoOf(error) === null) throw error;
  }
}
