import { isObject, stringAt } from "../base/json-value.ts";
import { type Entry, entriesOf } from "./entry.ts";

/** A row of the file as it was read; `terminated` is false where no newline ends it. */
export interface Row {
  readonly bytes: Uint8Array | string;
  readonly row: number;
  readonly terminated: boolean;
}

export interface ReadRows {
  readonly entries: readonly Entry[];
  /** Rows that are no JSON object or no UTF-8. */
  readonly broken: number;
  /** 1 where the last row was half written. */
  readonly partial: number;
}

/** How far back a hook reads: rows kept, their bytes, bytes of one row, bytes passed over. */
export const TRANSCRIPT_WINDOW = {
  // The last 500 records of user, assistant and system: what the original looked at, and 250 tool calls. The client's own
  // rows, two of three today, are passed over before they count.
  maxLines: 500,
  // In a fresh process JSON.parse takes 6 to 8 ms a megabyte: 2 MB leave a hook well under its 50 ms.
  maxBytes: 2 * 1024 * 1024,
  // A row this large is a result with a picture or a file in it, never a call.
  maxLineBytes: 1024 * 1024,
  maxScanBytes: 64 * 1024 * 1024,
} as const;

/** How far a command reads that a person waits for: a whole session, as far as it fits into memory when parsed. */
export const TRANSCRIPT_WHOLE = {
  maxLines: 1_000_000,
  maxBytes: 64 * 1024 * 1024,
  maxLineBytes: 16 * 1024 * 1024,
  maxScanBytes: 4 * 1024 * 1024 * 1024,
} as const;

/**
 * False for a row whose first bytes, one character each, show it to be one of the client's own: a `type` in first place that is none of ours,
 * or an attachment other than a prompt. Such rows can repeat whole conversations; what is not sure is parsed.
 */
export function isWorthParsing(head: string): boolean {
  // How the client begins most of its rows.
  if (head.startsWith('{"parentUuid":')) return !head.includes('"attachment":') || !ATTACHMENT.test(head);
  const type = FIRST_TYPE.exec(head)?.[1];
  if (type !== undefined) return type === "user" || type === "assistant" || type === "system";
  return !ATTACHMENT.test(head);
}

const FIRST_TYPE = /^\s{0,4}\{\s{0,4}"type"\s{0,4}:\s{0,4}"([^"\\]{0,64})"/;
const ATTACHMENT =
  /^\{"parentUuid":(?:null|"[^"\\]{0,64}"),(?:"logicalParentUuid":(?:null|"[^"\\]{0,64}"),)?"isSidechain":(?:true|false),"attachment":\{(?!"type":"queued_command")/;

/**
 * The entries of rows, oldest first; a bad row is counted and left out. So is what a person took back: who goes back in the
 * conversation (`/rewind`) speaks to the same record again, and what followed it before stays in the file. It may have
 * followed by way of rows of the client's own, which are not here.
 */
export function readRows(rows: Iterable<Row>): ReadRows {
  const entries: Entry[] = [];
  /** Where the first entry stands that followed a record, by the record's id. */
  const followed = new Map<string, number>();
  /** Where the entries end that a record brought, by its id. */
  const ends = new Map<string | null, number>();
  /** Where the main line was spoken to last. */
  let spoken = -1;
  const said = new Set<string | null>();
  let [broken, partial] = [0, 0];
  for (const { bytes, row, terminated } of rows) {
    const record = parseRow(bytes);
    if (record === undefined) {
      if (terminated) broken += 1;
      else partial += 1;
      continue;
    }
    const found = entriesOf(record, row);
    if (found.length === 0 && (typeof record !== "object" || record === null || Array.isArray(record))) broken += 1;
    const parent = isObject(record) ? stringAt(record, "parentUuid") : null;
    if (parent !== null) {
      const uuid = isSaid(found) ? (found[0]?.uuid ?? null) : null;
      // A record that is written again took nothing back.
      if (uuid !== null && !said.has(uuid)) {
        const end = ends.get(parent) ?? entries.length;
        const before = followed.get(parent) ?? (spoken >= end ? end : undefined);
        if (before !== undefined) entries.splice(before);
      }
      if (!followed.has(parent)) followed.set(parent, entries.length);
      said.add(uuid);
    }
    const main = found[0]?.sidechain === false;
    if (main && isSaid(found)) spoken = entries.length;
    for (const entry of found) entries.push(entry);
    if (main) ends.set(found[0]?.uuid ?? null, entries.length);
  }
  return { entries, broken, partial };
}

/** Whether a record's entries are a prompt or a command by the person. */
export function isSaid([first]: readonly Entry[]): boolean {
  return first?.kind === "prompt" || first?.kind === "slash-command";
}

/** Rows of a text that is at hand whole, blank ones left out. */
export function rowsOfText(text: string): readonly Row[] {
  const lines = text.split("\n");
  return lines.flatMap((line, row) =>
    line.trim() === "" ? [] : [{ bytes: line, row, terminated: row < lines.length - 1 }],
  );
}

let utf8: InstanceType<typeof TextDecoder> | null = null;

/** What the bytes spell; throws where they are no UTF-8. Made at the first row: not every run reads one. */
function textOf(bytes: Uint8Array): string {
  utf8 ??= new TextDecoder("utf-8", { fatal: true });
  return utf8.decode(bytes);
}

function parseRow(bytes: Uint8Array | string): unknown {
  try {
    const value: unknown = JSON.parse(typeof bytes === "string" ? bytes : textOf(bytes));
    return value;
  } catch {
    // Not JSON or not UTF-8: `undefined` is the one value that JSON cannot give.
    return undefined;
  }
}
