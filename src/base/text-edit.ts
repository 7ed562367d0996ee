import { invariant } from "./invariant.ts";
import type { Span } from "./source-text.ts";

/** Replace the characters of `span` by `text`. An empty span inserts. */
export interface TextEdit {
  readonly span: Span;
  readonly text: string;
}

/** Applies edits that do not overlap; of two that do, the later one in the list is left out. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  for (const { span } of edits)
    invariant(0 <= span.start && span.start <= span.end && span.end <= text.length, "an edit lies inside its text");
  const kept = anyOverlap(edits) ? firstOfOverlapping(edits) : [...edits];
  // A stable sort keeps insertions at one place in the order they were asked for.
  kept.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  let result = "";
  let at = 0;
  for (const edit of kept) {
    result += text.slice(at, edit.span.start) + edit.text;
    at = edit.span.end;
  }
  return result + text.slice(at);
}

/** Spares the common case the comparison of each edit with each other. */
function anyOverlap(edits: readonly TextEdit[]): boolean {
  const sorted = edits.map(({ span }) => span).sort((a, b) => a.start - b.start || a.end - b.end);
  return sorted.some((span, index) => index > 0 && overlaps(span, sorted[index - 1] ?? span));
}

function firstOfOverlapping(edits: readonly TextEdit[]): TextEdit[] {
  const kept: TextEdit[] = [];
  // Sorted, and without overlaps: where an edit does not meet the first that ends after its start, it meets none.
  const spans: Span[] = [];
  for (const edit of edits) {
    const { span } = edit;
    const place = firstFrom(spans, span.start);
    const other = spans[place];
    if (other !== undefined && overlaps(span, other)) continue;
    spans.splice(place, 0, span);
    kept.push(edit);
  }
  return kept;
}

/** The index of the first span that ends after `start`. */
function firstFrom(spans: readonly Span[], start: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.end ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  return low;
}

function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}
