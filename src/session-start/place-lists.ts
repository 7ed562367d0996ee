import { invariant } from "../base/invariant.ts";
import { merged } from "../base/merged.ts";
import type { Estimate } from "./facts.ts";
import { costOf, type Piece, pieceOf, UNCOUNTED } from "./piece.ts";
import type { ListPlacement, PlacedItem } from "./placement.ts";
import type { SectionId } from "./sections.ts";
import { copyShelf, firstFit, freeUnits, put, type Shelf } from "./shelf.ts";

const NOTHING = { units: 0, tokens: 0 };
/** Items that each list gets in turn, where not all fit. */
const TURN = 10;

/** Opens a list's wrapper: it says how many items there are even where none fits. */
export function placeStub(shelf: Shelf, list: ListPlacement): void {
  const bin = firstFit(shelf, list.frames, NOTHING);
  if (bin === null) return;
  put(shelf, bin, list.frames, NOTHING);
  list.stub = bin;
}

/**
 * Places the items of all lists, most important list first: all of them in full; else with the least important sections
 * in the short form; else as many short ones as fit, by turns. Returns the shelf with them on it.
 */
export function placeLists(shelf: Shelf, lists: readonly ListPlacement[], estimate: Estimate): Shelf {
  const open = lists.filter(({ stub }) => stub !== null);
  const sections = [...new Set(open.map(({ section }) => section))];
  for (let full = sections.length; full >= 0; full--) {
    if (!mayFit(shelf, open, sections.slice(0, full))) continue;
    const attempt = placeAll(shelf, open, new Set(sections.slice(0, full)), estimate);
    if (attempt !== null) return attempt;
  }
  placeByTurns(shelf, open, estimate);
  return shelf;
}

/** Units that a token may be at the most, but for rare texts: what needs more of them is not tried. */
const MOST_UNITS_A_TOKEN = 5;

function mayFit(shelf: Shelf, lists: readonly ListPlacement[], full: readonly SectionId[]): boolean {
  const room = Math.min(freeUnits(shelf), shelf.tokens * MOST_UNITS_A_TOKEN);
  let units = 0;
  for (const { section, unit } of lists) {
    if (full.includes(section)) for (const item of unit.items) units += item.leastUnits;
  }
  return units <= room;
}

function placeAll(
  before: Shelf,
  lists: readonly ListPlacement[],
  full: ReadonlySet<SectionId>,
  estimate: Estimate,
): Shelf | null {
  const shelf = copyShelf(before);
  const placed = new Map<ListPlacement, PlacedItem[]>();
  for (const list of lists) {
    const form = full.has(list.section) ? "full" : "short";
    const items = placeNext(shelf, list, 0, list.unit.items.length, form, estimate);
    if (items.length < list.unit.items.length) return null;
    placed.set(list, items);
  }
  for (const [list, items] of placed) list.items = items;
  return shelf;
}

function placeByTurns(shelf: Shelf, lists: readonly ListPlacement[], estimate: Estimate): void {
  let open = lists;
  while (open.length > 0) {
    open = open.filter((list) => {
      const from = list.items.length;
      const to = Math.min(from + TURN, list.unit.items.length);
      list.items = [...list.items, ...placeNext(shelf, list, from, to, "short", estimate)];
      return list.items.length === to && to < list.unit.items.length;
    });
  }
}

/** Puts items `from` to `to` where there is room, none before its predecessor; stops at the first that does not fit. */
function placeNext(
  shelf: Shelf,
  list: ListPlacement,
  from: number,
  to: number,
  form: "full" | "short",
  estimate: Estimate,
): PlacedItem[] {
  const placed: PlacedItem[] = [];
  let bin = list.items.at(-1)?.bin ?? list.stub ?? 0;
  for (let index = from; index < to; index++) {
    const piece = itemPiece(list, index, form, estimate);
    const size = { units: piece.text.length, tokens: piece.tokens };
    const next = firstFit(shelf, list.frames, size, bin);
    if (next === null) break;
    bin = next;
    put(shelf, bin, list.frames, size);
    placed.push({ bin, form, piece });
  }
  return placed;
}

function itemPiece(list: ListPlacement, index: number, form: "full" | "short", estimate: Estimate): Piece {
  const known = list.pieces[form][index];
  if (known?.counted || (known !== undefined && estimate === UNCOUNTED)) return known;
  const item = list.unit.items[index];
  invariant(item !== undefined, "a list is placed up to its last item");
  const piece =
    known === undefined
      ? pieceOf(item[form](), list.frames.length, estimate)
      : merged(known, costOf(known.text, estimate));
  list.pieces[form][index] = piece;
  return piece;
}
