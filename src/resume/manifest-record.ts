import type { Finding } from "../base/diagnostic.ts";
import { isCanonicalProjectId, isProjectId } from "../base/project-id.ts";
import { suggest } from "../base/suggest.ts";
import type { Entry, EntryValue } from "./front-matter-entry.ts";
import type { FrontMatterMap } from "./front-matter-map.ts";
import { expectedOf, isManifestKey, Manifest, type ManifestKey } from "./manifest.ts";
import { describe, shown, shownValue, wrong } from "./manifest-finding.ts";
import { classifyPath, REFUSALS } from "./manifest-paths.ts";
import { meantPhase } from "./phases.ts";
import { writeScalar } from "./yaml-scalar.ts";

/** Keys of older manifests, and what they are called now. In a file of the new name only `resume_version` is read in place of its new one. */
export const OLD_KEYS: ReadonlyMap<string, ManifestKey> = new Map([
  ["resume_version", "resume_schema_version"],
  ["updated", "last_updated"],
  ["phase", "current_phase"],
  ["last_skill", "next_action"],
]);

const KINDS = {
  resume_schema_version: "text",
  project_id: "text",
  project_name: "text",
  current_phase: "text",
  next_action: "text",
  files_to_load: "list",
  last_updated: "text",
  current_section: "count",
  current_task: "count",
  progress: "text",
  session_id: "text",
  session_ids: "list",
  total_tasks: "count",
  tasks_completed: "count",
  continue_at: "text",
  blockers: "list",
} as const satisfies Record<ManifestKey, "text" | "list" | "count">;

/** The known keys' values as they are meant, with a finding for each that is not as it should be written; `legacy` reads all old names, and of a list what is a text. */
export function recordOf(map: FrontMatterMap, findings: Finding[], legacy = false): Map<ManifestKey, unknown> {
  const record = new Map<ManifestKey, unknown>();
  for (const entry of map.entries.values()) {
    const key = knownKey(entry, map, findings, legacy);
    if (key === null) continue;
    const value = meantValue(key, entry, findings, legacy);
    if (value !== undefined) record.set(key, value);
  }
  return record;
}

function knownKey(entry: Entry, map: FrontMatterMap, findings: Finding[], legacy: boolean): ManifestKey | null {
  const { key, keySpan } = entry;
  if (isManifestKey(key)) return key;
  const renamed = OLD_KEYS.get(key);
  const near = renamed ?? suggest(key.slice(0, 80), Object.keys(Manifest.shape));
  const free = near !== null && !map.entries.has(near);
  findings.push({
    code: renamed === undefined ? "manifest-unknown-key" : "manifest-old-key",
    severity: "warning",
    message:
      renamed === undefined
        ? `\`${shown(key)}\` is not a key of a manifest.`
        : `\`${key}\` is the old name of \`${renamed}\`.`,
    span: keySpan,
    hint: hintFor(near, renamed !== undefined, free),
    ...(renamed !== undefined && free ? { fix: [{ span: keySpan, text: renamed }] } : {}),
  });
  return renamed !== undefined && free && (legacy || key === "resume_version") ? renamed : null;
}

/** A key that resembles one which stands there too, as `project_type` does, is more likely one of its own. */
function hintFor(near: string | null, old: boolean, free: boolean): string {
  if (near === null || !(old || free)) return "It is left alone, and nothing reads it.";
  if (!free) return `\`${near}\` is there as well: remove this key.`;
  return old ? `Rename it to \`${near}\`.` : `Did you mean \`${near}\`?`;
}

function meantValue(key: ManifestKey, entry: Entry, findings: Finding[], legacy: boolean): unknown {
  const { value } = entry;
  // An empty action is a manifest that leaves it to the phase.
  if (value.kind === "empty" || (value.kind === "scalar" && value.value === null))
    return key === "next_action" ? "" : undefined;
  if (KINDS[key] === "list") {
    const items = value.kind === "list" ? itemsOf(key, value.items, findings) : null;
    return legacy ? (items?.filter(Boolean) ?? null) : items;
  }
  if (value.kind !== "scalar") return null;
  if (KINDS[key] === "count") return meantCount(key, value, findings);
  if (key === "current_phase") return meantPhaseOf(value, findings);
  if (key === "project_id") noteForm(value, findings);
  return value.source;
}

type ScalarValue = Extract<EntryValue, { kind: "scalar" }>;

function meantCount(key: ManifestKey, value: ScalarValue, findings: Finding[]): number | string {
  if (typeof value.value === "number") return value.value;
  if (!/^[0-9]{1,15}$/.test(value.source)) return value.source;
  findings.push({
    code: "manifest-value",
    severity: "warning",
    message: `\`${key}\` is a text; expected a number.`,
    span: value.span,
    hint: "Write the number without quotes.",
    ...(value.style === "block" ? {} : { fix: [{ span: value.span, text: String(Number(value.source)) }] }),
  });
  return Number(value.source);
}

function meantPhaseOf(value: ScalarValue, findings: Finding[]): string {
  const phase = meantPhase(value.source);
  if (phase === null || phase === value.source) return value.source;
  findings.push({
    code: "manifest-phase",
    severity: "warning",
    message: `\`current_phase\` is ${shownValue(value.source)}, which is read as ${phase}.`,
    span: value.span,
    hint: `Expected ${expectedOf("current_phase")}.`,
    ...(value.style === "block" ? {} : { fix: [{ span: value.span, text: writeScalar(phase, value.style) }] }),
  });
  return phase;
}

function noteForm(value: ScalarValue, findings: Finding[]): void {
  if (!isProjectId(value.source) || isCanonicalProjectId(value.source)) return;
  findings.push({
    code: "manifest-project-id",
    severity: "info",
    message: `\`project_id\` is ${shownValue(value.source)}; new projects are named NN-kebab-case.`,
    span: value.span,
    hint: "It is read as it is: a project that has the name keeps it.",
  });
}

/** Null for an item that is no text. */
function itemsOf(key: ManifestKey, items: readonly EntryValue[], findings: Finding[]): readonly (string | null)[] {
  const texts: (string | null)[] = [];
  const paths = new Map<string, string>();
  for (const item of items) {
    if (item.kind !== "scalar" || item.value === null) {
      findings.push(wrong(key, item.kind === "scalar" ? "null" : describe(item), "a text for each item", item.span));
      texts.push(null);
      continue;
    }
    const path = key === "files_to_load" ? classifyPath(item.source) : null;
    if (path?.kind === "refused")
      findings.push({
        code: "manifest-path",
        severity: "error",
        message: `${shownValue(item.source)} ${REFUSALS[path.reason]}; expected a path inside the project.`,
        span: item.span,
        hint: "This file is never loaded: name it relative to the project's folder.",
      });
    const earlier = path?.kind === "relative" ? paths.get(path.path) : undefined;
    if (earlier !== undefined)
      findings.push({
        code: "manifest-path-twice",
        severity: "warning",
        message: `${shownValue(item.source)} is listed above${earlier === item.source ? "" : `, as ${shownValue(earlier)}`}.`,
        span: item.span,
        hint: "A file is loaded once: keep one of the two.",
      });
    else if (path?.kind === "relative") paths.set(path.path, item.source);
    texts.push(item.source);
  }
  return texts;
}
