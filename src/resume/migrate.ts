import type { Diagnostic } from "../base/diagnostic.ts";
import { splitFrontMatter } from "../base/frontmatter.ts";
import { invariant } from "../base/invariant.ts";
import { isProjectId, PROJECT_ID_RULE } from "../base/project-id.ts";
import { err, ok, type Result } from "../base/result.ts";
import { sourceText } from "../base/source-text.ts";
import { applyEdits, type TextEdit } from "../base/text-edit.ts";
import { defaultFiles } from "./default-files.ts";
import type { EntryValue } from "./front-matter-entry.ts";
import { type FrontMatterMap, readFrontMatterMap } from "./front-matter-map.ts";
import { DEFAULT_GATE, readGate } from "./gate.ts";
import { type KeyEditor, keyEditor } from "./key-editor.ts";
import { phaseInBody, phaseNote } from "./legacy-phase.ts";
import { RESUME_SCHEMA_VERSION } from "./manifest.ts";
import { classifyPath } from "./manifest-paths.ts";
import { manifestValues, type StepsFacts } from "./manifest-values.ts";
import { parseManifest } from "./parse-manifest.ts";
import { meantPhase } from "./phases.ts";
import { isTimestamp } from "./timestamp.ts";
import { type ManifestProblem, unfit } from "./update.ts";
import { writeScalar } from "./yaml-scalar.ts";

export interface Legacy {
  /** The whole `_resume.md`. */
  readonly legacyText: string;
  /** The project's folder, which is its id. */
  readonly folderName: string;
  /** The name in the overview, where there is one. */
  readonly overviewName: string | null;
  /** Relative to the project, with `/`. */
  readonly existingFiles: readonly string[];
  /** What the steps file says, where there is one: its boxes tell the phase that the file does not. */
  readonly steps?: StepsFacts | null;
  /** ISO 8601. */
  readonly now: string;
}

export interface Migration {
  readonly text: string;
  /** What was taken from elsewhere or left out, a sentence each. */
  readonly notes: readonly string[];
}

/**
 * Makes a manifest of an old `_resume.md`. Keys that have a new name get it, required values that are absent or wrong are
 * filled in, the gate is appended where there is none, and all else stays as it is. The result parses without an error.
 */
export function migrateManifest(legacy: Legacy): Result<Migration, ManifestProblem> {
  const { legacyText, folderName, now } = legacy;
  if (!isTimestamp(now)) return err(unfit("last_updated", now));
  if (!isProjectId(folderName))
    return err({
      code: "project-id",
      message: `The folder ${JSON.stringify(folderName.slice(0, 80))} is not named as a project.`,
      hint: `A project id is ${PROJECT_ID_RULE}.`,
    });
  const notes: string[] = [];
  const framed = withFrontMatter(legacyText, notes);
  const read = readFrontMatterMap(framed);
  if (!read.ok) return err(problemIn(framed));
  if (read.value.flow)
    return err({
      code: "front-matter-flow",
      message: "The front matter is one `{…}`; expected lines of `key: value`.",
    });
  const text = withGate(applyEdits(framed, editsFor(framed, read.value, legacy, notes)), notes);
  const [left] = errorsIn(text);
  return left === undefined ? ok({ text, notes }) : err(problemIn(legacyText, left));
}

/** A file without front matter gets an empty one; a BOM stays in front of it. */
function withFrontMatter(text: string, notes: string[]): string {
  const parts = splitFrontMatter(text);
  if (parts.kind !== "absent") return text;
  // A carriage return alone ends no line of a front matter.
  const newline = sourceText(text).newline === "\r\n" ? "\r\n" : "\n";
  const below = parts.body.replace(/^(?:[ \t]*\r?\n)+/, "");
  const lower = below === parts.body ? null : readFrontMatterMap(below);
  if (lower?.ok && lower.value.entries.size > 0) {
    notes.push("Empty lines stood before its front matter: they are left out.");
    return text.slice(0, parts.bodyStart) + below;
  }
  notes.push("It has no front matter: the project's folder says which project it is.");
  const blank = /^\s*$/.test(parts.body.slice(0, 1)) ? "" : newline;
  return `${text.slice(0, parts.bodyStart)}---${newline}---${newline}${blank}${parts.body}`;
}

/** What fills in or renames the keys of an old front matter. */
function editsFor(text: string, map: FrontMatterMap, legacy: Legacy, notes: string[]): readonly TextEdit[] {
  const editor = keyEditor(text, map);
  putVersion(editor);
  putProject(editor, legacy, notes);
  putPhase(editor, { body: phaseInBody(text), boxes: legacy.steps ?? null }, notes);
  putTime(editor, legacy, notes);
  putFiles(map, legacy, notes, (files, dropped) => {
    const removals = removalsOf(text, dropped);
    if (removals === null) editor.put("files_to_load", listLike(text, map, files.map(quoted)));
    else editor.add(removals);
  });
  return editor.edits();
}

function putVersion({ found, written, put, rename }: KeyEditor): void {
  const version = found("resume_schema_version");
  if (version?.kind === "scalar" && typeof version.value === "string") rename("resume_schema_version");
  // Bare, 1.0 is a number to other readers, and equal to 1.
  else put("resume_schema_version", quoted(written("resume_schema_version") ?? RESUME_SCHEMA_VERSION));
}

/** The id and the name. */
function putProject({ written, put }: KeyEditor, { folderName, overviewName }: Legacy, notes: string[]): void {
  const id = written("project_id");
  if (id === null || !isProjectId(id)) {
    if (id !== null) notes.push(`The id ${quoted(id)} is no project id: the folder's name is used.`);
    put("project_id", quoted(folderName));
  } else if (id !== folderName) notes.push(`It says it is of ${id}, and lies in the folder of ${folderName}.`);

  if ((written("project_name") ?? "").trim() === "") put("project_name", quoted(overviewName?.trim() || folderName));
}

/** The phase, which the body or the boxes may tell, and the action that follows from it. */
function putPhase(
  { written, put, rename }: KeyEditor,
  { body, boxes }: { readonly body: string | null; readonly boxes: StepsFacts | null },
  notes: string[],
): void {
  const word = written("current_phase");
  const named = meantPhase(word ?? body ?? "");
  const counted = named === null && boxes !== null ? (manifestValues(boxes).current_phase ?? null) : null;
  const phase = named ?? counted ?? "planning";
  if (word !== null && meantPhase(word) === word) rename("current_phase");
  else {
    notes.push(phaseNote(word, body, phase, counted !== null));
    put("current_phase", phase);
  }
  if ((written("next_action") ?? "").trim() !== "") rename("next_action");
  else put("next_action", phase === "planning" || phase === "research" ? "plan-project" : "execute-project");
}

function putTime({ written, put, rename }: KeyEditor, { now }: Legacy, notes: string[]): void {
  const stamp = written("last_updated");
  if (stamp !== null && isTimestamp(stamp)) {
    rename("last_updated");
    return;
  }
  if (stamp !== null) notes.push(`${quoted(stamp)} is no ISO 8601 time: now is used.`);
  put("last_updated", quoted(now));
}

/** A list in the form that stands there: one in brackets could not begin where a line of a block does. */
function listLike(text: string, map: FrontMatterMap, items: readonly string[]): string {
  const value = map.entries.get("files_to_load")?.value;
  const start = value?.kind === "list" && text[value.span.start] === "-" ? value.span.start : null;
  const before = start === null ? null : text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  if (before === null || before.trim() !== "") return `[${items.join(", ")}]`;
  return items.map((item) => `- ${item}`).join(sourceText(text).newline + before);
}

/**
 * Leaves a good list alone, drops what can never be loaded from another, and lists what there is where there is none. A
 * single text is a list of one.
 */
function putFiles(
  map: FrontMatterMap,
  legacy: Legacy,
  notes: string[],
  put: (files: readonly string[], dropped: readonly EntryValue[]) => void,
): void {
  const value = map.entries.get("files_to_load")?.value;
  const absent = value === undefined || value.kind === "empty" || (value.kind === "scalar" && value.value === null);
  const listed = absent ? [] : value.kind === "list" ? value.items : [value];
  const known = new Set(legacy.existingFiles);
  const good: string[] = [];
  const dropped: EntryValue[] = [];
  for (const item of listed) {
    const text = item.kind === "scalar" && item.value !== null ? item.source : null;
    const path = text === null ? null : classifyPath(text);
    if (text !== null && path?.kind === "relative") {
      good.push(text);
      if (known.size > 0 && !known.has(path.path)) notes.push(`files_to_load: ${quoted(text)} does not exist.`);
    } else {
      dropped.push(item);
      notes.push(`files_to_load: ${text === null ? "an item that is no text" : quoted(text)} is left out.`);
    }
  }
  if (good.length === 0) {
    const files = defaultFiles(legacy.existingFiles);
    notes.push(`files_to_load: set to ${files.join(", ")}.`);
    put(files, []);
  } else if (value?.kind !== "list" || dropped.length > 0) put(good, value?.kind === "list" ? dropped : []);
}

/** Takes whole lines out of a list, so that what a person wrote between the others stays; null where an item is no line of its own. */
function removalsOf(text: string, items: readonly EntryValue[]): readonly TextEdit[] | null {
  const edits: TextEdit[] = [];
  for (const { span } of items) {
    const start = text.lastIndexOf("\n", span.start - 1) + 1;
    const behind = /^[ \t]*(?:[ \t]#[^\r\n]*)?\r?\n/.exec(text.slice(span.end))?.[0] ?? null;
    if (behind === null || !/^[ \t]*-[ \t]+$/.test(text.slice(start, span.start))) return null;
    edits.push({ span: { start, end: span.end + behind.length }, text: "" });
  }
  return edits.length === 0 ? null : edits;
}

function withGate(text: string, notes: string[]): string {
  if (readGate(text) !== null) return text;
  const { newline } = sourceText(text);
  const end = text.endsWith(newline) ? "" : newline;
  const gap = text.endsWith(newline + newline) ? "" : newline;
  const gate = DEFAULT_GATE.replaceAll("\n", newline);
  notes.push("It had no validation gate: one is appended.");
  const plain = text + end + gap + gate;
  if (readGate(plain) !== null) return plain;
  // Behind code or a comment that nothing closes the gate would be more of it.
  for (const closing of closingsOf(text)) {
    const closed = text + end + closing + newline + newline + gate;
    if (readGate(closed) === null) continue;
    notes.push(`It ended in code or a comment that was not closed: a line of ${closing} is put there.`);
    return closed;
  }
  return plain;
}

/** The longest fences of a text, each of which closes all others of its kind, and the end of a comment. */
function closingsOf(text: string): readonly string[] {
  const longest = (kind: RegExp) => {
    let most = "";
    for (const [fence] of text.matchAll(kind)) if (fence.length > most.length) most = fence;
    return most === "" ? [] : [most];
  };
  return [...longest(/`{3,}/g), ...longest(/~{3,}/g), "-->"];
}

function quoted(text: string): string {
  return writeScalar(text, "double");
}

function errorsIn(text: string): readonly Diagnostic[] {
  return parseManifest(text).diagnostics.filter(({ severity }) => severity === "error");
}

/** What is wrong with a text: its first error, or `left`, which has the place that it has there, if it has one. */
function problemIn(text: string, left: Diagnostic | null = null): ManifestProblem {
  const errors = errorsIn(text);
  const same =
    left === null ? errors[0] : errors.find(({ code, message }) => code === left.code && message === left.message);
  const problem = same ?? left;
  invariant(problem !== null, "what is refused has an error");
  const { code, message, hint } = problem;
  return {
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(same === undefined ? {} : { start: same.start }),
  };
}
