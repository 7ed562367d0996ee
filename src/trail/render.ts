import { fitTrail, type Rendered } from "./fit-trail.ts";
import type { Trail } from "./model.ts";
import { jsonFormat } from "./render-json.ts";
import { markdownFormat } from "./render-md.ts";
import { xmlFormat } from "./render-xml.ts";

export type TrailFormat = "md" | "xml" | "json";

export interface RenderOptions {
  readonly format: TrailFormat;
  /** Tokens, by `estimateTokens`. */
  readonly budget: number;
}

/** A trail as text within a budget, the most useful first, and how much of each kind was left out. Same trail, same bytes. */
export function renderTrail(trail: Trail, { format, budget }: RenderOptions): Rendered {
  switch (format) {
    case "md":
      return fitTrail(trail, markdownFormat(trail), budget);
    case "xml":
      return fitTrail(trail, xmlFormat(trail), budget);
    case "json":
      return fitTrail(trail, jsonFormat(trail), budget);
    default:
      return format satisfies never;
  }
}
