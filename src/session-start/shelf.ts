import type { Frame } from "./piece.ts";

/** The documents under way, by what room each has left. */
export interface Shelf {
  readonly bins: readonly Bin[];
  /** Left for all of them together. */
  tokens: number;
  /** What a document costs before anything stands in it. */
  readonly envelopeTokens: number;
}

interface Bin {
  free: number;
  pieces: number;
  /** How many pieces stand in each wrapper, by its key. */
  readonly wrappers: Map<string, number>;
}

export interface Limits {
  readonly bins: number;
  /** UTF-16 units of one document, its envelope included. */
  readonly cap: number;
  readonly tokens: number;
}

interface Size {
  readonly units: number;
  readonly tokens: number;
}

/** Empty documents, each with its envelope taken off. */
export function createShelf({ bins, cap, tokens }: Limits, envelope: Size): Shelf {
  return {
    bins: Array.from({ length: bins }, () => ({ free: cap - envelope.units, pieces: 0, wrappers: new Map() })),
    tokens,
    envelopeTokens: envelope.tokens,
  };
}

/** A shelf to try something on. */
export function copyShelf(shelf: Shelf): Shelf {
  return { ...shelf, bins: shelf.bins.map((bin) => ({ ...bin, wrappers: new Map(bin.wrappers) })) };
}

/** What may be put into a document within `frames`: units and tokens, those of frames yet to be opened taken off. */
export function roomIn(shelf: Shelf, index: number, frames: readonly Frame[]): Size {
  const bin = shelf.bins[index];
  if (bin === undefined) return { units: 0, tokens: 0 };
  let units = bin.free;
  let tokens = shelf.tokens - (bin.pieces === 0 ? shelf.envelopeTokens : 0);
  for (const frame of frames) {
    if (bin.wrappers.has(frame.wrapper.key)) continue;
    units -= frame.units;
    tokens -= frame.tokens;
  }
  return { units, tokens };
}

/** Whether a document has room for something of that size within these wrappers. */
export function fits(shelf: Shelf, index: number, frames: readonly Frame[], size: Size): boolean {
  const room = roomIn(shelf, index, frames);
  return room.units >= size.units && room.tokens >= size.tokens;
}

/** The first document from `from` on with room; null where there is none. */
export function firstFit(shelf: Shelf, frames: readonly Frame[], size: Size, from = 0): number | null {
  for (let index = from; index < shelf.bins.length; index++) if (fits(shelf, index, frames, size)) return index;
  return null;
}

/** Takes the room of what is put into a document. */
export function put(shelf: Shelf, index: number, frames: readonly Frame[], size: Size): void {
  move(shelf, index, frames, size, 1);
}

/** Gives back the room of what is taken out of a document. */
export function take(shelf: Shelf, index: number, frames: readonly Frame[], size: Size): void {
  move(shelf, index, frames, size, -1);
}

function move(shelf: Shelf, index: number, frames: readonly Frame[], size: Size, direction: 1 | -1): void {
  const bin = shelf.bins[index];
  if (bin === undefined) return;
  if (bin.pieces === 0 || (bin.pieces === 1 && direction === -1)) shelf.tokens -= direction * shelf.envelopeTokens;
  bin.pieces += direction;
  bin.free -= direction * size.units;
  shelf.tokens -= direction * size.tokens;
  for (const { wrapper, units, tokens } of frames) {
    const before = bin.wrappers.get(wrapper.key) ?? 0;
    const after = before + direction;
    if (after === 0) bin.wrappers.delete(wrapper.key);
    else bin.wrappers.set(wrapper.key, after);
    if (before === 0 || after === 0) {
      bin.free -= direction * units;
      shelf.tokens -= direction * tokens;
    }
  }
}

/** Units left over all documents. */
export function freeUnits(shelf: Shelf): number {
  return shelf.bins.reduce((sum, bin) => sum + Math.max(0, bin.free), 0);
}
