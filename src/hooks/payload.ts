import { isObject, parseJson } from "../base/json-value.ts";
import { err, ok, type Result } from "../base/result.ts";
import { isSessionId } from "../base/session-id.ts";

/** What we read of a hook's payload; a client sends more keys, and more with every version. */
export interface HookPayload {
  readonly event: string | null;
  /** Null too where it could not be part of what we write. */
  readonly sessionId: string | null;
  readonly transcriptPath: string | null;
  readonly cwd: string | null;
  /** Of the sub-agent that the event is about, where the client says so: its main line's role, work and gate are not its own. */
  readonly agentId: string | null;
  /** PreCompact: `manual` or `auto`. */
  readonly trigger: string | null;
  /** SessionStart: `startup`, `resume`, `clear`, `compact`, `fork`. */
  readonly source: string | null;
  /** All of it, for a hook that reads more: values as they came. */
  readonly fields: ReadonlyMap<string, unknown>;
}

/**
 * Reads a payload; a sentence where the bytes hold no JSON object. A BOM is dropped, the bytes are UTF-8 whatever the locale.
 * A transcript in `~` is in the home folder: the client's documents, and those who call hooks by hand, write it so.
 */
export function parsePayload(bytes: Buffer, home = "~"): Result<HookPayload | null, string> {
  const text = withoutMark(bytes.toString()).trim();
  if (text === "") return ok(null);
  const value = parseJson(text) ?? parseJson(firstValue(bytes));
  if (value === undefined) return err("standard input is not JSON");
  if (!isObject(value)) return err("standard input is no JSON object");
  const fields = new Map<string, unknown>(Object.entries(value));
  const text_ = (key: string): string | null => {
    const field = fields.get(key);
    return typeof field === "string" && field !== "" && !field.includes("\0") ? field : null;
  };
  const [sessionId, transcript] = [text_("session_id"), text_("transcript_path")];
  return ok({
    event: text_("hook_event_name"),
    sessionId: sessionId !== null && isSessionId(sessionId) ? sessionId : null,
    transcriptPath: transcript?.startsWith("~/") ? home + transcript.slice(1) : transcript,
    cwd: text_("cwd"),
    agentId: text_("agent_id"),
    trigger: text_("trigger"),
    source: text_("source"),
    fields,
  });
}

/** Who writes more than one value at once has written the first one before: it is acted on as if the others came later. */
function firstValue(bytes: Buffer): string {
  const scan: Scan = { at: 0, depth: 0, inText: false, end: null };
  goOn(scan, bytes);
  return withoutMark(bytes.toString(undefined, 0, scan.end ?? bytes.length));
}

/**
 * Tells of bytes that grow, call by call, when they hold one whole JSON object or array: a client may keep its end of the
 * pipe open. Beside the first piece, which mostly is all, each byte is looked at once: to parse everything anew with each piece of
 * a large one would take seconds.
 */
export function payloadWatch(): (bytes: Buffer) => boolean {
  const scan: Scan = { at: 0, depth: 0, inText: false, end: null };
  let isFirst = true;
  return (bytes) => {
    if (isFirst && isJson(bytes)) return true;
    isFirst = false;
    if (scan.end !== null) return false;
    goOn(scan, bytes);
    return scan.end !== null && isJson(bytes.subarray(0, scan.end));
  };
}

/** Where the first object or array of a JSON text ends is looked for. */
interface Scan {
  at: number;
  depth: number;
  inText: boolean;
  /** Behind its last bracket; null where that has not come. */
  end: number | null;
}

function goOn(scan: Scan, bytes: Buffer): void {
  for (; scan.at < bytes.length && scan.end === null; scan.at += 1) {
    const unit = bytes[scan.at];
    if (scan.inText) {
      // The character behind it may be in the next piece: it is passed over there.
      if (unit === BACKSLASH) scan.at += 1;
      else if (unit === QUOTE) scan.inText = false;
    } else if (unit === QUOTE) scan.inText = true;
    else if (unit === BRACE || unit === BRACKET) scan.depth += 1;
    else if (unit === BRACE_END || unit === BRACKET_END) {
      scan.depth -= 1;
      if (scan.depth <= 0) scan.end = scan.at + 1;
    }
  }
}

/**
 * Whether a byte order mark came and no payload with it: shells that put one before everything send it where they had
 * nothing to send. Who sends no byte at all asks as the hooks without payloads were asked.
 */
export function isLoneMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes.toString().trim() === "";
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACKET = 0x5b;
const BRACKET_END = 0x5d;
const BRACE = 0x7b;
const BRACE_END = 0x7d;
/** Tab, newline, carriage return, blank: what JSON allows behind a value. */
const JSON_BLANKS = [0x09, 0x0a, 0x0d, 0x20];

/** Whether this is an object or an array, and nothing else. */
function isJson(bytes: Buffer): boolean {
  let end = bytes.length;
  while (JSON_BLANKS.includes(bytes[end - 1] ?? 0)) end -= 1;
  const last = bytes[end - 1];
  if (last !== BRACE_END && last !== BRACKET_END) return false;
  return parseJson(withoutMark(bytes.toString(undefined, 0, end))) !== undefined;
}

function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}
