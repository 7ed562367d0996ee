import { compareDiagnostics, type Diagnostic, diagnosticAt, type Finding } from "../base/diagnostic.ts";
import { invariant } from "../base/invariant.ts";
import { type SourceText, type Span, sourceText } from "../base/source-text.ts";
import { suggest } from "../base/suggest.ts";
import type { EntryValue } from "./front-matter-entry.ts";
import { type FrontMatterMap, readFrontMatterMap } from "./front-matter-map.ts";
import {
  expectedOf,
  isManifestKey,
  Manifest,
  type ManifestKey,
  RECOMMENDED_KEYS,
  RESUME_SCHEMA_VERSION,
} from "./manifest.ts";
import { describe, exampleOf, shownValue, wrong } from "./manifest-finding.ts";
import { recordOf } from "./manifest-record.ts";
import { type ManifestPhase, PHASES } from "./phases.ts";

export interface ParsedManifest {
  /** Null where a required key is missing or wrong. A wrong optional value is left out, a refused path is kept. */
  readonly manifest: Manifest | null;
  /** In the order of the file. */
  readonly diagnostics: readonly Diagnostic[];
  /** The first finding that costs the manifest: errors before it may not. Null where there is a manifest. */
  readonly cause: Diagnostic | null;
  /** Whether a start can go by the rest of it: nothing but its phase and its version is wrong. */
  readonly isUsable: boolean;
}

/** Reads a manifest and says what is wrong in it; `folder` is the name of the project's folder, where it is known. Never throws. */
export function parseManifest(text: string, folder: string | null = null): ParsedManifest {
  const source = sourceText(text);
  const read = readFrontMatterMap(text);
  if (!read.ok) {
    const diagnostics = placed(source, read.error);
    const cause = diagnostics.find(({ severity }) => severity === "error") ?? null;
    return { manifest: null, diagnostics, cause, isUsable: false };
  }
  const findings: Finding[] = [];
  const record = recordOf(read.value, findings);
  const { manifest, costly, isUsable } = checked(record, read.value, findings);
  if (manifest !== null && folder !== null) findings.push(...foreign(manifest, folder, read.value));
  return { manifest, diagnostics: placed(source, findings), cause: placed(source, costly)[0] ?? null, isUsable };
}

/** Whether an `_resume.md` with these findings can be migrated: what is no YAML cannot. */
export function isMigratable(diagnostics: readonly Diagnostic[]): boolean {
  return !diagnostics.some(({ code, severity }) => severity === "error" && /^front-matter-(?!missing)/.test(code));
}

/** What a start goes by in an `_resume.md`. */
export interface LegacyManifest {
  readonly files_to_load: readonly string[];
  /** Empty where it names none. */
  readonly next_action: string;
  readonly current_phase: ManifestPhase | undefined;
  readonly current_section: number | undefined;
  readonly current_task: number | undefined;
}

/**
 * What a start goes by: the manifest; of one whose phase is no word of ours, such as `phase-1`, or whose version is none, all
 * the rest, since the boxes of the steps tell the phase; and of an `_resume.md` what there is. Null where nothing is to be had.
 */
export function startManifest(
  text: string,
  legacy: boolean,
  parsed = parseManifest(text),
): Manifest | LegacyManifest | null {
  return parsed.manifest ?? (legacy || parsed.isUsable ? parseLegacyManifest(text) : null);
}

/** Reads a file that is older than most keys: its list of files is all that it must have. Null without one, or where it does not parse. */
export function parseLegacyManifest(text: string): LegacyManifest | null {
  const read = readFrontMatterMap(text);
  if (!read.ok) return null;
  const record = recordOf(read.value, [], true);
  const { files_to_load, next_action, current_phase, current_section, current_task } = Manifest.shape;
  const files = files_to_load.safeParse(record.get("files_to_load"));
  if (!files.success) return null;
  return {
    files_to_load: files.data,
    next_action: next_action.safeParse(record.get("next_action")).data ?? "",
    current_phase: current_phase.safeParse(record.get("current_phase")).data,
    current_section: current_section.safeParse(record.get("current_section")).data,
    current_task: current_task.safeParse(record.get("current_task")).data,
  };
}

/** The phase that the front matter names, whatever else is wrong in it; null where it names none. An old name of the key counts. */
export function writtenPhase(text: string): ManifestPhase | null {
  const read = readFrontMatterMap(text);
  if (!read.ok) return null;
  return Manifest.shape.current_phase.safeParse(recordOf(read.value, [], true).get("current_phase")).data ?? null;
}

function placed(source: SourceText, findings: readonly Finding[]): readonly Diagnostic[] {
  return findings.map((finding) => diagnosticAt(source, finding)).sort(compareDiagnostics);
}

interface Checked {
  readonly manifest: Manifest | null;
  /** Of the findings those that leave no manifest. */
  readonly costly: readonly Finding[];
  readonly isUsable: boolean;
}

/** Holds the record against the schema; what is wrong in an optional key costs that key only. */
function checked(record: ReadonlyMap<ManifestKey, unknown>, map: FrontMatterMap, findings: Finding[]): Checked {
  const behind = { start: map.span.end, end: map.span.end };
  const result = Manifest.safeParse(Object.fromEntries(record));
  const bad = new Set<string>();
  const costly: Finding[] = [];
  for (const issue of result.error?.issues ?? []) {
    const [key, item] = issue.path;
    if (typeof key !== "string" || !isManifestKey(key) || bad.has(key)) continue;
    bad.add(key);
    // What is wrong with an item was told with its place.
    const told = toldOf(map.entries.get(key)?.value, item, findings);
    const finding = told ?? (record.has(key) ? wrongValue(key, map) : missing(key, map, behind));
    if (told === null) findings.push(finding);
    if (!Manifest.shape[key].isOptional()) costly.push(finding);
  }
  if (record.get("next_action") === "")
    findings.push({
      code: "manifest-value",
      severity: "warning",
      message: "`next_action` is empty; expected the skill to run next.",
      hint: exampleOf("next_action"),
      span: keySpanOf("next_action", map, behind),
    });
  const files = record.get("files_to_load");
  if (Array.isArray(files) && files.length === 0)
    findings.push({
      code: "manifest-value",
      severity: "warning",
      message: "`files_to_load` is empty; expected the files that tell what the project is about.",
      hint: exampleOf("files_to_load"),
      span: keySpanOf("files_to_load", map, behind),
    });
  const version = record.get("resume_schema_version");
  if (typeof version === "string" && !bad.has("resume_schema_version") && Number.parseInt(version, 10) > NEWEST)
    findings.push({
      code: "manifest-version",
      severity: "warning",
      message: `\`resume_schema_version\` is ${shownValue(version)}; what is newer than ${NEWEST} is read as far as it is known here.`,
      hint: "A newer version of this program reads all of it; what is not known stays as it is.",
      span: entryOf("resume_schema_version", map).value.span,
    });
  for (const key of RECOMMENDED_KEYS)
    if (!map.entries.has(key))
      findings.push({
        code: "manifest-recommended-key",
        severity: "warning",
        message: `\`${key}\` is absent; expected ${expectedOf(key)}.`,
        span: behind,
        hint: "`resume.update` writes it from the steps file.",
      });
  const isUsable = costly.length === [...bad].filter((key) => DISPENSABLE.has(key)).length;
  if (result.success) return { manifest: result.data, costly, isUsable };
  const kept = [...record].filter(([key]) => !bad.has(key));
  return { manifest: Manifest.safeParse(Object.fromEntries(kept)).data ?? null, costly, isUsable };
}

/** The first number of the version that we write: a later one says that something has another meaning. */
const NEWEST = Number.parseInt(RESUME_SCHEMA_VERSION, 10);
const DISPENSABLE: ReadonlySet<string> = new Set(["current_phase", "resume_schema_version"] satisfies ManifestKey[]);

/** What was found wrong with an item of a list. */
function toldOf(
  value: EntryValue | undefined,
  item: PropertyKey | undefined,
  findings: readonly Finding[],
): Finding | null {
  const span = value?.kind === "list" ? value.items[Number(item)]?.span : undefined;
  return findings.find((finding) => finding.span === span) ?? null;
}

/** A copied manifest: whoever follows it takes one project for another. */
function foreign({ project_id }: Manifest, folder: string, map: FrontMatterMap): readonly Finding[] {
  const span = map.entries.get("project_id")?.value.span;
  if (project_id === folder || span === undefined) return [];
  return [
    {
      code: "manifest-project",
      severity: "warning",
      message: `\`project_id\` is ${JSON.stringify(project_id)}; expected ${folder}, whose folder holds the manifest.`,
      span,
      hint: `Write project_id: ${JSON.stringify(folder)}, or move the file to the project that it belongs to.`,
    },
  ];
}

function missing(key: ManifestKey, map: FrontMatterMap, behind: Span): Finding {
  const entry = map.entries.get(key);
  // Manifests of builds name the same two things so.
  const build = key.startsWith("project_") ? map.entries.get(key.replace("project_", "build_")) : undefined;
  return {
    code: "manifest-missing-key",
    severity: "error",
    message: `\`${key}\` ${entry === undefined ? "is missing" : "has no value"}; expected ${expectedOf(key)}.`,
    span: keySpanOf(key, map, behind),
    hint: build === undefined ? exampleOf(key) : `It has \`${build.key}\`: add \`${key}\` with that value.`,
  };
}

function keySpanOf(key: ManifestKey, map: FrontMatterMap, behind: Span): Span {
  return map.entries.get(key)?.keySpan ?? behind;
}

function entryOf(key: ManifestKey, map: FrontMatterMap) {
  const entry = map.entries.get(key) ?? map.entries.get("resume_version");
  invariant(entry !== undefined, "what is read stands under its key, or under the old one");
  return entry;
}

function wrongValue(key: ManifestKey, map: FrontMatterMap): Finding {
  const { value } = entryOf(key, map);
  const finding = wrong(key, describe(value), expectedOf(key), value.span);
  if (value.kind !== "scalar" || key !== "current_phase") return finding;
  const near = suggest(value.source.slice(0, 80), PHASES);
  return near === null ? finding : { ...finding, hint: `Did you mean ${near}?` };
}
