import { HITS, instrument } from "./instrument.ts";

/** A check that throws where three things hold, each of which is only asked for inside of the one before. */
export const TOY = `
export function check(text) {
  for (const line of text.split("\\n")) {
    if (line.length > 12 && line[3] === "~") {
      const at = line.indexOf("=");
      if (at > 5 && line[at + 1] === "%") throw new Error("planted");
    }
  }
}`;

export interface Toy {
  readonly check: (text: string) => unknown;
  readonly hits: Uint32Array;
  readonly words: readonly string[];
}

/** The code of a module that exports `check`, instrumented and loaded. */
export async function load(code: string): Promise<Toy> {
  const made = instrument(code, 0);
  const lines = [`export const hits = new Uint32Array(${made.blocks.length});`, `const ${HITS} = hits;`, made.code];
  const { check, hits } = await import(`data:text/javascript,${encodeURIComponent(lines.join("\n"))}`);
  return { check, hits, words: made.words };
}
