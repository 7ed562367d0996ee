import type { OptionSpec } from "./command-table.ts";

export interface PlainLine {
  /** By long name: true for a flag, the text for an option with a value. */
  readonly values: Readonly<Record<string, string | true>>;
  readonly positionals: readonly string[];
}

/**
 * Words and options that are spelled in full, as nearly all command lines are; null for any other spelling, and for what is
 * no option. Node's own parser costs a start a third of a millisecond, and says the same of these.
 */
export function readPlain(
  words: readonly string[],
  known: readonly Pick<OptionSpec, "long" | "short" | "value">[],
): PlainLine | null {
  const values: Record<string, string | true> = {};
  const positionals: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (!word.startsWith("-")) {
      positionals.push(word);
      continue;
    }
    const option = known.find(({ long, short }) => word === `--${long}` || word === `-${short}`);
    if (option === undefined) return null;
    if (option.value === undefined) {
      values[option.long] = true;
      continue;
    }
    at += 1;
    const value = words[at] ?? "";
    if (value === "" || value.startsWith("-")) return null;
    values[option.long] = value;
  }
  return { values, positionals };
}
