/** How often a block was entered tells inputs apart by its order of magnitude: 1, 2, 3, 4-7, 8-15, 16-31, 32-127, more. */
const BUCKETS = 8;

export interface Reached {
  /** The places of a run that none before came to; from then on they are known. */
  readonly add: (hits: Uint32Array) => readonly number[];
  /** Whether a run came to all of these places. */
  readonly holds: (hits: Uint32Array, places: readonly number[]) => boolean;
  /** The number of blocks that any run entered, however often. */
  readonly blocks: () => number;
  readonly has: (block: number) => boolean;
}

/** What the runs came to so far; a place is a block, entered about so often. */
export function reached(size: number): Reached {
  const seen = new Uint8Array(size * BUCKETS);
  const entered = new Uint8Array(size);
  let blocks = 0;
  return {
    add: (hits) => {
      const fresh: number[] = [];
      for (let block = 0; block < size; block += 1) {
        const count = hits[block] ?? 0;
        if (count === 0) continue;
        const place = placeOf(block, count);
        if (seen[place] === 1) continue;
        seen[place] = 1;
        fresh.push(place);
        if (entered[block] === 1) continue;
        entered[block] = 1;
        blocks += 1;
      }
      return fresh;
    },
    holds: (hits, places) =>
      places.every((place) => placeOf(Math.floor(place / BUCKETS), hits[Math.floor(place / BUCKETS)] ?? 0) === place),
    blocks: () => blocks,
    has: (block) => entered[block] === 1,
  };
}

function placeOf(block: number, count: number): number {
  return count === 0 ? -1 : block * BUCKETS + bucketOf(count);
}

function bucketOf(count: number): number {
  if (count <= 3) return count - 1;
  if (count < 32) return 32 - Math.clz32(count);
  return count < 128 ? 6 : 7;
}
