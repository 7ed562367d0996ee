import { invariant } from "../base/invariant.ts";
import { budgetOf, type DocumentSet, makeDocuments } from "./document.ts";
import type { Estimate, SessionStartFacts } from "./facts.ts";
import { loopDocument } from "./loop-document.ts";

/** The whole document, to be kept in a file: only the token budget limits it. */
export function wholeDocument(facts: SessionStartFacts, estimate: Estimate): string {
  return facts.loop === null ? only(wholeSet(facts, estimate)) : loopDocument(facts, facts.loop);
}

/** One document within the cap of one hook command. */
export function singleDocument(facts: SessionStartFacts, estimate: Estimate): string {
  return facts.loop === null ? only(singleSet(facts, estimate)) : loopDocument(facts, facts.loop);
}

/**
 * One text for each of the hook commands, as many as `delivery.parts`: documents of their own within the cap, or empty
 * where no more are needed. Every process makes the same list from the same facts, and prints its own.
 */
export function partDocuments(facts: SessionStartFacts, estimate: Estimate): readonly string[] {
  const documents = facts.loop === null ? partSet(facts, estimate).documents : [loopDocument(facts, facts.loop)];
  return Array.from({ length: facts.delivery.parts }, (_, index) => documents[index] ?? "");
}

export function wholeSet(facts: SessionStartFacts, estimate: Estimate): DocumentSet {
  const limits = { bins: 1, cap: Number.POSITIVE_INFINITY, tokens: budgetOf(facts) };
  return makeDocuments(facts, { limits, order: "document", numbered: false, whole: null }, estimate);
}

export function singleSet(facts: SessionStartFacts, estimate: Estimate): DocumentSet {
  const limits = { bins: 1, cap: facts.delivery.cap, tokens: budgetOf(facts) };
  return makeDocuments(facts, { limits, order: "document", numbered: false, whole: facts.documentPath }, estimate);
}

export function partSet(facts: SessionStartFacts, estimate: Estimate): DocumentSet {
  const limits = { bins: facts.delivery.parts, cap: facts.delivery.cap, tokens: budgetOf(facts) };
  return makeDocuments(facts, { limits, order: "priority", numbered: true, whole: facts.documentPath }, estimate);
}

function only({ documents }: DocumentSet): string {
  const [document] = documents;
  invariant(document !== undefined, "a set of documents has one at least");
  return document;
}
