/** The candidate nearest to `word`, where one is near enough to be what was meant; ties go to the first in byte order. */
export function suggest(word: string, candidates: Iterable<string>): string | null {
  const wanted = word.toLowerCase();
  let best: { candidate: string; distance: number } | null = null;
  for (const candidate of [...candidates].sort()) {
    const limit = Math.max(1, Math.floor(Math.max(wanted.length, candidate.length) * 0.4));
    const distance = editDistance(wanted, candidate.toLowerCase(), limit);
    if (distance <= limit && (best === null || distance < best.distance)) best = { candidate, distance };
  }
  return best?.candidate ?? null;
}

/** Optimal string alignment distance, given up as soon as it must exceed `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        value = Math.min(value, (before[j - 2] ?? 0) + 1);
      current.push(value);
    }
    if (Math.min(...current) > limit) return limit + 1;
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? limit + 1;
}
