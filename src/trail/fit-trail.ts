import { estimateTokens } from "../base/token-estimate.ts";
import type { Format, Omitted } from "./format.ts";
import type { Trail } from "./model.ts";
import { type Section, type SectionItem, type SectionName, sectionsOf, shortened } from "./sections.ts";

export interface Rendered {
  readonly text: string;
  readonly omitted: Omitted;
}

interface Choice {
  readonly section: Section;
  /** Lines by the entry's index. */
  readonly lines: Map<number, string>;
}

/**
 * A trail in at most `budget` tokens by estimate, all marks counted. First every section gets its share, so that no long one
 * keeps the others out; what is left goes to the files, then to the sections in their order. Entries that do not fit in full are shortened.
 */
export function fitTrail(trail: Trail, format: Format, budget: number): Rendered {
  const sections = sectionsOf(trail);
  const brief = budget < BRIEF;
  const page: Page = { trail, format, budget, brief };
  const whole = inFull(page, sections);
  if (whole !== null) return whole;
  const choices = sections.map((section): Choice => ({ section, lines: new Map() }));
  // The longest document without an entry is that which counts everything as left out.
  let room = budget - estimateTokens(format.document(trail, [], omittedFrom(choices), brief));
  for (const choice of brief ? [] : choices) {
    room -= fill(choice, page, Math.min(room, budget * SHARES[choice.section.name]));
  }
  const files = choices.filter(({ section }) => !brief && section.name === "files");
  for (const choice of [...files, ...choices]) room -= fill(choice, page, room);
  return composed(page, choices);
}

interface Page {
  readonly trail: Trail;
  readonly format: Format;
  readonly budget: number;
  /** Too little room for shares and times: the most useful entries, in short. */
  readonly brief: boolean;
}

const BRIEF = 200;

/** The whole trail, where it fits; not tried for one that is sure not to. */
function inFull({ trail, format, budget }: Page, sections: readonly Section[]): Rendered | null {
  const entries = sections.reduce((sum, { items }) => sum + items.length, 0);
  if (entries * LEAST_ENTRY > budget) return null;
  const texts = sections.map((section) =>
    format.section(
      section,
      section.items.map((item) => format.item(section, item)),
    ),
  );
  const text = format.document(trail, texts, {}, false);
  return estimateTokens(text) <= budget ? { text, omitted: {} } : null;
}

// What each section may take before the others had theirs. Files are what an agent cannot find out again by asking.
const SHARES: Readonly<Record<SectionName, number>> = {
  todos: 0.2,
  failures: 0.15,
  files: 0.5,
  requests: 0.15,
  "in-flight": 0.08,
  commits: 0.08,
  tests: 0.08,
  questions: 0.08,
  references: 0.05,
  stops: 0.03,
  "shell-files": 0.05,
  reads: 0.05,
  commands: 0.05,
};

/** Adds entries while they fit in `room`; what they cost. */
function fill({ section, lines }: Choice, { format, brief }: Page, room: number): number {
  const head = lines.size > 0 ? 0 : estimateTokens(format.section(section, []));
  let left = room - head;
  let misses = 0;
  const all = section.order.filter((at) => !lines.has(at));
  const short = brief || inShort(section, all, format, left);
  for (const at of all) {
    if (left < LEAST_ENTRY || misses >= MISSES) break;
    const item = section.items[at];
    const line = item === undefined ? null : lineWithin(section, item, format, left, short);
    if (line === null) misses += 1;
    else {
      lines.set(at, line);
      left -= costOf(line);
    }
  }
  return lines.size === 0 ? 0 : room - left;
}

const LEAST_ENTRY = 4;
// After so many entries that did not fit the rest will not either.
const MISSES = 12;

/** Paths are shown all in full or all in short, so that the list is of one kind; in short where that lets more of them in. */
function inShort(section: Section, order: readonly number[], format: Format, room: number): boolean {
  if (section.says !== "path") return false;
  let cost = 0;
  for (const at of order) {
    const item = section.items[at];
    if (item !== undefined) cost += costOf(format.item(section, item));
    if (cost > room) return true;
  }
  return false;
}

function lineWithin(section: Section, item: SectionItem, format: Format, room: number, short: boolean): string | null {
  const full = short ? null : format.item(section, item);
  if (full !== null && costOf(full) <= room) return full;
  const line = format.item(section, shortened(section, item));
  return costOf(line) <= room ? line : null;
}

/** With the comma and the newline that may follow. */
function costOf(line: string): number {
  return estimateTokens(`${line},\n`);
}

function composed({ trail, format, budget, brief }: Page, choices: readonly Choice[]): Rendered {
  for (;;) {
    const omitted = omittedFrom(choices);
    const shown = choices.filter(({ lines }) => lines.size > 0);
    if (shown.length === 0) break;
    const texts = shown.map(({ section, lines }) =>
      format.section(
        section,
        section.items.flatMap((_, at) => lines.get(at) ?? []),
      ),
    );
    const text = format.document(trail, texts, omitted, brief);
    if (estimateTokens(text) <= budget) return { text, omitted };
    dropLast(shown.at(-1));
  }
  const omitted = omittedFrom(choices);
  const total = choices.reduce((sum, { section }) => sum + section.items.length, 0);
  const candidates = [format.document(trail, [], omitted, brief), ...format.smallest(total)];
  return { text: candidates.find((text) => estimateTokens(text) <= budget) ?? "", omitted };
}

function dropLast(choice: Choice | undefined): void {
  const last = choice?.section.order.findLast((at) => choice.lines.has(at));
  if (last !== undefined) choice?.lines.delete(last);
}

function omittedFrom(choices: readonly Choice[]): Omitted {
  const omitted: Partial<Record<SectionName, number>> = {};
  for (const { section, lines } of choices) {
    const count = section.items.length - lines.size;
    if (count > 0) omitted[section.name] = count;
  }
  return omitted;
}
