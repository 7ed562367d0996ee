import { err, ok, type Result } from "../base/result.ts";

/** What we read of a hook's payload; a client sends more keys, and more with every version. */
export interface HookPayload {
  readonly event: string | null;
  readonly sessionId: string | null;
  readonly transcriptPath: string | null;
  readonly cwd: string | null;
  /** PreCompact: `manual` or `auto`. */
  readonly trigger: string | null;
  /** SessionStart: `startup`, `resume`, `clear`, `compact`, `fork`. */
  readonly source: string | null;
  /** All of it, for a hook that reads more: values as they came. */
  readonly fields: ReadonlyMap<string, unknown>;
}

/** A session's id becomes part of what we write: anything but such a name is taken for absent. */
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Reads a payload; a sentence where the bytes hold no JSON object. A BOM is dropped, the bytes are UTF-8 whatever the locale. */
export function parsePayload(bytes: Buffer): Result<HookPayload | null, string> {
  const text = bytes
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .trim();
  if (text === "") return ok(null);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return err("standard input is not JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return err("standard input is no JSON object");
  const fields = new Map<string, unknown>(Object.entries(value));
  const text_ = (key: string): string | null => {
    const field = fields.get(key);
    return typeof field === "string" && field !== "" && !field.includes("\0") ? field : null;
  };
  const sessionId = text_("session_id");
  return ok({
    event: text_("hook_event_name"),
    sessionId: sessionId !== null && SESSION_ID.test(sessionId) ? sessionId : null,
    transcriptPath: text_("transcript_path"),
    cwd: text_("cwd"),
    trigger: text_("trigger"),
    source: text_("source"),
    fields,
  });
}

/** Tab, newline, carriage return, blank: what JSON allows behind a value. */
const JSON_BLANKS: ReadonlySet<number> = new Set([9, 10, 13, 32]);

/** Whether the bytes already hold one whole JSON object: a client may keep its end of the pipe open. */
export function isWholePayload(bytes: Buffer): boolean {
  let end = bytes.length - 1;
  while (end >= 0 && JSON_BLANKS.has(bytes[end] ?? 0)) end -= 1;
  if (bytes[end] !== 125) return false;
  try {
    JSON.parse(bytes.toString("utf8", 0, end + 1).replace(/^\uFEFF/, ""));
    return true;
  } catch {
    return false;
  }
}
