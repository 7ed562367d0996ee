import { countForbidden, escapeXml, openTag } from "../base/xml.ts";
import { clipPath } from "./clip.ts";
import { type Cut, cutAt, cutText } from "./cut-file.ts";
import type { Estimate } from "./facts.ts";
import { PATH_UNITS } from "./file-elements.ts";
import { costOf, indentOf, type Piece } from "./piece.ts";
import type { FilePlacement } from "./placement.ts";
import type { FileUnit } from "./sections.ts";
import { firstFit, fits, put, roomIn, type Shelf, take } from "./shelf.ts";
import { element } from "./vocabulary.ts";

/** Gives a file its element with nothing in it: its name, how long it is and where. */
export function placePointer(shelf: Shelf, placement: FilePlacement, estimate: Estimate): void {
  growFile(shelf, placement, 0, estimate);
}

/** Lets a file take up to `quota` units of text; it moves to the first document that has room for them. */
export function growFile(shelf: Shelf, placement: FilePlacement, quota: number, estimate: Estimate): void {
  const { frames, at } = placement;
  if (at !== null && at.cut.charactersLeft === 0) return;
  if (at !== null) take(shelf, at.bin, frames, sizeOf(at.piece));
  const better = wholeFile(shelf, placement, quota, estimate) ?? cutFile(shelf, placement, quota, estimate);
  if (better !== null && (at === null || better.cut.end > at.cut.end)) placement.at = better;
  if (placement.at !== null) put(shelf, placement.at.bin, frames, sizeOf(placement.at.piece));
}

type Place = NonNullable<FilePlacement["at"]>;

function wholeFile(shelf: Shelf, placement: FilePlacement, quota: number, estimate: Estimate): Place | null {
  const { frames, unit } = placement;
  // What can't fit is not escaped and not estimated: a file may be large. No text has so many units a token.
  const most = Math.min(quota, mostRoom(shelf, placement), shelf.tokens * 12);
  if (unit.text.length > most || escapedUpTo(unit.text, most + 1) > most) return null;
  const cut = cutAt(unit.text, unit.text.length, placement.lineCount);
  const piece = filePiece(unit, cut, frames.length, estimate);
  const bin = firstFit(shelf, frames, sizeOf(piece));
  return bin === null ? null : { bin, cut, piece };
}

function cutFile(shelf: Shelf, placement: FilePlacement, quota: number, estimate: Estimate): Place | null {
  const { frames, unit } = placement;
  const around = filePiece(unit, cutAt(unit.text, 0, placement.lineCount), frames.length, estimate);
  const wanted = escapedUpTo(unit.text, quota);
  const bin = roomiest(shelf, placement, around.text.length + wanted);
  const room = roomIn(shelf, bin, frames);
  let units = Math.min(wanted, room.units - around.text.length);
  let tokens = room.tokens - around.tokens;
  // What a text costs between its tags may differ by little from what it costs alone, and where it is cut within a line
  // its tag names the column: a file of one line fills what there is to the last unit, and needs that room.
  for (let attempt = 0; attempt < 6 && units >= 0 && tokens >= 0; attempt++) {
    const cut = cutText(unit.text, { units, tokens }, estimate, placement.lineCount);
    const piece = filePiece(unit, cut, frames.length, estimate);
    if (fits(shelf, bin, frames, sizeOf(piece))) return { bin, cut, piece };
    const over = piece.text.length - room.units;
    if (over > 0) units -= over;
    else tokens -= Math.max(2 ** attempt, piece.tokens - room.tokens);
  }
  return null;
}

function sizeOf({ text, tokens }: Piece): { readonly units: number; readonly tokens: number } {
  return { units: text.length, tokens };
}

function mostRoom(shelf: Shelf, { frames }: FilePlacement): number {
  return shelf.bins.reduce((most, _, index) => Math.max(most, roomIn(shelf, index, frames).units), 0);
}

/** The first document with room for `units`, else the one with the most. */
function roomiest(shelf: Shelf, { frames }: FilePlacement, units: number): number {
  let best = 0;
  let most = -1;
  for (let index = 0; index < shelf.bins.length; index++) {
    const room = roomIn(shelf, index, frames).units;
    if (room >= units) return index;
    if (room > most) {
      best = index;
      most = room;
    }
  }
  return best;
}

/** Units of the escaped text, counted no further than `limit`. */
function escapedUpTo(text: string, limit: number): number {
  return Math.min(escapeXml(text.slice(0, limit)).length, limit);
}

function filePiece(unit: FileUnit, cut: Cut, depth: number, estimate: Estimate): Piece {
  const { name, attributes, marked, text } = unit;
  const whole = cut.charactersLeft === 0;
  const loaded: [string, string][] = marked ? [["loaded", whole ? "true" : cut.end === 0 ? "false" : "part"]] : [];
  const tag = openTag({ name, attributes: [...attributes, ...loaded] });
  const markup = `${indentOf(depth)}${tag}>${cut.escaped}${whole ? "" : cutTag(unit, cut)}</${name}>\n`;
  const shown = markup.includes("\uFFFD") ? countForbidden(text.slice(0, cut.end)) : 0;
  const path = attributes.reduce((count, [, value]) => count + countForbidden(value), 0);
  return { text: markup, ...costOf(markup, estimate), replaced: shown + path };
}

/** Says where the text was cut, how much is left and where to read on. */
function cutTag({ absolutePath }: FileUnit, cut: Cut): string {
  const tag = element("cut", {
    line: cut.line,
    column: cut.column === 1 ? null : cut.column,
    "lines-left": cut.linesLeft,
    "characters-left": cut.charactersLeft,
    "read-on": absolutePath === null ? null : clipPath(absolutePath, PATH_UNITS),
  });
  return `${openTag(tag)}/>`;
}
