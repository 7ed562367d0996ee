import { mutate } from "../mutate.ts";
import type { Random } from "../random.ts";

/** Words, numbers, runs of blanks, and each other character by itself. */
const TOKEN = /[\p{L}\p{N}_]+|\s+|./gsu;

export interface Stock {
  /** Another text, to take parts of. */
  readonly other: string;
  /** What the code under test compares with. */
  readonly words: readonly string[];
}

/** A text made of one that was kept: with the code's own words, by tokens, by single characters, or as without guidance. */
export function vary(random: Random, text: string, stock: Stock): string {
  if (random.below(3) === 0) return mutate(random, text, stock.other);
  let changed = text;
  const changes = 1 + random.below(random.below(3) === 0 ? 8 : 2);
  for (let count = 0; count < changes; count += 1) changed = change(random, changed, stock);
  return changed;
}

function change(random: Random, text: string, { other, words }: Stock): string {
  const at = random.below(text.length + 1);
  const word = words[random.below(words.length)] ?? "";
  switch (random.below(9)) {
    case 0:
      return text.slice(0, at) + word + text.slice(at);
    case 1:
      return text.slice(0, at) + word + text.slice(at + word.length);
    case 2:
    case 3:
      return byTokens(random, text, (tokens, place) => tokens.toSpliced(place, 1, word));
    case 4:
      return byTokens(random, text, (tokens, place) => {
        const from = random.below(tokens.length);
        return tokens.toSpliced(place, random.below(4), ...tokens.slice(from, from + 1 + random.below(8)));
      });
    case 5:
      return byTokens(random, text, (tokens, place) => {
        const taken = tokensNear(random, other);
        return tokens.toSpliced(place, random.below(2) === 0 ? 0 : taken.length, ...taken);
      });
    case 6:
      return byTokens(random, text, (tokens, place) => tokens.toSpliced(place, 1 + random.below(3)));
    case 7:
      return withCharacter(text, at, (text.charCodeAt(at) || 0) + (random.below(2) === 0 ? 1 : -1));
    default:
      return withCharacter(text, at, random.below(128));
  }
}

function withCharacter(text: string, at: number, code: number): string {
  return text.slice(0, at) + String.fromCharCode(code & 0xffff) + text.slice(at + 1);
}

/** Long texts are changed in a window: to cut all of it into tokens would cost more than to try it. */
const WINDOW = 600;

function byTokens(
  random: Random,
  text: string,
  edit: (tokens: readonly string[], place: number) => readonly string[],
): string {
  const from = random.below(Math.max(1, text.length - WINDOW));
  const tokens = text.slice(from, from + WINDOW).match(TOKEN) ?? [];
  return text.slice(0, from) + edit(tokens, random.below(tokens.length)).join("") + text.slice(from + WINDOW);
}

function tokensNear(random: Random, text: string): readonly string[] {
  const from = random.below(text.length + 1);
  const tokens = text.slice(from, from + 200).match(TOKEN) ?? [];
  return tokens.slice(0, 1 + random.below(12));
}
