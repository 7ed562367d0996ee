import type { Estimate } from "./facts.ts";
import { growFile, placePointer } from "./place-files.ts";
import { placeFullest, placeLeast } from "./place-fixed.ts";
import { placeLists, placeStub } from "./place-lists.ts";
import {
  comparePlacements,
  isFile,
  isFixed,
  isList,
  type PieceCache,
  type Placement,
  placementsOf,
} from "./placement.ts";
import type { Section } from "./sections.ts";
import { createShelf, freeUnits, type Limits } from "./shelf.ts";

export interface Envelope {
  /** What a document's own tags cost, and in the first one what is kept free for naming what was left out. */
  readonly units: number;
  readonly tokens: number;
  readonly reserve: { readonly units: number; readonly tokens: number };
}

/** Units of text that a token may be: only to share room out; the estimate decides what fits. */
const UNITS_A_TOKEN = 3;
/** Shares of the room left by what is fixed that each file may take, round by round: small files first become whole. */
const ROUNDS = { first: 0.08, second: 0.25 };

/**
 * Decides what stands in which document. First what must be there, then everything fixed, then the names of all lists and
 * files, then a little of each file, the lists, and what is left goes to the files; within each, what matters more first.
 */
export function shareOut(
  sections: readonly Section[],
  limits: Limits,
  envelope: Envelope,
  estimate: Estimate,
  cache: PieceCache,
): readonly Placement[] {
  const placements = placementsOf(sections, estimate, cache);
  const ranked = placements.toSorted(comparePlacements);
  const fixed = ranked.filter(isFixed);
  const files = ranked.filter(isFile);
  const lists = ranked.filter(isList);
  let shelf = createShelf({ ...limits, tokens: limits.tokens - envelope.reserve.tokens }, envelope);
  const [first] = shelf.bins;
  if (first !== undefined) first.free -= envelope.reserve.units;
  for (const placement of fixed) placeLeast(shelf, placement, estimate);
  for (const placement of fixed) placeFullest(shelf, placement, estimate);
  for (const placement of ranked) {
    if (isList(placement)) placeStub(shelf, placement);
    else if (isFile(placement)) placePointer(shelf, placement, estimate);
  }
  const room = Math.min(freeUnits(shelf), shelf.tokens * UNITS_A_TOKEN);
  for (const file of files) growFile(shelf, file, Math.floor(room * ROUNDS.first), estimate);
  shelf = placeLists(shelf, lists, estimate);
  for (const file of files) growFile(shelf, file, Math.floor(room * ROUNDS.second), estimate);
  for (const file of files) growFile(shelf, file, Number.POSITIVE_INFINITY, estimate);
  return placements;
}
