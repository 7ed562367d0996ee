import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  type Node,
  parseDocument,
  visit,
  type YAMLMap,
  type YAMLParseError,
} from "yaml";
import type { Finding } from "../base/diagnostic.ts";
import { splitFrontMatter, yamlHazard } from "../base/frontmatter.ts";
import { invariant } from "../base/invariant.ts";
import { MERGE_HINT, OPEN_MERGE } from "../base/merge-marks.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { Span } from "../base/source-text.ts";
import { type Entry, entryOf, isNode, spanOf } from "./front-matter-entry.ts";
import { shown } from "./manifest-finding.ts";

/** The front matter of a text as keys and values with their places. */
export interface FrontMatterMap {
  /** In the order of the file, each key once. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** Of the lines between the dashes. */
  readonly span: Span;
  /** The whole map is written `{…}`: no line can be added to it. */
  readonly flow: boolean;
  /** Blanks before each key. */
  readonly indent: string;
}

/** Aliases are shorthand that no manifest needs; a bomb is made of them. */
const ALIASES_MAX = 20;
const ERRORS_SHOWN = 10;
const PLAIN_LINES = "Write lines of `key: value`, and quote a text that holds `: ` or ` #`.";

/** Reads the front matter of a text, or says why that cannot be done, with places. Time grows with the text only. */
export function readFrontMatterMap(text: string): Result<FrontMatterMap, readonly Finding[]> {
  const found = yamlIn(text);
  if (!found.ok) return found;
  const { raw, span } = found.value;
  // No YAML begins a line so.
  const merge = OPEN_MERGE.exec(raw);
  if (merge !== null) {
    const start = span.start + merge.index;
    const open = { start, end: start + merge[0].length };
    return err([
      fault("front-matter-yaml", "The front matter holds two versions: git left a merge open.", open, MERGE_HINT),
    ]);
  }
  // Keys are compared here: the package compares each with each other.
  const document = parseDocument(raw, {
    keepSourceTokens: true,
    prettyErrors: false,
    uniqueKeys: false,
    // Silent, it passes over all that stands behind a line of three dots.
    logLevel: "error",
  });
  if (document.errors.length > 0)
    return err(document.errors.slice(0, ERRORS_SHOWN).map((error) => yamlFault(error, raw, span.start)));
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null))
    return ok({ entries: new Map(), span, flow: false, indent: "" });
  if (!isMap(contents)) {
    const message = "The front matter holds one value; expected lines of `key: value`.";
    return err([fault("front-matter-yaml", message, spanOf(contents, span.start), PLAIN_LINES)]);
  }
  const names = namesIn(document, span.start);
  if (!names.ok) return names;
  const entries = entriesOf(contents, span.start, names.value);
  if (!entries.ok) return entries;
  const first = entries.value.values().next().value?.keySpan.start ?? span.start;
  const before = text.slice(text.lastIndexOf("\n", first) + 1, first);
  const indent = before.slice(0, before.length - before.trimStart().length);
  return ok({ entries: entries.value, span, flow: contents.flow === true, indent });
}

/** The lines between the dashes, where they are such that a parser may read them. */
function yamlIn(text: string): Result<{ readonly raw: string; readonly span: Span }, readonly Finding[]> {
  const parts = splitFrontMatter(text);
  if (parts.kind === "absent") {
    // All on one line, as it were.
    const [dashes] = /^\uFEFF?---[ \t]*\r/.exec(text) ?? [];
    if (dashes !== undefined) return err([strayReturn(dashes.length - 1)]);
    const hint = "Begin the file with a line of three dashes, the keys, and another line of three dashes.";
    return err([fault("front-matter-missing", "Line 1 is not `---`; expected front matter.", firstLine(text), hint)]);
  }
  if (parts.kind === "unclosed") {
    const message = "The front matter that opens here is not closed.";
    return err([fault("front-matter-unclosed", message, parts.opening, "End it with a line of exactly three dashes.")]);
  }
  const { raw, span } = parts;
  const stray = /\r(?!\n)/.exec(raw);
  if (stray !== null) return err([strayReturn(span.start + stray.index)]);
  const hazard = yamlHazard(raw);
  if (hazard !== null) {
    const message = `The front matter is not read: ${hazard}.`;
    const hint = "A manifest is a few plain keys and one list.";
    return err([fault("front-matter-too-complex", message, firstLine(text), hint)]);
  }
  return ok({ raw, span });
}

function strayReturn(start: number): Finding {
  const message = "A carriage return stands without a line feed; YAML reads it as text.";
  return fault("front-matter-newline", message, { start, end: start + 1 }, "End each line with LF or CRLF.");
}

/** What the package could not read, as a finding; `base` is the offset of the YAML in the text. */
function yamlFault({ code, message, pos }: YAMLParseError, raw: string, base: number): Finding {
  const [start, end] = pos;
  const span = {
    start: base + Math.min(start, raw.length),
    end: base + Math.min(Math.max(start, end), raw.length),
  };
  if (code !== "MULTIPLE_DOCS")
    return fault("front-matter-yaml", `The front matter is not YAML: ${message.trim()}`, span, PLAIN_LINES);
  const second = "The front matter holds a second YAML document; expected one.";
  return fault("front-matter-yaml", second, span, "Remove the line of three dots, or the dashes, that parts the two.");
}

/** What values are called, for others to refer to. */
interface Names {
  readonly anchors: ReadonlyMap<string, Node>;
  /** Names that an alias refers to. */
  readonly aliased: ReadonlySet<string>;
}

function namesIn(document: Document, base: number): Result<Names, readonly Finding[]> {
  const anchors = new Map<string, Node>();
  const aliased = new Set<string>();
  const dangling: Alias[] = [];
  let aliases = 0;
  visit(document, {
    Alias: (_key, alias) => {
      aliases += 1;
      aliased.add(alias.source);
      if (!anchors.has(alias.source)) dangling.push(alias);
    },
    Node: (_key, node) => {
      if (!isAlias(node) && node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  if (aliases > ALIASES_MAX) {
    const message = `The front matter holds ${aliases} aliases; expected at most ${ALIASES_MAX}.`;
    return err([fault("front-matter-aliases", message, { start: base, end: base }, "Write the values out.")]);
  }
  const [lost] = dangling;
  if (lost !== undefined) {
    const message = `The alias *${shown(lost.source)} names nothing that stands above it.`;
    return err([fault("front-matter-yaml", message, spanOf(lost, base), "Write the value out.")]);
  }
  return ok({ anchors, aliased });
}

/** The entries of a map in their order; each key is a word, and stands once. */
function entriesOf(
  map: YAMLMap,
  base: number,
  { anchors, aliased }: Names,
): Result<ReadonlyMap<string, Entry>, readonly Finding[]> {
  const entries = new Map<string, Entry>();
  const faults: Finding[] = [];
  for (const pair of map.items) {
    const entry = entryOf(pair, base, anchors, aliased);
    if (entry === null) {
      invariant(isNode(pair.key), "a parsed key is a node");
      const { start } = spanOf(pair.key, base);
      const message = "A key is a list or a map; expected a word.";
      faults.push(fault("front-matter-yaml", message, { start, end: start }, PLAIN_LINES));
    } else if (entries.has(entry.key)) {
      const message = `The key \`${entry.key}\` stands twice.`;
      faults.push(fault("front-matter-duplicate-key", message, entry.keySpan, "Keep one of the two."));
    } else entries.set(entry.key, entry);
  }
  return faults.length > 0 ? err(faults.slice(0, ERRORS_SHOWN)) : ok(entries);
}

function firstLine(text: string): Span {
  return { start: 0, end: text.slice(0, 200).search(/[\r\n]|$/) };
}

function fault(code: string, message: string, span: Span, hint: string): Finding {
  return { code, severity: "error", message, span, hint };
}
