import type { MachineName } from "./role.ts";
import { isKey, type MachineRecord, readRecord } from "./snapshot.ts";

/** No control character but the end of a line, and nothing that a shell would take for more than a value. */
const PLAIN_TEXT = /^[\n -~]*\n$/;
const PLAIN_VALUE = /^(?:[A-Za-z0-9_./:+-]*|'[ -&(-~]*')$/;

/**
 * The record in an env file of the form that this program writes, ASCII and a key a line; null for everything else, which
 * `parseMachine` reads. Many times as fast: nothing is kept for a rewrite.
 */
export function parsePlainRecord(text: string, machine: MachineName): MachineRecord | null {
  if (!PLAIN_TEXT.test(text)) return null;
  const values = new Map<string, string>();
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at);
    if (text[at] !== "#") {
      const line = text.slice(at, end);
      const equals = line.indexOf("=");
      const key = line.slice(0, equals);
      const value = line.slice(equals + 1);
      if (equals === -1 || !isKey(key) || values.has(key) || !PLAIN_VALUE.test(value)) return null;
      values.set(key, value.startsWith("'") ? value.slice(1, -1) : value);
    }
    at = end + 1;
  }
  const record = readRecord(values, machine, false);
  return record.ok ? record.value : null;
}
