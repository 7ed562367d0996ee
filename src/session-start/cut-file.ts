import { escapedUnits, escapeXml } from "../base/xml.ts";
import { characterEnd } from "./clip.ts";
import type { Estimate } from "./facts.ts";

/** How much of a text is shown, and what is left. */
export interface Cut {
  /** UTF-16 units shown from the start. */
  readonly end: number;
  /** The place where reading goes on, 1-based; the column in UTF-16 units, 1 for a cut between lines. */
  readonly line: number;
  readonly column: number;
  readonly linesLeft: number;
  readonly charactersLeft: number;
  /** What is shown, escaped. */
  readonly escaped: string;
}

export interface Room {
  /** UTF-16 units once escaped. */
  readonly units: number;
  readonly tokens: number;
}

/** The longest start of `text` that fits in `room`, cut at a line; within a line only where one line is too long to fit. */
export function cutText(text: string, room: Room, estimate: Estimate, lineCount = countLines(text)): Cut {
  // No text is worth so few tokens a unit: spares the escaping of what cannot fit.
  let units = Math.min(room.units, room.tokens * 12 + 64);
  let cut = cutUnits(text, units, lineCount);
  for (let attempt = 0; attempt < 12 && cut.end > 0; attempt++) {
    const tokens = estimate(cut.escaped);
    if (tokens <= room.tokens) return cut;
    units = Math.min(units - 1, Math.floor(((cut.escaped.length * room.tokens) / tokens) * 0.98));
    cut = cutUnits(text, units, lineCount);
  }
  return estimate(cut.escaped) <= room.tokens ? cut : cutUnits(text, 0, lineCount);
}

function cutUnits(text: string, units: number, lineCount: number): Cut {
  let at = fittingUnits(text, units);
  if (at < text.length) {
    const lineEnd = at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
    // A file may be one line: what would lose all, or most, parts it.
    const parted = lineEnd === 0 ? at >= LEAST_SHOWN : at - lineEnd > MOST_LOST && lineEnd < at / 2;
    at = parted ? Math.max(lineEnd, characterEnd(text, at)) : lineEnd;
  }
  return cutAt(text, at, lineCount);
}

/** Units at the start of the text that are no more than so many once they are escaped; may end between a character's halves. */
function fittingUnits(text: string, units: number): number {
  let [at, left] = [0, units];
  // Escaping a stretch at once takes a tenth of the time that looking at each of its characters takes.
  while (at < text.length) {
    const size = escapeXml(text.slice(at, at + STRETCH)).length;
    if (size > left) break;
    left -= size;
    at += STRETCH;
  }
  for (; at < text.length; at++) {
    left -= escapedUnits(text.charCodeAt(at));
    if (left < 0) break;
  }
  return Math.min(at, text.length);
}

/** Where a stretch ends between a character's halves, these are as long as the whole once they are escaped. */
const STRETCH = 256;

/** Units of a last line that are given up to end with a whole line. */
const MOST_LOST = 400;
/** Fewer units of a first line say nothing. */
const LEAST_SHOWN = 80;

/** A text cut at `end`, in UTF-16 units. */
export function cutAt(text: string, end: number, lineCount = countLines(text)): Cut {
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  return {
    end,
    line,
    column: end - lineStart + 1,
    linesLeft: end === text.length ? 0 : lineCount - line + 1,
    charactersLeft: text.length - end,
    escaped: escapeXml(text.slice(0, end)),
  };
}

/** Lines of a text; what follows the last newline counts where there is something. */
export function countLines(text: string): number {
  let count = text === "" || text.charCodeAt(text.length - 1) === FEED ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

const FEED = 0x0a;
