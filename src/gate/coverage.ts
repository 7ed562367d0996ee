/** First and last line, both counted from 1. */
export type LineRange = readonly [first: number, last: number];

/** How much of a file an agent has seen. `lines`: sorted, apart from each other; `total` is null while it is not known. */
export type Coverage =
  | { readonly kind: "whole" }
  | { readonly kind: "lines"; readonly ranges: readonly LineRange[]; readonly total: number | null };

export const WHOLE: Coverage = { kind: "whole" };
export const UNSEEN: Coverage = { kind: "lines", ranges: [], total: null };

/** Lines `first` to `last` of a file of `total`; what is no range covers nothing. */
export function linesSeen(first: number, last: number, total: number | null): Coverage {
  return { kind: "lines", ranges: merge([[Math.max(1, first), last]]), total };
}

/** What was seen by either; the later look knows how long the file is now. */
export function together(earlier: Coverage, later: Coverage): Coverage {
  if (earlier.kind === "whole") return earlier;
  if (later.kind === "whole") return later;
  return {
    kind: "lines",
    ranges: merge([...earlier.ranges, ...later.ranges]),
    total: later.total ?? earlier.total,
  };
}

/** The first line that was not seen; null where all were. */
export function firstUnseen(coverage: Coverage): number | null {
  if (coverage.kind === "whole") return null;
  const [first] = coverage.ranges;
  const next = first === undefined || first[0] > 1 ? 1 : first[1] + 1;
  const { total } = coverage;
  if (total === 0) return null;
  // The client counts the empty line behind a last newline, and takes a look beyond it for an error.
  const last = total === null ? Number.POSITIVE_INFINITY : Math.max(1, total - 1);
  return next > last ? null : next;
}

/** Whether any of it was seen. */
export function isSeen(coverage: Coverage): boolean {
  return coverage.kind === "whole" || coverage.ranges.length > 0;
}

function merge(ranges: readonly LineRange[]): readonly LineRange[] {
  const merged: LineRange[] = [];
  for (const [first, last] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (last < first) continue;
    const before = merged.at(-1);
    if (before === undefined || first > before[1] + 1) merged.push([first, last]);
    else merged[merged.length - 1] = [before[0], Math.max(before[1], last)];
  }
  return merged;
}
