import { invariant } from "../base/invariant.ts";
import type { Estimate } from "./facts.ts";
import { LONGEST_MARKS } from "./marks.ts";
import { pieceOf } from "./piece.ts";
import type { FixedPlacement } from "./placement.ts";
import { firstFit, put, type Shelf, take } from "./shelf.ts";

/** Gives what must be there its smallest form, so that nothing else takes its room. */
export function placeLeast(shelf: Shelf, placement: FixedPlacement, estimate: Estimate): void {
  if (placement.unit.must) tryForm(shelf, placement, placement.unit.forms.length - 1, estimate);
}

/** The fullest form that fits. */
export function placeFullest(shelf: Shelf, placement: FixedPlacement, estimate: Estimate): void {
  const { forms } = placement.unit;
  const known = placement.at;
  const better = known === null ? forms.length : known.form;
  for (let form = 0; form < better; form++) if (tryForm(shelf, placement, form, estimate)) return;
}

function tryForm(shelf: Shelf, placement: FixedPlacement, form: number, estimate: Estimate): boolean {
  const { frames, unit, at } = placement;
  const build = unit.forms[form];
  invariant(build !== undefined, "a form is one that the unit has");
  const piece = pieceOf(build(LONGEST_MARKS), frames.length, estimate);
  const size = { units: piece.text.length, tokens: piece.tokens };
  if (at !== null) take(shelf, at.bin, frames, { units: at.piece.text.length, tokens: at.piece.tokens });
  const bin = firstFit(shelf, frames, size);
  if (bin === null) {
    if (at !== null) put(shelf, at.bin, frames, { units: at.piece.text.length, tokens: at.piece.tokens });
    return false;
  }
  put(shelf, bin, frames, size);
  placement.at = { bin, form, piece };
  return true;
}
