import { isArray, isObject, type JsonObject, parseJson, stringAt } from "../base/json-value.ts";
import { ourCommand } from "../install/our-hooks.ts";
import type { RecordedRun } from "./facts.ts";

/** Whether a row of a transcript, by its first bytes, can be what the client noted about a hook. */
export function isHookRow(head: string): boolean {
  return head.includes('"attachment":{"type":"hook_');
}

/** What a transcript tells of hooks: runs of ours, and the texts that the client passed on. */
export interface HookRows {
  readonly runs: readonly RecordedRun[];
  /** Where the texts of hooks were passed on, in milliseconds since the epoch. */
  readonly texts: readonly { readonly at: number | null; readonly text: string }[];
}

/** Reads the hook records of one transcript; rows that are none are passed over. Runs that failed have other names in other versions. */
export function readHookRows(
  transcript: string,
  rows: readonly string[],
  isOurs: (command: string) => boolean = (command) => ourCommand(command, NONE) !== null,
): HookRows {
  const found: { run: RecordedRun; row: number }[] = [];
  const texts: { at: number | null; text: string; row: number }[] = [];
  for (const [row, line] of rows.entries()) {
    const record = objectIn(line);
    const attachment = record?.attachment;
    if (record === null || !isObject(attachment)) continue;
    const type = stringAt(attachment, "type") ?? "";
    const at = timeOf(record);
    if (type === "hook_additional_context") {
      const content = isArray(attachment.content) ? attachment.content : [attachment.content];
      for (const text of content) if (typeof text === "string") texts.push({ at, text, row });
      continue;
    }
    const command = stringAt(attachment, "command");
    if (!type.startsWith("hook_") || command === null || !isOurs(command)) continue;
    const ms = attachment.durationMs;
    const exit = attachment.exitCode;
    const failed = type !== "hook_success" || (typeof exit === "number" && exit !== 0);
    const run: RecordedRun = {
      transcript,
      name: stringAt(attachment, "hookName") ?? stringAt(attachment, "hookEvent") ?? "unknown",
      command,
      ms: typeof ms === "number" && ms >= 0 ? ms : null,
      at,
      outcome: failed ? "failed" : "success",
      text: failed ? null : contextIn(stringAt(attachment, "stdout") ?? ""),
      seen: "none",
    };
    found.push({ run, row });
  }
  return {
    runs: found.map(({ run, row }) => ({
      ...run,
      seen: seenOf(
        run.text,
        texts.filter((text) => text.row > row),
      ),
    })),
    texts,
  };
}

const NONE: ReadonlySet<string> = new Set();

/** A text that the client cut is passed on by its beginning. */
const PREFIX = 200;

function seenOf(text: string | null, later: readonly { readonly text: string }[]): RecordedRun["seen"] {
  if (text === null) return "whole";
  if (later.some((passed) => passed.text.includes(text))) return "whole";
  return later.some((passed) => passed.text.includes(text.slice(0, PREFIX))) ? "cut" : "none";
}

function contextIn(stdout: string): string | null {
  const value = objectIn(stdout);
  const output = value?.hookSpecificOutput;
  const text = isObject(output) ? stringAt(output, "additionalContext") : null;
  return text === "" ? null : text;
}

function timeOf(record: JsonObject): number | null {
  const at = Date.parse(stringAt(record, "timestamp") ?? "");
  return Number.isNaN(at) ? null : at;
}

/** Null for a row that was being written, or an answer in plain text. */
function objectIn(text: string): JsonObject | null {
  const value = parseJson(text);
  return isObject(value) ? value : null;
}
