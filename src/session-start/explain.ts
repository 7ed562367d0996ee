import { plural } from "../base/plural.ts";
import { loopText } from "../transcript/loop-text.ts";
import { entriesIn, joinEntries, marksOf } from "./assemble.ts";
import { type DocumentSet, documentMode, sectionsOf } from "./document.ts";
import type { Estimate, SessionStartFacts } from "./facts.ts";
import { loopDocument } from "./loop-document.ts";
import type { Loss } from "./omitted.ts";
import { startSets } from "./parts.ts";
import type { SectionId } from "./sections.ts";

/** What a start injects, and what becomes of each section. */
export interface Explanation {
  readonly mode: "startup" | "compact";
  readonly action: string;
  /** Row of the table of cases. */
  readonly caseNumber: number | null;
  readonly why: string;
  /** Of the whole document, which is kept in a file. */
  readonly whole: Figures;
  readonly delivered: Figures & {
    /** UTF-16 units of one document. */
    readonly cap: number;
    /** Hook commands to split over; those without a document print nothing. */
    readonly hookEntries: number;
    readonly parts: readonly { readonly part: number; readonly characters: number; readonly tokens: number }[];
  };
  /** In the order of the whole document. */
  readonly sections: readonly SectionReport[];
  /** One line, where something is cut or left out. */
  readonly warning: string | null;
}

/** UTF-16 units, estimated tokens, and the most tokens there may be. */
export interface Figures {
  readonly characters: number;
  readonly tokens: number;
  readonly budget: number;
}

export type Kept = "whole" | "cut" | "left-out";

export interface SectionReport {
  readonly id: SectionId;
  /** As delivered, its tags included. */
  readonly characters: number;
  readonly tokens: number;
  readonly kept: Kept;
  readonly why: string;
  /** Numbers of the parts that hold some of it. */
  readonly parts: readonly number[];
  readonly inWholeDocument: Kept;
}

/** Why the documents of these facts are what they are: what each section costs, what was kept of it, and where. */
export function explain(facts: SessionStartFacts, estimate: Estimate): Explanation {
  if (facts.loop !== null) return explainLoop(facts, facts.loop, estimate);
  const { whole, delivered } = startSets(facts, estimate, "parts");
  const { action, caseNumber, why } = facts.decision;
  const sections = sectionsOf(facts).map(({ id }) => reportOf(id, delivered, whole, estimate));
  const short = sections.filter(({ kept }) => kept !== "whole").map(({ id }) => id);
  const { cap, tokens } = delivered.limits;
  const parts = delivered.documents.map((text, index) => ({
    part: index + 1,
    characters: text.length,
    tokens: estimate(text),
  }));
  const hookEntries = facts.delivery.parts;
  const limits = `${hookEntries} × ${cap} characters and ${tokens} tokens`;
  return {
    mode: documentMode(facts),
    action,
    caseNumber,
    why,
    whole: figuresOf(whole, estimate),
    delivered: { ...figuresOf(delivered, estimate), cap, hookEntries, parts },
    sections,
    warning: short.length === 0 ? null : `Not everything fits in ${limits}: ${short.join(", ")}.`,
  };
}

/** One short document, whatever there would be to tell. */
function explainLoop(
  facts: SessionStartFacts,
  loop: NonNullable<SessionStartFacts["loop"]>,
  estimate: Estimate,
): Explanation {
  const told = explain({ ...facts, loop: null }, estimate);
  const text = loopDocument(facts, loop);
  const figures = { characters: text.length, tokens: estimate(text) };
  const why = loopText(loop);
  return {
    ...told,
    delivered: { ...told.delivered, ...figures, parts: [{ part: 1, ...figures }] },
    sections: told.sections.map((section) => ({
      ...section,
      characters: 0,
      tokens: 0,
      kept: "left-out",
      why: "a loop of compactions: one short document in place of all",
      parts: [],
    })),
    warning: `${why}: only a short document is given.`,
  };
}

/** Of the documents as they are: while they are made, the session's id counts as the dearest of its length. */
function figuresOf({ documents, limits }: DocumentSet, estimate: Estimate): Figures {
  const characters = documents.reduce((sum, text) => sum + text.length, 0);
  const tokens = documents.reduce((sum, text) => sum + estimate(text), 0);
  return { characters, tokens, budget: limits.tokens };
}

function reportOf(id: SectionId, delivered: DocumentSet, whole: DocumentSet, estimate: Estimate): SectionReport {
  const texts = sectionTexts(id, delivered);
  const text = texts.join("");
  const kept = keptOf(id, delivered, text);
  const inWholeDocument = keptOf(id, whole, sectionTexts(id, whole).join(""));
  return {
    id,
    characters: text.length,
    tokens: estimate(text),
    kept,
    why: reason(
      delivered.losses.find(({ section }) => section === id),
      inWholeDocument,
    ),
    parts: texts.flatMap((part, index) => (part === "" ? [] : [index + 1])),
    inWholeDocument,
  };
}

/** The section's markup in each document; empty where it has none. */
function sectionTexts(id: SectionId, { placements, bins }: DocumentSet): readonly string[] {
  const own = placements.filter(({ section }) => section === id);
  const marks = marksOf(placements);
  return bins.map((bin) => joinEntries(entriesIn(bin, own, "priority", marks)).text);
}

function keptOf(id: SectionId, { losses }: DocumentSet, text: string): Kept {
  if (!losses.some(({ section }) => section === id)) return "whole";
  return text === "" ? "left-out" : "cut";
}

function reason(loss: Loss | undefined, inWholeDocument: Kept): string {
  if (loss === undefined) return "fits";
  const what = [
    loss.items === 0 ? "" : `${loss.items} left out`,
    loss.shortened === 0 ? "" : `${loss.shortened} shortened`,
    loss.characters === 0 ? "" : `${plural(loss.characters, "character")} of files left`,
  ].filter((part) => part !== "");
  const limit = inWholeDocument === "whole" ? "the delivery's characters" : "the token budget";
  return `${what.join(", ")}: ${limit}`;
}

/** The explanation for people, a line each; rows of the table of sections are cells. */
export function explanationRows({ sections }: Explanation): readonly (readonly string[])[] {
  return [
    ["section", "characters", "tokens", "kept", "parts", "why"],
    ...sections.map(({ id, characters, tokens, kept, parts, why }) => [
      id,
      String(characters),
      String(tokens),
      kept,
      parts.join(","),
      why,
    ]),
  ];
}

/** What stands over and under the table. */
export function explanationLines(explanation: Explanation): {
  readonly head: readonly string[];
  readonly foot: readonly string[];
} {
  const { mode, action, caseNumber, why, whole, delivered, warning } = explanation;
  const row = caseNumber === null ? "" : `, case ${caseNumber}`;
  const used = delivered.parts.map(({ part, characters }) => `part ${part}: ${characters}`).join(", ");
  return {
    head: [
      `Mode ${mode}, action ${action}${row}: ${why}.`,
      `Whole document: ${whole.characters} characters, ${whole.tokens} of ${whole.budget} tokens.`,
      `Delivered: ${delivered.characters} characters in ${delivered.parts.length} of ${plural(delivered.hookEntries, "part")} of at most ${delivered.cap}, ${delivered.tokens} of ${delivered.budget} tokens (${used}).`,
    ],
    foot: warning === null ? [] : [warning],
  };
}
