/** Numbers that look random and are the same for the same name: an input is found again by its target, seed and place. */
export interface Random {
  /** From 0 up to, and without, `end`. */
  readonly below: (end: number) => number;
  readonly pick: <T>(items: readonly [T, ...T[]]) => T;
}

export function random(name: string): Random {
  let state = 2_166_136_261;
  for (const character of name) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16_777_619);
  // xorshift: quality is of no concern here, repeatability is.
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
  state ||= 1;
  for (let warm = 0; warm < 8; warm += 1) next();
  const below = (end: number): number => Math.floor(next() * end);
  return { below, pick: (items) => items[below(items.length)] ?? items[0] };
}
