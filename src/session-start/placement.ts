import { type Cut, countLines } from "./cut-file.ts";
import type { Estimate } from "./facts.ts";
import { type Frame, frameOf, type Piece } from "./piece.ts";
import type { FileUnit, FixedUnit, ListUnit, Section, SectionId } from "./sections.ts";
import { PRIORITIES } from "./sections.ts";

/** A unit on its way into a document: what it is, and where it stands so far. */
export type Placement = FixedPlacement | FilePlacement | ListPlacement;

interface PlacementBase {
  readonly section: SectionId;
  /** The document's own order. */
  readonly index: number;
  readonly frames: readonly Frame[];
}

export interface FixedPlacement extends PlacementBase {
  readonly unit: FixedUnit;
  at: { readonly bin: number; readonly form: number; readonly piece: Piece } | null;
}

export interface FilePlacement extends PlacementBase {
  readonly unit: FileUnit;
  readonly lineCount: number;
  at: { readonly bin: number; readonly cut: Cut; readonly piece: Piece } | null;
}

export interface ListPlacement extends PlacementBase {
  readonly unit: ListUnit;
  /** The document that holds its wrapper whether or not an item does; null where there was no room even for that. */
  stub: number | null;
  /** The items that stand in a document: always the first ones. */
  items: readonly PlacedItem[];
  readonly pieces: ItemPieces;
}

interface ItemPieces {
  readonly full: (Piece | undefined)[];
  readonly short: (Piece | undefined)[];
}

/** The markup of items, made once however often room is shared out. */
export type PieceCache = Map<ListUnit, ItemPieces>;

export interface PlacedItem {
  readonly bin: number;
  readonly form: "full" | "short";
  readonly piece: Piece;
}

/** Every unit of the sections with what it costs, placed nowhere yet. */
export function placementsOf(
  sections: readonly Section[],
  estimate: Estimate,
  cache: PieceCache,
): readonly Placement[] {
  const placements: Placement[] = [];
  const known = new Map<string, Frame>();
  for (const { id, units } of sections) {
    for (const unit of units) {
      const frames = unit.within.map((wrapper, depth) => {
        const frame = known.get(wrapper.key) ?? frameOf(wrapper, depth, estimate, null);
        known.set(wrapper.key, frame);
        return frame;
      });
      const index = placements.length;
      switch (unit.kind) {
        case "fixed":
          placements.push({ section: id, index, frames, unit, at: null });
          break;
        case "file":
          placements.push({ section: id, index, frames, unit, lineCount: countLines(unit.text), at: null });
          break;
        case "list": {
          const counts = { count: unit.items.length, omitted: 0, howToList: unit.howToList };
          const own = frameOf(unit.wrapper, unit.within.length, estimate, counts);
          const pieces = cache.get(unit) ?? { full: [], short: [] };
          cache.set(unit, pieces);
          placements.push({
            section: id,
            index,
            frames: [...frames, own],
            unit,
            stub: null,
            items: [],
            pieces,
          });
          break;
        }
        default:
          unit satisfies never;
      }
    }
  }
  return placements;
}

/** What matters more comes first. */
export function comparePlacements(a: Placement, b: Placement): number {
  return PRIORITIES[a.section] - PRIORITIES[b.section] || orderIn(a) - orderIn(b) || a.index - b.index;
}

function orderIn({ unit }: Placement): number {
  return unit.kind === "file" ? unit.order : 0;
}

export function isFixed(placement: Placement): placement is FixedPlacement {
  return placement.unit.kind === "fixed";
}

export function isFile(placement: Placement): placement is FilePlacement {
  return placement.unit.kind === "file";
}

export function isList(placement: Placement): placement is ListPlacement {
  return placement.unit.kind === "list";
}
