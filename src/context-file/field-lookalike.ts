import type { SourceLine, Span } from "../base/source-text.ts";
import { suggest } from "../base/suggest.ts";
import type { TextEdit } from "../base/text-edit.ts";
import { fieldsBear, headerLines, movableFields } from "./field-reach.ts";
import { FIELD_FORMS, type FieldForm, type FieldName, LAST_METADATA_LINE, readField } from "./fields.ts";
import type { ParsedContextFile } from "./parse.ts";
import { isPlain, metadataInsertion, removal } from "./places.ts";

/** A line that was meant to be a metadata field, or is one in the wrong place. */
export interface FieldLookalike {
  readonly line: SourceLine;
  readonly span: Span;
  /** The key as it stands, with its marks. */
  readonly key: string;
  /** True where nothing is wrong but the place. */
  readonly misplaced: boolean;
  readonly fix: readonly TextEdit[] | null;
}

// Longer than any key with its marks; what follows it is the value.
const KEY_REACH = 80;
const KEY =
  /^[ \t]{0,8}(?:[-*+>][ \t]{1,3})?([*_]{0,3})[ \t]{0,2}([A-Za-z][A-Za-z-]{0,15}(?: [A-Za-z-]{1,15}){0,2})[ \t]{0,2}([*_]{0,3})[ \t]{0,2}[:：=][ \t]{0,4}([*_]{0,3})[ \t]{0,4}/;

/** Whether a line reads like a metadata field, well written or not. */
export function isFieldLike(line: SourceLine): boolean {
  const key = readKey(line);
  return readField(line) !== null || (key !== null && fieldMeantBy(key.name) !== null);
}

/** The line that comes nearest to being the field, for a file that has not the field where it belongs. */
export function findFieldLookalike(file: ParsedContextFile, form: FieldForm): FieldLookalike | null {
  const header = headerLines(file);
  return (
    first(header, (line) => misplacedField(file, line, form, header)) ??
    first(header, (line) => otherDress(file, line, form)) ??
    first(header, (line) => besideAnother(file, line, form)) ??
    first(header, (line) => misspelled(line, form)) ??
    (file.source.text.includes(`**${form.name}**:`)
      ? first(file.outline.prose, (line) => misplacedField(file, line, form, null))
      : null)
  );
}

function first<T>(lines: readonly SourceLine[], read: (line: SourceLine) => T | null): T | null {
  for (const line of lines) {
    const found = read(line);
    if (found !== null) return found;
  }
  return null;
}

/** The field as it should be written, further down than it should stand. */
function misplacedField(
  file: ParsedContextFile,
  line: SourceLine,
  form: FieldForm,
  header: readonly SourceLine[] | null,
): FieldLookalike | null {
  const field = readField(line);
  if (field?.name !== form.name || field.value === "" || line.number <= LAST_METADATA_LINE) return null;
  const fix = header === null ? null : fieldsMovedUp(file, header);
  return { line, span: line.span, key: `**${form.name}**:`, misplaced: true, fix };
}

/** All fields of the header at once: one moved up alone would push another down. */
function fieldsMovedUp(file: ParsedContextFile, header: readonly SourceLine[]): readonly TextEdit[] | null {
  const lines = movableFields(file, header);
  if (lines === null) return null;
  const insertion = metadataInsertion(file, lines.map((line) => line.text).join(file.source.newline));
  return insertion === null ? null : [insertion, ...lines.map(removal)];
}

/** `Updated:`, `**updated**:`, `**Role:** x`, `- **Pane**: x`, `**Last Updated**: x`. */
function otherDress(file: ParsedContextFile, line: SourceLine, form: FieldForm): FieldLookalike | null {
  const key = readKey(line);
  if (key === null || fieldMeantBy(key.name) !== form.name) return null;
  if (readField(line)?.name === form.name) return null;
  const end = line.text.trimEnd().length;
  // `**Role: x**` closes its emphasis behind the value.
  const closing =
    key.unclosed !== "" && line.text.slice(key.length, end).endsWith(key.unclosed) ? key.unclosed.length : 0;
  const span = { start: line.span.start, end: line.span.start + key.length };
  const found = { line, span, key: line.text.slice(0, key.length).trim(), misplaced: false };
  const value = line.text.slice(key.length, end - closing);
  // "Update: the deploy is blocked" may be a note, and so may "**Updates**: none".
  const isNote = form.name === "Updated" && key.name.toLowerCase() !== "updated" && !/\d{4}/.test(value);
  if (value.trim() === "" || isNote || !isPlain(file, line)) return { ...found, fix: null };
  const start = `**${form.name}**: `;
  if (line.number <= LAST_METADATA_LINE) {
    const mark = { start: line.span.start + end - closing, end: line.span.start + end };
    return { ...found, fix: [{ span, text: start }, ...(closing === 0 ? [] : [{ span: mark, text: "" }])] };
  }
  const insertion = fieldsBear(file, 2) ? metadataInsertion(file, start + value) : null;
  return { ...found, fix: insertion === null ? null : [insertion, removal(line)] };
}

/** A field that shares its line with the one before it: `**Updated**: x | **Role**: y`. */
function besideAnother(file: ParsedContextFile, line: SourceLine, form: FieldForm): FieldLookalike | null {
  const key = `**${form.name}**:`;
  const at = line.text.indexOf(key);
  if (at <= 0) return null;
  const before = line.text.slice(0, at).trimEnd();
  const value = line.text.slice(at + key.length).trim();
  const span = { start: line.span.start + at, end: line.span.start + at + key.length };
  const found = { line, span, key, misplaced: false };
  if (readField(line) === null || value === "" || !isPlain(file, line) || !fieldsBear(file, 1, line.number))
    return { ...found, fix: null };
  const kept = before.replace(/[|,;·•/]$/, "").trimEnd();
  const cut = { start: line.span.start + kept.length, end: line.span.start + at };
  return { ...found, fix: [{ span: cut, text: file.source.newline }] };
}

/** A key that may be a slip of the finger: named, and left to a person, since `Rule` and `Phase` are near to a field too. */
function misspelled(line: SourceLine, form: FieldForm): FieldLookalike | null {
  const key = readKey(line);
  if (key === null || fieldMeantBy(key.name) !== null) return null;
  if (
    suggest(
      key.name,
      FIELD_FORMS.map((other) => other.name),
    ) !== form.name
  )
    return null;
  const span = { start: line.span.start, end: line.span.start + key.length };
  return { line, span, key: line.text.slice(0, key.length).trim(), misplaced: false, fix: null };
}

function readKey(line: SourceLine): { name: string; length: number; unclosed: string } | null {
  const match = KEY.exec(line.text.slice(0, KEY_REACH));
  if (match?.[2] === undefined) return null;
  const [all, opening = "", name, closing = "", late = ""] = match;
  return { name, length: all.length, unclosed: closing === "" && late === "" ? opening : "" };
}

/** No other short word is as near to `Updated` as its misspellings; `Uploaded` and `Updated by` are something else. */
function fieldMeantBy(key: string): FieldName | null {
  const lower = key.toLowerCase();
  const named = FIELD_FORMS.find((form) => form.name.toLowerCase() === lower || form.otherNames.includes(lower));
  return named?.name ?? (/.{8}| /.test(key) || suggest(lower, ["updated"]) === null ? null : "Updated");
}
