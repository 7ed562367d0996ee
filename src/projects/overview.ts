import { type FrontMatterValue, scanFrontMatter, splitFrontMatter } from "../base/frontmatter.ts";
import { outline } from "../base/markdown.ts";
import { sourceText } from "../base/source-text.ts";
import type { StepsPhase } from "./steps.ts";

/** What `01-overview.md` (or `overview.md`) says about a project; null where it does not. */
export interface Overview {
  readonly id: string | null;
  readonly name: string | null;
  /** As `normalStatus` gives it. */
  readonly status: string | null;
  readonly description: string | null;
  readonly created: string | null;
  /** `unclosed`: no second line of dashes. `unread`: the front matter needs a YAML parser, or is no YAML. */
  readonly frontMatter: "read" | "absent" | "unclosed" | "unread";
}

/** Reads front matter that the plain scan cannot take; null where it is no YAML map either. */
export type ReadYaml = (raw: string) => ReadonlyMap<string, FrontMatterValue> | null;

const NAME_SEARCHED = 20_000;

/**
 * Reads an overview. Simple front matter is read without a YAML parser; for the rest `readYaml` is asked where there is
 * one. The name falls back to the first `#` heading.
 */
export function parseOverview(text: string, readYaml: ReadYaml | null = null): Overview {
  const parts = splitFrontMatter(text);
  const values = parts.kind === "found" ? (scanFrontMatter(parts.raw) ?? readYaml?.(parts.raw) ?? null) : null;
  const get = (...keys: readonly string[]): string | null => {
    for (const key of keys) {
      const value = values?.get(key);
      if (typeof value === "string" && value.trim() !== "") return value.trim();
      if (typeof value === "number") return String(value);
    }
    return null;
  };
  const status = get("status");
  return {
    id: get("id", "project_id"),
    name: get("name", "project_name", "title") ?? firstTitle(parts.kind === "unclosed" ? "" : parts.body),
    status: status === null ? null : normalStatus(status),
    description: get("description"),
    created: get("created"),
    frontMatter: parts.kind === "found" ? (values === null ? "unread" : "read") : parts.kind,
  };
}

/** When a manifest was last brought up to date, as its front matter says it; null where it does not. */
export function lastUpdated(manifest: string, readYaml: ReadYaml | null): string | null {
  const parts = splitFrontMatter(manifest);
  const values = parts.kind === "found" ? (scanFrontMatter(parts.raw) ?? readYaml?.(parts.raw)) : null;
  const value = values?.get("last_updated");
  return typeof value === "string" ? value : null;
}

function firstTitle(body: string): string | null {
  const { headings } = outline(sourceText(body.slice(0, NAME_SEARCHED)));
  return headings.find((heading) => heading.level === 1 && heading.title !== "")?.title ?? null;
}

const STATUS_WORDS: ReadonlyMap<string, string> = new Map([
  // Nearly all are written like this.
  ...["PLANNING", "IN_PROGRESS", "COMPLETE"].map((word) => [word, word] as const),
  ["COMPLETED", "COMPLETE"],
  ["DONE", "COMPLETE"],
  ["INPROGRESS", "IN_PROGRESS"],
]);

/** `in progress` and `In-Progress` are `IN_PROGRESS`, `Completed` is `COMPLETE`; a word of the user's own stays, in capitals. */
export function normalStatus(text: string): string {
  const known = STATUS_WORDS.get(text);
  if (known !== undefined) return known;
  const word = text
    .trim()
    .toUpperCase()
    .replace(/[\s-]+/g, "_");
  return STATUS_WORDS.get(word) ?? word;
}

/** The overview's status; where it names none, what follows from the boxes. */
export function projectStatus(overview: Overview | null, phase: StepsPhase | null): string {
  return overview?.status ?? STATUS_OF_PHASE[phase ?? "empty"];
}

const STATUS_OF_PHASE = {
  empty: "PLANNING",
  planning: "PLANNING",
  execution: "IN_PROGRESS",
  complete: "COMPLETE",
} as const satisfies Record<StepsPhase, string>;
