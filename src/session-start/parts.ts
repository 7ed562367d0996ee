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
    whole: draft.facts.documentPath,
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

/** The one document of a set that has no more. */
export function only({ documents }: DocumentSet): string {
  const [document] = documents;
  invariant(document !== undefined, "a set of documents has one at least");
  return document;
}
