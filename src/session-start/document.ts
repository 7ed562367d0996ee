import { escapeXmlAttribute, openTag } from "../base/xml.ts";
import { type Entry, entriesIn, joinEntries, marksOf, type Order } from "./assemble.ts";
import { type Envelope, shareOut } from "./budget.ts";
import { compactSections } from "./compact-document.ts";
import type { Estimate, SessionStartFacts } from "./facts.ts";
import { fingerprint } from "./fingerprint.ts";
import { banner, WRITTEN_BY } from "./instructions.ts";
import { type Loss, largestLosses, lossesOf, omittedElement } from "./omitted.ts";
import { type Piece, pieceOf, UNCOUNTED } from "./piece.ts";
import type { PieceCache, Placement } from "./placement.ts";
import type { Section, SectionId } from "./sections.ts";
import { standIn, withSession } from "./session-id.ts";
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
  /** Estimated, all documents together; counted when it is asked. */
  readonly tokens: () => number;
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

/** A session that goes on without a project in hand gets the startup document. */
export function documentMode({ decision, project }: SessionStartFacts): "startup" | "compact" {
  return decision.mode === "compact" && project !== null ? "compact" : "startup";
}

/** The sections of the document, in the order of the design. */
export function sectionsOf(facts: SessionStartFacts): readonly Section[] {
  const { project } = facts;
  return documentMode(facts) === "compact" && project !== null
    ? compactSections(facts, project)
    : startupSections(facts);
}

/** The tokens that all parts of the document may cost together. */
export function budgetOf(facts: SessionStartFacts): number {
  return documentMode(facts) === "compact" ? facts.budgets.compact : facts.budgets.startup;
}

/** What documents of one session are made from: sections, and the markup of their items, made once for all of them. */
export interface Draft {
  readonly facts: SessionStartFacts;
  readonly sections: readonly Section[];
  readonly cache: PieceCache;
}

/** The session's id is left open: documents of the same length for every session hold the same of everything else. */
export function draftOf(facts: SessionStartFacts): Draft {
  const { session, documentPath } = facts;
  const id = session.id === null ? null : standIn(session.id);
  const path = documentPath === null ? null : withSession(documentPath, session.id, id);
  const open = { ...facts, session: { ...session, id }, documentPath: path };
  return { facts: open, sections: sectionsOf(open), cache: new Map() };
}

/**
 * The fullest documents of a draft that keep both limits, for the session of that id. `scarce` false: it is known that
 * tokens cannot run out, and they are not counted on the way.
 */
export function makeDocuments(
  draft: Draft,
  session: string | null,
  options: DocumentOptions,
  estimate: Estimate,
  scarce = true,
): DocumentSet {
  const { limits } = options;
  const free = { ...options, limits: { ...limits, tokens: Number.POSITIVE_INFINITY } };
  const set = scarce
    ? withinBoth({ ...draft, options, estimate, placing: estimate })
    : withinCaps({ ...draft, options: free, estimate, placing: UNCOUNTED });
  const documents = set.documents.map((document) => withSession(document, draft.facts.session.id, session));
  return { ...set, documents, limits };
}

function withinBoth(task: Task): DocumentSet {
  const { limits } = task.options;
  const units = leastUnits(task.sections);
  if (units <= limits.tokens * MOST_UNITS_A_TOKEN) {
    const all = inOne(task, units);
    if (all !== null && keepsTokens(all, limits.tokens)) return all;
  }
  if (limits.bins > 1 && units <= Math.min(limits.cap * limits.bins, limits.tokens * MOST_UNITS_A_TOKEN)) {
    const spread = withinTokens(task, "none");
    if (spread.losses.length === 0) return spread;
  }
  const cut = withinTokens(task, "likely");
  const kept = cut.tokens() <= limits.tokens && cut.documents.every(({ length }) => length <= limits.cap);
  return kept ? cut : withinTokens(task, "all");
}

/** As `withinBoth`, where only the caps can be too small. */
function withinCaps(task: Task): DocumentSet {
  const { limits } = task.options;
  const units = leastUnits(task.sections);
  const all = inOne(task, units);
  if (all !== null) return all;
  if (units <= limits.cap * limits.bins) {
    const spread = makeOnce(task, limits, "none");
    if (spread.losses.length === 0) return spread;
  }
  const cut = makeOnce(task, limits, "likely");
  return cut.documents.every(({ length }) => length <= limits.cap) ? cut : makeOnce(task, limits, "all");
}

/** All of it in one document; null where that is longer than the cap. */
function inOne(task: Task, units: number): DocumentSet | null {
  const { cap } = task.options.limits;
  if (units > cap) return null;
  const all = makeOnce({ ...task, placing: UNCOUNTED }, NO_LIMITS, "none");
  return all.documents.every(({ length }) => length <= cap) ? all : null;
}

/** Whether documents cost at most so many tokens; what cannot cost more by its length is not counted. */
export function keepsTokens({ documents, tokens }: DocumentSet, most: number): boolean {
  const units = documents.reduce((sum, document) => sum + document.length, 0);
  const { ascii, other } = MOST_TOKENS_A_UNIT;
  const rate = documents.some((document) => NOT_ASCII.test(document)) ? other : ascii;
  return units * rate <= most || tokens() <= most;
}

/** No text is estimated at more for a UTF-16 unit: a single tab at 1.55, a rare ideograph at 3. */
export const MOST_TOKENS_A_UNIT = { ascii: 1.6, other: 3.1 };

const NOT_ASCII = /[^\0-\x7f]/;

function sumOf(documents: readonly string[], estimate: Estimate): number {
  return documents.reduce((sum, document) => sum + estimate(document), 0);
}

function once(count: () => number): () => number {
  let known: number | null = null;
  return () => {
    known ??= count();
    return known;
  };
}

/** For the naming of which losses room is kept free: of none, of what files and lists lose, of anything. */
type Reserve = "none" | "likely" | "all";

interface Task extends Draft {
  readonly options: DocumentOptions;
  readonly estimate: Estimate;
  /** By what room is shared out: the estimate, or what counts nothing where tokens cannot run out. */
  readonly placing: Estimate;
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
  for (let attempt = 1; attempt < ATTEMPTS && made.tokens() > limits.tokens; attempt++) {
    tokens = Math.max(0, tokens - Math.max(made.tokens() - limits.tokens, tokens >> 7) * attempt - 4);
    made = makeOnce(task, { ...limits, tokens }, reserve);
  }
  return made;
}

function makeOnce(task: Task, limits: Limits, reserve: Reserve): DocumentSet {
  const { facts, options, sections, estimate, placing, cache } = task;
  const { order, numbered } = options;
  const small = options.limits.cap < SMALL_CAP || options.limits.tokens < SMALL_BUDGET;
  const heading = small ? "" : banner(documentMode(facts));
  const whole = fittingPath(options.whole, limits);
  const feared = small ? [] : largestLosses(sections, reserve === "all");
  const reserved = reserve === "none" ? null : pieceOf(omittedElement(feared, whole), 0, placing);
  const open = rootTag(facts, {
    part: numbered ? options.limits.bins : null,
    of: numbered ? options.limits.bins : null,
    last: numbered ? true : null,
    id: "00000000",
    replaced: 9_999_999,
  });
  const envelope: Envelope = {
    units: open.length + CLOSE.length,
    tokens: placing(open + CLOSE),
    reserve: {
      units: heading.length + (reserved?.text.length ?? 0),
      tokens: placing(heading) + (reserved?.tokens ?? 0),
    },
  };
  const placements = shareOut(sections, limits, envelope, placing, cache);
  const losses = lossesOf(placements);
  const marks = marksOf(placements);
  const left = losses.length === 0 ? null : omittedElement(small ? [] : losses, whole);
  const bodies: { readonly bin: number; readonly text: string; readonly replaced: number }[] = [];
  const lasting: string[] = [];
  for (let bin = 0; bin < limits.bins; bin++) {
    const entries = entriesIn(bin, placements, order, marks);
    const shown = bin === 0 && left !== null ? withOmitted(entries, pieceOf(left, 0, UNCOUNTED), order) : entries;
    if (bin > 0 && shown.length === 0) continue;
    const { text, replaced } = joinEntries(shown);
    for (const entry of shown) if (!PASSING.has(entry.section)) lasting.push(entry.text);
    bodies.push({ bin, text: (bin === 0 ? heading : "") + text, replaced });
  }
  const id = fingerprint(lasting);
  const documents = bodies.map(({ text, replaced }, index) => {
    // Of `of` hook commands those behind the last part print nothing.
    const last = index + 1 === bodies.length && bodies.length < options.limits.bins ? true : null;
    const parts: Attributes = numbered ? { part: index + 1, of: options.limits.bins, last } : {};
    return `${rootTag(facts, { ...parts, id, replaced: replaced === 0 ? null : replaced })}${text}${CLOSE}`;
  });
  const tokens = once(() => sumOf(documents, estimate));
  return { documents, bins: bodies.map(({ bin }) => bin), placements, losses, tokens, limits };
}

/** What differs from start to start though nothing has changed: a document is the same without it. */
const PASSING: ReadonlySet<string> = new Set(["session", "work-trail"] satisfies SectionId[]);

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
function withOmitted(entries: readonly Entry[], omitted: Piece, order: Order): readonly Entry[] {
  const action = entries.findIndex(({ text }) => text.startsWith("  <action>"));
  const at = action === -1 ? 0 : order === "priority" ? action + 1 : action;
  return [...entries.slice(0, at), { section: "omitted", wrappers: [], ...omitted }, ...entries.slice(at)];
}

/** The fingerprint and the part that a document's first tag gives; null for what is no document of ours. */
export function documentId(document: string): string | null {
  const tag = ROOT_TAG.exec(document)?.[0] ?? "";
  const id = / id="([0-9a-f]{8})"/.exec(tag)?.[1];
  return id === undefined ? null : `${id}/${/ part="(\d{1,2})"/.exec(tag)?.[1] ?? "1"}`;
}

const ROOT_TAG = /^<nexus-context [^<>]{0,300}>/;
