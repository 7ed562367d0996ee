import type { Trail } from "./model.ts";
import type { Section, SectionItem, SectionName } from "./sections.ts";

/** How many entries of each section are left out; sections of which all are shown are not in it. */
export type Omitted = Readonly<Partial<Record<SectionName, number>>>;

/** What the formats do differently. Each text is whole lines, so that costs add up. */
export interface Format {
  readonly item: (section: Section, item: SectionItem) => string;
  /** A section with its entries; `items` is not empty. */
  readonly section: (section: Section, items: readonly string[]) => string;
  /** `brief`: as little as can be beside the sections, and one number for what is left out. */
  readonly document: (trail: Trail, sections: readonly string[], omitted: Omitted, brief: boolean) => string;
  /** Documents without an entry, for budgets too small for one; the fullest first. */
  readonly smallest: (total: number) => readonly string[];
}

/** The day of all times of a trail, or null where they are of several days or there is none. */
export function commonDay(trail: Trail): string | null {
  const lists = [
    trail.failures,
    trail.files,
    trail.requests,
    trail.inFlight,
    trail.commits,
    trail.tests,
    trail.questions,
    trail.stops,
    trail.reads,
    trail.commands,
  ];
  const days = new Set(lists.flatMap((list) => list.flatMap(({ at }) => (at === null ? [] : [at.slice(0, 10)]))));
  const [day] = days;
  return days.size === 1 && day !== undefined ? day : null;
}

/** A time as it is shown: hours and minutes where the day stands at the top, else with the day. */
export function shownTime(at: string, day: string | null): string {
  return day === null ? at.slice(0, 16) : at.slice(11, 16);
}

/** How much was left out of all sections together. */
export function totalOf(omitted: Omitted): number {
  return Object.values(omitted).reduce((sum, count) => sum + count, 0);
}
