import { type Alias, isAlias, isMap, isScalar, type Node, parseDocument, visit } from "yaml";
import type { Finding } from "../base/diagnostic.ts";
import { splitFrontMatter, yamlHazard } from "../base/frontmatter.ts";
import { invariant } from "../base/invariant.ts";
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
  const parts = splitFrontMatter(text);
  if (parts.kind === "absent")
    return err([
      fault(
        "front-matter-missing",
        "Line 1 is not `---`; expected front matter.",
        firstLine(text),
        "Begin the file with a line of three dashes, the keys, and another line of three dashes.",
      ),
    ]);
  if (parts.kind === "unclosed")
    return err([
      fault(
        "front-matter-unclosed",
        "The front matter that opens here is not closed.",
        parts.opening,
        "End it with a line of exactly three dashes.",
      ),
    ]);
  const { raw, span } = parts;
  const stray = /\r(?!\n)/.exec(raw);
  if (stray !== null)
    return err([
      fault(
        "front-matter-newline",
        "A carriage return stands without a line feed; YAML reads it as text.",
        {
          start: span.start + stray.index,
          end: span.start + stray.index + 1,
        },
        "End each line with LF or CRLF.",
      ),
    ]);
  const hazard = yamlHazard(raw);
  if (hazard !== null)
    return err([
      fault(
        "front-matter-too-complex",
        `The front matter is not read: ${hazard}.`,
        firstLine(text),
        "A manifest is a few plain keys and one list.",
      ),
    ]);
  // Keys are compared here: the package compares each with each other.
  const document = parseDocument(raw, {
    keepSourceTokens: true,
    prettyErrors: false,
    uniqueKeys: false,
    // Silent, it passes over all that stands behind a line of three dots.
    logLevel: "error",
  });
  if (document.errors.length > 0)
    return err(
      document.errors.slice(0, ERRORS_SHOWN).map(({ code, message, pos }) =>
        fault(
          "front-matter-yaml",
          code === "MULTIPLE_DOCS"
            ? "The front matter holds a second YAML document; expected one."
            : `The front matter is not YAML: ${message.trim()}`,
          {
            start: span.start + Math.min(pos[0], raw.length),
            end: span.start + Math.min(Math.max(pos[0], pos[1]), raw.length),
          },
          code === "MULTIPLE_DOCS" ? "Remove the line of three dots, or the dashes, that parts the two." : PLAIN_LINES,
        ),
      ),
    );
  const base = span.start;
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null))
    return ok({ entries: new Map(), span, flow: false, indent: "" });
  if (!isMap(contents))
    return err([
      fault(
        "front-matter-yaml",
        "The front matter holds one value; expected lines of `key: value`.",
        spanOf(contents, base),
        PLAIN_LINES,
      ),
    ]);

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
  if (aliases > ALIASES_MAX)
    return err([
      fault(
        "front-matter-aliases",
        `The front matter holds ${aliases} aliases; expected at most ${ALIASES_MAX}.`,
        {
          start: base,
          end: base,
        },
        "Write the values out.",
      ),
    ]);

  const [lost] = dangling;
  if (lost !== undefined)
    return err([
      fault(
        "front-matter-yaml",
        `The alias *${shown(lost.source)} names nothing that stands above it.`,
        spanOf(lost, base),
        "Write the value out.",
      ),
    ]);

  const entries = new Map<string, Entry>();
  const faults: Finding[] = [];
  for (const pair of contents.items) {
    const entry = entryOf(pair, base, anchors, aliased);
    if (entry === null) {
      invariant(isNode(pair.key), "a parsed key is a node");
      const { start } = spanOf(pair.key, base);
      faults.push(
        fault("front-matter-yaml", "A key is a list or a map; expected a word.", { start, end: start }, PLAIN_LINES),
      );
    } else if (entries.has(entry.key)) {
      faults.push(
        fault(
          "front-matter-duplicate-key",
          `The key \`${entry.key}\` stands twice.`,
          entry.keySpan,
          "Keep one of the two.",
        ),
      );
    } else entries.set(entry.key, entry);
  }
  if (faults.length > 0) return err(faults.slice(0, ERRORS_SHOWN));
  const first = entries.values().next().value?.keySpan.start ?? base;
  const lineStart = Math.max(base, text.lastIndexOf("\n", first - 1) + 1);
  const indent = /^ */.exec(text.slice(lineStart, first))?.[0] ?? "";
  return ok({ entries, span, flow: contents.flow === true, indent });
}

function firstLine(text: string): Span {
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  const end = text.slice(0, 200).search(/[\r\n]/);
  return { start, end: Math.max(start, end === -1 ? Math.min(text.length, 200) : end) };
}

function fault(code: string, message: string, span: Span, hint: string): Finding {
  return { code, severity: "error", message, span, hint };
}
