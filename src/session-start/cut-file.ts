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
  let at = 0;
  let used = 0;
  let lineEnd = 0;
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0;
    const size = escapedUnits(code);
    if (used + size > units) break;
    used += size;
    at += code > 0xffff ? 2 : 1;
    if (code === FEED) lineEnd = at;
  }
  if (at < text.length) {
    // A file may be one line: what would lose all, or most, parts it.
    const parted = lineEnd === 0 ? at >= LEAST_SHOWN : at - lineEnd > MOST_LOST && lineEnd < at / 2;
    at = parted ? Math.max(lineEnd, characterEnd(text, at)) : lineEnd;
  }
  return cutAt(text, at, lineCount);
}

/** Units of a last line that are given up to end with a whole line. */
const MOST_LOST = 400;
/** Fewer units of a first line say nothing. */
const LEAST_SHOWN = 80;

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
