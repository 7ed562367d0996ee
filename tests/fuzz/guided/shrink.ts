/** The given text less what can be left out while it still holds what is asked; at most so many are tried. */
export function shrink(text: string, holds: (shorter: string) => boolean, tries: number): string {
  let kept = text;
  let left = tries;
  for (let size = kept.length >> 1; size >= 1 && left > 0; size >>= 1) {
    for (let at = 0; at < kept.length && left > 0; left -= 1) {
      const shorter = kept.slice(0, at) + kept.slice(at + size);
      if (holds(shorter)) kept = shorter;
      else at += size;
    }
  }
  return kept;
}
