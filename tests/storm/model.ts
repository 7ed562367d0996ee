import { createHash } from "node:crypto";

/** A line of a role's history, read without the program's own readers. */
export interface Line {
  readonly revision: number;
  readonly at: string;
  readonly event: string;
  readonly from: string;
  readonly to: string;
  readonly by: string;
  readonly session_id: string | null;
}

/** What a role's env file says. */
export interface Snapshot {
  readonly state: string;
  readonly previous: string;
  readonly event: string;
  readonly revision: number;
  readonly compactions: number;
  readonly unsaved: boolean;
  readonly sha256: string;
}

/** The machine as the files' contract draws it: event, the states that take it, the state it leads to. */
const EDGES: Readonly<Record<string, readonly [from: readonly string[], to: string]>> = {
  SAVE: [["active", "saving", "saved", "recovering"], "saving"],
  CONTEXT_VALID: [["saving"], "saved"],
  CONTEXT_INVALID: [["saving"], "saving"],
  RESUME: [["saving", "saved"], "active"],
  COMPACT: [["active", "saving", "saved"], "compacting"],
  COMPACTED: [["active", "saving", "saved", "compacting", "recovering"], "recovering"],
  RECOVERED: [["active", "saving", "saved", "compacting", "recovering"], "active"],
};

/** Where a history leads from a machine that was just made, and what of it no machine could have done. */
export function replay(lines: readonly Line[]): { readonly end: Omit<Snapshot, "sha256">; readonly wrong: string[] } {
  const wrong: string[] = [];
  let end = { state: "active", previous: "", event: "", revision: 0, compactions: 0, unsaved: false };
  for (const { revision, event, from, to } of lines) {
    const edge = EDGES[event];
    const step = `revision ${revision}: ${from} --${event}--> ${to}`;
    if (revision !== end.revision + 1) wrong.push(`${step} comes after revision ${end.revision}`);
    if (from !== end.state) wrong.push(`${step} comes where the state is ${end.state}`);
    if (edge === undefined || !edge[0].includes(from) || edge[1] !== to) wrong.push(`${step} is no edge`);
    const isNew = event === "COMPACT" || (event === "COMPACTED" && from !== "compacting");
    const loses = isNew && (from === "active" || from === "saving");
    end = {
      state: to,
      previous: from,
      event,
      revision,
      compactions: end.compactions + (isNew ? 1 : 0),
      unsaved: event === "CONTEXT_VALID" ? false : end.unsaved || loses,
    };
  }
  return { end, wrong };
}

/** The lines of a history file; what is no line of a whole transition is counted. */
export function parseLines(text: string): { readonly lines: readonly Line[]; readonly broken: number } {
  const rows = text.split("\n");
  const rest = rows.pop();
  const lines: Line[] = [];
  let broken = rest === "" ? 0 : 1;
  for (const row of rows) {
    const line = parseLine(row);
    if (line === null) broken += 1;
    else lines.push(line);
  }
  return { lines, broken };
}

function parseLine(row: string): Line | null {
  try {
    const value: unknown = JSON.parse(row);
    return isLine(value) ? value : null;
  } catch {
    return null;
  }
}

export function isLine(value: unknown): value is Line {
  if (typeof value !== "object" || value === null) return false;
  const { revision, at, event, from, to, by, session_id }: Partial<Record<keyof Line, unknown>> = value;
  const texts = [at, event, from, to, by].every((text) => typeof text === "string");
  return texts && typeof revision === "number" && (session_id === null || typeof session_id === "string");
}

/** The facts of an env file, or null where a shell would read no whole state from it. */
export function parseSnapshot(text: string): Snapshot | null {
  if (!text.endsWith("\n")) return null;
  const values = new Map<string, string>();
  for (const [, key = "", value = ""] of text.matchAll(/^STATE_([A-Z0-9_]+)=(.*)$/gm)) {
    if (values.has(key)) return null;
    values.set(key, value.replace(/^'(.*)'$/, "$1"));
  }
  const get = (key: string) => values.get(key) ?? "";
  const revision = Number(values.get("REVISION") ?? Number.NaN);
  if (get("SCHEMA") !== "1" || get("CURRENT") === "" || !Number.isInteger(revision)) return null;
  return {
    state: get("CURRENT"),
    previous: get("PREVIOUS"),
    event: get("EVENT"),
    revision,
    compactions: Number(get("COMPACTIONS")),
    unsaved: get("UNSAVED") === "1",
    sha256: get("CONTEXT_SHA256"),
  };
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
