import { invariant } from "../base/invariant.ts";
import {
  budgetOf,
  type DocumentOptions,
  type DocumentSet,
  type Draft,
  draftOf,
  keepsTokens,
  MOST_TOKENS_A_UNIT,
  makeDocuments,
} from "./document.ts";
import type { Estimate, SessionStartFacts } from "./facts.ts";
import { loopDocument } from "./loop-document.ts";

/** What one start needs: the whole document, to be kept, and what is delivered. */
export interface StartSets {
  /** Only the token budget limits it. */
  readonly whole: DocumentSet;
  readonly delivered: DocumentSet;
}

/** `single`: one document within the cap of one hook command; else one for each of them, `delivery.parts` at most. */
export function startSets(facts: SessionStartFacts, estimate: Estimate, form: "single" | "parts"): StartSets {
  const draft = draftOf(facts);
  const { id } = facts.session;
  const { cap, parts } = facts.delivery;
  const tokens = budgetOf(facts);
  const all: DocumentOptions = {
    limits: { bins: 1, cap: Number.POSITIVE_INFINITY, tokens },
    order: "document",
    numbered: false,
    whole: null,
  };
  const whole = makeDocuments(draft, id, all, estimate);
  const options: DocumentOptions = {
    limits: { bins: form === "single" ? 1 : parts, cap, tokens },
    order: form === "single" ? "document" : "priority",
    numbered: form === "parts",
    whole: facts.documentPath,
  };
  // A whole document that one hook command may print is what it prints.
  if (form === "single" && whole.losses.length === 0 && only(whole).length <= cap)
    return { whole, delivered: { ...whole, limits: options.limits } };
  const delivered = withoutCounting(draft, facts, options, estimate, whole);
  return { whole, delivered: delivered ?? makeDocuments(draft, id, options, estimate) };
}

/** Made without counting tokens, where the caps or the whole document show that there are enough; else null. */
function withoutCounting(
  draft: Draft,
  { session }: SessionStartFacts,
  options: DocumentOptions,
  estimate: Estimate,
  whole: DocumentSet,
): DocumentSet | null {
  const { bins, cap, tokens } = options.limits;
  const complete = whole.losses.length === 0 && keepsTokens(whole, tokens - envelopes(options));
  if (!complete && bins * cap * MOST_TOKENS_A_UNIT.ascii > tokens) return null;
  const set = makeDocuments(draft, session.id, options, estimate, false);
  return complete || keepsTokens(set, tokens) ? set : null;
}

/** More than parts cost beyond what they hold: the tags of each, and in the first the naming of what was left out. */
function envelopes({ limits, whole }: DocumentOptions): number {
  return 1500 + 150 * limits.bins + (whole?.length ?? 0);
}

/** The whole document, to be kept in a file: only the token budget limits it. */
export function wholeDocument(facts: SessionStartFacts, estimate: Estimate): string {
  return facts.loop === null ? only(startSets(facts, estimate, "single").whole) : loopDocument(facts, facts.loop);
}

/** One document within the cap of one hook command. */
export function singleDocument(facts: SessionStartFacts, estimate: Estimate): string {
  return facts.loop === null ? only(startSets(facts, estimate, "single").delivered) : loopDocument(facts, facts.loop);
}

/**
 * One text for each of the hook commands, as many as `delivery.parts`: documents of their own within the cap, or empty
 * where no more are needed. Every process makes the same list from the same facts, and prints its own.
 */
export function partDocuments(facts: SessionStartFacts, estimate: Estimate): readonly string[] {
  const documents =
    facts.loop === null ? startSets(facts, estimate, "parts").delivered.documents : [loopDocument(facts, facts.loop)];
  return Array.from({ length: facts.delivery.parts }, (_, index) => documents[index] ?? "");
}

export function only({ documents }: DocumentSet): string {
  const [document] = documents;
  invariant(document !== undefined, "a set of documents has one at least");
  return document;
}
