const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1000],
] as const;

/** Milliseconds as a person says them, in at most two units: `3 d 4 h`, `12 min 5 s`, `0 s`. */
export function durationText(ms: number): string {
  if (ms > 0 && ms < 1000) return "< 1 s";
  const first = UNITS.findIndex(([, size]) => ms >= size);
  if (first === -1) return "0 s";
  let rest = ms;
  const parts: string[] = [];
  for (const [unit, size] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.join(" ");
}

/** `812 B`, `14.2 kB`: 1 kB is 1000 bytes. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** `199 081`, with a thin blank that does not break between thousands. */
export function countText(count: number): string {
  return String(count).replace(/\B(?=(?:[0-9]{3})+$)/g, "\u202f");
}

/** `2026-02-03 12:15:07`, in UTC. */
export function timeText(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace("T", " ");
}

/** Null for no values. */
export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[middle - 1], sorted[middle]];
  if (high === undefined) return null;
  return sorted.length % 2 === 1 || low === undefined ? high : (low + high) / 2;
}
