import { type FrontMatterValue, scanFrontMatter, splitFrontMatter } from "../base/frontmatter.ts";
import { outline } from "../base/markdown.ts";
import { type Position, sourceText } from "../base/source-text.ts";
import type { StepsPhase } from "./steps.ts";

/** What `01-overview.md` (or `overview.md`) says about a project; null where it does not. */
export interface Overview {
  readonly id: string | null;
  readonly name: string | null;
  /** As `normalStatus` gives it. */
  readonly status: string | null;
  readonly description: string | null;
  readonly created: string | null;
  /** Why its front matter is not read; null where it is, where there is none, and where only a YAML parser could tell. */
  readonly fault: FrontMatterFault | null;
}

/** What is wrong with front matter, and where in the file. */
export interface FrontMatterFault extends Position {
  readonly message: string;
}

/** Why the lines between the dashes are no YAML map; `at` is an offset into them. */
export interface YamlFault {
  readonly at: number;
  readonly message: string;
}

/** Reads front matter that the plain scan cannot take; null where nobody reads it. */
export type ReadYaml = (raw: string) => ReadonlyMap<string, FrontMatterValue> | YamlFault | null;

const NAME_SEARCHED = 20_000;

/**
 * Reads an overview. Simple front matter is read without a YAML parser; for the rest `readYaml` is asked where there is
 * one. The name falls back to the first `#` heading.
 */
export function parseOverview(text: string, readYaml: ReadYaml | null = null): Overview {
  const { values, body, fault } = openFrontMatter(text, readYaml);
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
    name: get("name", "project_name", "title") ?? firstTitle(body),
    status: status === null ? null : normalStatus(status),
    description: get("description"),
    created: get("created"),
    fault,
  };
}

interface OpenedFrontMatter {
  readonly values: ReadonlyMap<string, FrontMatterValue> | null;
  readonly body: string;
  readonly fault: FrontMatterFault | null;
}

function openFrontMatter(text: string, readYaml: ReadYaml | null): OpenedFrontMatter {
  const parts = splitFrontMatter(text);
  if (parts.kind === "unclosed") {
    const message = "the front matter that opens here is not closed, and nothing in it is read";
    return { values: null, body: "", fault: { line: 1, column: 1, message } };
  }
  const { body } = parts;
  if (parts.kind === "absent") return { values: null, body, fault: null };
  const read = scanFrontMatter(parts.raw) ?? readYaml?.(parts.raw) ?? null;
  if (read === null || !("at" in read)) return { values: read, body, fault: null };
  const before = parts.raw.slice(0, read.at).split("\n");
  const message = `the front matter is not read: ${read.message}`;
  // The line of dashes is the first.
  return { values: null, body, fault: { line: before.length + 1, column: (before.at(-1)?.length ?? 0) + 1, message } };
}

/** When a manifest was last brought up to date, as its front matter says it; null where it does not. */
export function lastUpdated(manifest: string, readYaml: ReadYaml | null): string | null {
  const value = openFrontMatter(manifest, readYaml).values?.get("last_updated");
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
