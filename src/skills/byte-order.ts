/** Compares as UTF-8 bytes do: by code point, where `<` on strings puts U+1F600 before U+FF5E. Negative, zero or positive. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  // Without surrogates the engine's own order is the same, and a list of paths is compared a thousand times.
  if (!SURROGATE.test(a) && !SURROGATE.test(b)) return a < b ? -1 : 1;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Lifts surrogates, which stand for code points above U+FFFF, over the rest. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

const SURROGATE = /[\uD800-\uDFFF]/;
