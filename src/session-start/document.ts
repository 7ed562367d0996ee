import { escapeXmlAttribute, openTag } from "../base/xml.ts";
import { type Entry, entriesIn, joinEntries, marksOf, type Order } from "./assemble.ts";
import { type Envelope, shareOut } from "./budget.ts";
import { compactSections } from "./compact-document.ts";
import type { Estimate, SessionStartFacts } from "./facts.ts";
import { banner, WRITTEN_BY } from "./instructions.ts";
import { type Loss, largestLosses, lossesOf, omittedElement } from "./omitted.ts";
import { pieceOf } from "./piece.ts";
import type { PieceCache, Placement } from "./placement.ts";
import type { Section } from "./sections.ts";
import type { Limits } from "./shelf.ts";
import { startupSections } from "./startup-document.ts";
import { type Attributes, element } from "./vocabulary.ts";

/** Documents made from one set of facts within one set of limits. */
export interface DocumentSet {
  /** Those that hold something, in order; one at least. */
  readonly documents: readonly string[];
  /** For each document, the number that its placements know it by. */
  readonly bins: readonly number[];
  readonly placements: readonly Placement[];
  readonly losses: readonly Loss[];
  /** Estimated, all documents together. */
  readonly tokens: number;
  readonly limits: Limits;
}

export interface DocumentOptions {
  readonly limits: Limits;
  readonly order: Order;
  /** Documents say which of how many they are. */
  readonly numbered: boolean;
  /** Where the whole document is, for when something is left out. */
  readonly whole: string | null;
}

export function documentMode({ decision, project }: SessionStartFacts): "startup" | "compact" {
  return decision.mode === "compact" && project !== null ? "compact" : "startup";
}

export function sectionsOf(facts: SessionStartFacts): readonly Section[] {
  const { project } = facts;
  return documentMode(facts) === "compact" && project !== null
    ? compactSections(facts, project)
    : startupSections(facts);
}

export function budgetOf(facts: SessionStartFacts): number {
  return documentMode(facts) === "compact" ? facts.budgets.compact : facts.budgets.startup;
}

/** The fullest documents that keep both limits. */
export function makeDocuments(facts: SessionStartFacts, options: DocumentOptions, estimate: Estimate): DocumentSet {
  const task: Task = { facts, options, sections: sectionsOf(facts), estimate, cache: new Map() };
  const { limits } = options;
  const units = leastUnits(task.sections);
  if (units <= Math.min(limits.cap, limits.tokens * MOST_UNITS_A_TOKEN)) {
    const all = makeOnce(task, NO_LIMITS, "none");
    const [document] = all.documents;
    if (document !== undefined && document.length <= limits.cap && all.tokens <= limits.tokens)
      return { ...all, limits };
  }
  if (limits.bins > 1 && units <= Math.min(limits.cap * limits.bins, limits.tokens * MOST_UNITS_A_TOKEN)) {
    const spread = withinTokens(task, "none");
    if (spread.losses.length === 0) return spread;
  }
  const cut = withinTokens(task, "likely");
  const kept = cut.tokens <= limits.tokens && cut.documents.every(({ length }) => length <= limits.cap);
  return kept ? cut : withinTokens(task, "all");
}

/** For the naming of which losses room is kept free: of none, of what files and lists lose, of anything. */
type Reserve = "none" | "likely" | "all";

interface Task {
  readonly facts: SessionStartFacts;
  readonly options: DocumentOptions;
  readonly sections: readonly Section[];
  readonly estimate: Estimate;
  readonly cache: PieceCache;
}

const NO_LIMITS: Limits = { bins: 1, cap: Number.POSITIVE_INFINITY, tokens: Number.POSITIVE_INFINITY };
/** Few texts have as many units a token: what has more is not tried whole. */
const MOST_UNITS_A_TOKEN = 5;

/** What files and lists take at the least, before anything of them is written. */
function leastUnits(sections: readonly Section[]): number {
  let units = 0;
  for (const unit of sections.flatMap((section) => section.units)) {
    if (unit.kind === "file") units += unit.text.length;
    else if (unit.kind === "list") for (const item of unit.items) units += item.leastUnits;
  }
  return units;
}

/** Tokens add up only nearly: what is too much by the last count is taken off, and the room shared out again. */
const ATTEMPTS = 8;

function withinTokens(task: Task, reserve: Reserve): DocumentSet {
  const { limits } = task.options;
  let tokens = limits.tokens;
  let made = makeOnce(task, limits, reserve);
  for (let attempt = 1; attempt < ATTEMPTS && made.tokens > limits.tokens; attempt++) {
    tokens = Math.max(0, tokens - Math.max(made.tokens - limits.tokens, tokens >> 7) * attempt - 4);
    made = makeOnce(task, { ...limits, tokens }, reserve);
  }
  return { ...made, limits };
}

function makeOnce(task: Task, limits: Limits, reserve: Reserve): DocumentSet {
  const { facts, options, sections, estimate, cache } = task;
  const { order, numbered } = options;
  const small = options.limits.cap < SMALL_CAP || options.limits.tokens < SMALL_BUDGET;
  const heading = small ? "" : banner(documentMode(facts));
  const whole = fittingPath(options.whole, limits);
  const feared = small ? [] : largestLosses(sections, reserve === "all");
  const reserved = reserve === "none" ? null : pieceOf(omittedElement(feared, whole), 0, estimate);
  const open = rootTag(facts, {
    part: numbered ? 99 : null,
    of: numbered ? 99 : null,
    id: "00000000",
    replaced: 9_999_999,
  });
  const envelope: Envelope = {
    units: open.length + CLOSE.length,
    tokens: estimate(open + CLOSE),
    reserve: {
      units: heading.length + (reserved?.text.length ?? 0),
      tokens: estimate(heading) + (reserved?.tokens ?? 0),
    },
  };
  const placements = shareOut(sections, limits, envelope, estimate, cache);
  const losses = lossesOf(placements);
  const marks = marksOf(placements);
  const left = losses.length === 0 ? null : omittedElement(small ? [] : losses, whole);
  const bodies: { readonly bin: number; readonly text: string; readonly replaced: number }[] = [];
  for (let bin = 0; bin < limits.bins; bin++) {
    const entries = entriesIn(bin, placements, order, marks);
    const shown = bin === 0 && left !== null ? withOmitted(entries, pieceOf(left, 0, estimate), order) : entries;
    if (bin > 0 && shown.length === 0) continue;
    const { text, replaced } = joinEntries(shown);
    bodies.push({ bin, text: (bin === 0 ? heading : "") + text, replaced });
  }
  const id = fingerprint(bodies.map(({ text }) => text));
  const documents = bodies.map(({ text, replaced }, index) => {
    const parts: Attributes = numbered ? { part: index + 1, of: bodies.length } : {};
    return `${rootTag(facts, { ...parts, id, replaced: replaced === 0 ? null : replaced })}${text}${CLOSE}`;
  });
  const tokens = documents.reduce((sum, document) => sum + estimate(document), 0);
  return { documents, bins: bodies.map(({ bin }) => bin), placements, losses, tokens, limits };
}

/** Below these the comment is left out, and what was left out is not named one by one. */
const SMALL_CAP = 3000;
const SMALL_BUDGET = 1500;

/** A pointer is worth a quarter of the room, not more. */
function fittingPath(path: string | null, { cap, tokens }: Limits): string | null {
  return path !== null && escapeXmlAttribute(path).length <= Math.min(cap / 4, tokens / 2) ? path : null;
}

const CLOSE = "</nexus-context>";

function rootTag(facts: SessionStartFacts, attributes: Attributes): string {
  const root = { version: "v4", mode: documentMode(facts), ...attributes, "written-by": WRITTEN_BY };
  return `${openTag(element("nexus-context", root))}>\n`;
}

/** Behind the action, which stands near the end of a whole document and near the start of a part. */
function withOmitted(entries: readonly Entry[], omitted: Omit<Entry, "wrappers">, order: Order): readonly Entry[] {
  const action = entries.findIndex(({ text }) => text.startsWith("  <action>"));
  const at = action === -1 ? 0 : order === "priority" ? action + 1 : action;
  return [...entries.slice(0, at), { wrappers: [], ...omitted }, ...entries.slice(at)];
}

/** FNV-1a, 32 bits: tells documents apart, so that a delivery can be found again in a transcript. */
export function fingerprint(texts: readonly string[]): string {
  let hash = 0x811c9dc5;
  for (const text of texts) {
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}
