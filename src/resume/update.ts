import { splitFrontMatter } from "../base/frontmatter.ts";
import { invariant } from "../base/invariant.ts";
import { err, ok, type Result } from "../base/result.ts";
import { type Position, positionAt, sourceText } from "../base/source-text.ts";
import { applyEdits, type TextEdit } from "../base/text-edit.ts";
import { type Entry, type EntryValue, replaceValue } from "./front-matter-entry.ts";
import { type FrontMatterMap, readFrontMatterMap } from "./front-matter-map.ts";
import { OLD_KEYS } from "./manifest-record.ts";
import { followingAction, type ManifestValues } from "./manifest-values.ts";
import { isTimestamp } from "./timestamp.ts";
import { writeScalar } from "./yaml-scalar.ts";

export interface ManifestProblem {
  /** Stable, kebab-case. */
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly start?: Position;
}

export interface ManifestUpdate {
  readonly text: string;
  /** The keys whose values are new, in the order they were written. */
  readonly changed: readonly (keyof ManifestValues)[];
}

/** In the order in which absent keys are added. */
const KEYS = [
  "current_section",
  "current_task",
  "progress",
  "current_phase",
  "next_action",
  "last_updated",
] as const satisfies readonly (keyof ManifestValues)[];

/**
 * Writes the values into the front matter and leaves every other character alone. An absent key is added at its end.
 * `last_updated` changes only with another value, or where it is absent; `next_action` where it begins with `plan-` or
 * `execute-`, or is empty: any other is a person's. The same values again change nothing. A value that no manifest may have
 * is an error.
 */
export function updateManifest(text: string, values: ManifestValues): Result<ManifestUpdate, ManifestProblem> {
  for (const key of KEYS) {
    const value = values[key];
    if (value !== undefined && !fits(key, value)) return err(unfit(key, value));
  }
  const read = readFrontMatterMap(text);
  if (!read.ok) return err(problemOf(text, read.error[0]));
  const map = read.value;
  const entryOf = (key: keyof ManifestValues) => map.entries.get(writtenName(map, key));
  const wanted = new Map<keyof ManifestValues, string | number>();
  for (const key of KEYS) {
    const value = valueFor(key, values, entryOf(key)?.value);
    if (value === undefined) continue;
    const stamped = key === "last_updated" && wanted.size === 0 && !isAbsent(entryOf(key)?.value);
    if (!stamped) wanted.set(key, value);
  }
  if (wanted.size === 0) return ok({ text, changed: [] });
  const edits: TextEdit[] = [];
  const added: string[] = [];
  for (const [key, value] of wanted) {
    const entry = entryOf(key);
    if (entry === undefined) added.push(`${map.indent}${key}: ${scalar(value, STYLES[key])}`);
    else {
      const edit = editOf(text, entry, value);
      if (edit === null) return err(untouchable(text, entry));
      edits.push(edit);
    }
  }
  if (added.length > 0) {
    if (map.flow) return err(flowProblem(added.length));
    const newline = sourceText(text).newline;
    edits.push({
      span: { start: map.span.end, end: map.span.end },
      text: added.map((line) => line + newline).join(""),
    });
  }
  const updated = applyEdits(text, edits);
  const unexpected = firstUnexpected(text, map, updated, wanted);
  return unexpected === null ? ok({ text: updated, changed: [...wanted.keys()] }) : err(unexpected);
}

function fits(key: keyof ManifestValues, value: string | number): boolean {
  if (key === "last_updated") return isTimestamp(String(value));
  return typeof value === "string" || (Number.isSafeInteger(value) && value >= 0);
}

/** What is wrong with a value that was to be written. */
export function unfit(key: keyof ManifestValues, value: unknown): ManifestProblem {
  const expected = key === "last_updated" ? "an ISO 8601 time" : "a count or a text";
  return { code: "manifest-value", message: `\`${key}\` cannot be ${String(value)}; expected ${expected}.` };
}

/** The name that a manifest has for a key: an old one stays, since two that disagree would say nothing. */
function writtenName(map: FrontMatterMap, key: keyof ManifestValues): string {
  if (map.entries.has(key)) return key;
  return [...OLD_KEYS].find(([old, renamed]) => renamed === key && map.entries.has(old))?.[0] ?? key;
}

/** How a value looks that was not there before. */
const STYLES = {
  current_section: "plain",
  current_task: "plain",
  progress: "double",
  current_phase: "plain",
  next_action: "plain",
  last_updated: "double",
} as const satisfies Record<keyof ManifestValues, "plain" | "double">;

/** What is to stand there, or undefined where it stands already. */
function valueFor(
  key: keyof ManifestValues,
  values: ManifestValues,
  written: EntryValue | undefined,
): string | number | undefined {
  const value = values[key];
  if (value === undefined) return undefined;
  if (key === "next_action" && written !== undefined) {
    const action = isAbsent(written) ? "" : written.kind === "scalar" ? written.source : null;
    return action === null ? undefined : (followingAction(action, String(value)) ?? undefined);
  }
  return written?.kind === "scalar" && saysAlready(written.source, value) ? undefined : value;
}

function isAbsent(value: EntryValue | undefined): boolean {
  return value === undefined || value.kind === "empty" || (value.kind === "scalar" && value.value === null);
}

function saysAlready(source: string, value: string | number): boolean {
  return typeof value === "number" ? /^[0-9]{1,15}$/.test(source) && Number(source) === value : source === value;
}

function scalar(value: string | number, style: "plain" | "double" | "single"): string {
  if (typeof value === "string") return writeScalar(value, style);
  return style === "plain" ? String(value) : writeScalar(String(value), style);
}

/** Null where the value cannot be replaced without changing something else. */
function editOf(text: string, entry: Entry, value: string | number): TextEdit | null {
  const { value: written, afterColon } = entry;
  if (entry.anchored || written.kind === "map" || written.kind === "list") return null;
  if (written.kind === "empty") {
    if (afterColon === null) return null;
    // The blank that is there serves, unless a comment needs it.
    const blank = text[afterColon] === " " && text[afterColon + 1] !== "#";
    const at = blank ? afterColon + 1 : afterColon;
    return { span: { start: at, end: at }, text: `${blank ? "" : " "}${scalar(value, "plain")}` };
  }
  return replaceValue(text, written.span, scalar(value, written.style === "block" ? "plain" : written.style));
}

/** Reads the result again: each wanted value is there, and nothing else says anything new. */
function firstUnexpected(
  text: string,
  before: FrontMatterMap,
  updated: string,
  wanted: ReadonlyMap<keyof ManifestValues, string | number>,
): ManifestProblem | null {
  const read = readFrontMatterMap(updated);
  const after = read.ok ? read.value.entries : new Map<string, Entry>();
  const written = new Map([...wanted].map(([key, value]) => [writtenName(before, key), value]));
  const isWritten = (name: string, value: string | number): boolean => {
    const entry = after.get(name)?.value;
    return entry?.kind === "scalar" && saysAlready(entry.source, value);
  };
  const lost =
    [...written].find(([name, value]) => !isWritten(name, value))?.[0] ??
    [...before.entries].find(
      ([key, entry]) => !written.has(key) && slice(updated, after.get(key)) !== slice(text, entry),
    )?.[0] ??
    (bodyOf(text) === bodyOf(updated) ? null : "the body");
  return lost === null ? null : lossOf(lost);
}

function slice(text: string, entry: Entry | undefined): string | null {
  return entry === undefined ? null : text.slice(entry.value.span.start, entry.value.span.end);
}

function bodyOf(text: string): string | null {
  const parts = splitFrontMatter(text);
  return parts.kind === "found" ? parts.body : null;
}

function lossOf(what: string): ManifestProblem {
  return {
    code: "manifest-not-updatable",
    message: `The front matter is written in a way that a change would not leave ${what} as it should be.`,
    hint: "Write it as plain lines of `key: value`.",
  };
}

function untouchable(text: string, entry: Entry): ManifestProblem {
  const found = entry.anchored ? "has an anchor that other values use" : "is not a single value";
  return {
    code: "manifest-not-updatable",
    message: `\`${entry.key}\` ${found}; expected a plain value.`,
    start: positionAt(sourceText(text), entry.keySpan.start),
  };
}

function flowProblem(count: number): ManifestProblem {
  return {
    code: "manifest-not-updatable",
    message: `The front matter is one \`{…}\`, to which ${count === 1 ? "a key" : `${count} keys`} cannot be added.`,
    hint: "Write it as plain lines of `key: value`.",
  };
}

function problemOf(
  text: string,
  finding: { code: string; message: string; hint?: string; span: { start: number } } | undefined,
): ManifestProblem {
  invariant(finding !== undefined, "a front matter that is not read has a finding");
  const { code, message, hint, span } = finding;
  return { code, message, ...(hint === undefined ? {} : { hint }), start: positionAt(sourceText(text), span.start) };
}
