import { dirname, join } from "node:path";
import { isObject, parseJson, stringAt } from "../base/json-value.ts";
import { isSessionId } from "../base/session-id.ts";
import { readHead } from "../platform/read-head.ts";
import { rowText, tailLines } from "../platform/tail.ts";
import { isWorthParsing, TRANSCRIPT_WINDOW } from "../transcript/row.ts";

/** A session that goes on under another id every few minutes for an hour. */
const MOST_LEGS = 16;

/**
 * Where a session that went on under another id is written now: a client may still name the file of the earlier leg, whose
 * last record then bears the id of the next. The last file that exists; the one given where its last record is its own.
 */
export function latestLeg(path: string): string {
  const seen = new Set([path]);
  let at = path;
  for (let leg = 0; leg < MOST_LEGS; leg++) {
    const last = lastRecord(at);
    if (last === null || !isSessionId(last.session)) return at;
    const next = join(dirname(at), `${last.session}.jsonl`);
    // A fork begins with its parent's records: what began earlier is where it came from, not where it went.
    const began = seen.has(next) ? null : firstTime(next);
    if (began === null || last.time === null || began < last.time) return at;
    seen.add(next);
    at = next;
  }
  return at;
}

function lastRecord(path: string): { readonly session: string; readonly time: string | null } | null {
  const tail = tailLines(path, { ...TRANSCRIPT_WINDOW, maxLines: 2, keep: isWorthParsing });
  if (!tail.ok) return null;
  for (const { text, terminated } of tail.value.lines.toReversed()) {
    const record = terminated ? parseJson(rowText(text)) : null;
    const session = isObject(record) ? stringAt(record, "sessionId") : null;
    if (isObject(record) && session !== null) return { session, time: stringAt(record, "timestamp") };
  }
  return null;
}

const HEAD_BYTES = 64 * 1024;

/** The time of a file's first record that has one, ISO 8601; null where there is no such file. */
function firstTime(path: string): string | null {
  const head = readHead(path, HEAD_BYTES) ?? "";
  return /"timestamp":"(\d{4}-\d\d-\d\dT[\d:.]{8,16}Z)"/.exec(head)?.[1] ?? null;
}
