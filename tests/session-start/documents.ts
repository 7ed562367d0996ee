import type { Estimate, SessionStartFacts } from "../../src/session-start/facts.ts";
import { loopDocument } from "../../src/session-start/loop-document.ts";
import { only, startSets } from "../../src/session-start/parts.ts";

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
