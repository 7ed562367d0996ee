import { LIFECYCLE_STATES } from "../lifecycle/states.ts";
import { foreign } from "./html.ts";
import type { Model } from "./model.ts";

/** What the page's script draws a single day from. */
export interface PageData {
  readonly states: readonly string[];
  /** Who sent events, each once. */
  readonly by: readonly string[];
  /** For each role its intervals: index of the state (-1 for unknown), from, to, index of who began it, 1 where open. */
  readonly roles: Readonly<Record<string, readonly (readonly [number, number, number, number, number])[]>>;
}

/** The intervals of all roles, as small as they can be said. */
export function pageData(model: Model): PageData {
  const by = new Map<string, number>();
  const roles = model.roles.map(({ facts, intervals }) => {
    const rows = intervals.map((interval) => {
      const who = foreign(interval.by, 80);
      const index = by.get(who) ?? by.size;
      by.set(who, index);
      const state = interval.state === null ? -1 : LIFECYCLE_STATES.indexOf(interval.state);
      return [state, interval.from, interval.to, index, interval.open ? 1 : 0] as const;
    });
    return [facts.role, rows] as const;
  });
  return { states: LIFECYCLE_STATES, by: [...by.keys()], roles: Object.fromEntries(roles) };
}
