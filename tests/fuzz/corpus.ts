import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { settingsText } from "../install/odd-settings.ts";
import { anyThread } from "../thread/arbitrary-event.ts";

/** Longer files are cut: one input is to take a thousandth of a second. */
const CUT = 24_000;

export interface Corpora {
  /** Texts of the files below `root` whose path matches. */
  readonly files: (pattern: RegExp) => readonly string[];
  readonly threads: readonly string[];
  readonly settings: readonly string[];
}

/** What there is of real files, and what the property tests' generators make, with fixed seeds. */
export function corpora(root: string): Corpora {
  const all = ["tests/fixtures", "session/agents", ".claude", "schemas"].flatMap((folder) => walk(join(root, folder)));
  return {
    files: (pattern) => {
      const found = all.filter((path) => pattern.test(path)).map((path) => readFileSync(path, "utf8").slice(0, CUT));
      if (found.length === 0) throw new Error(`No file of the corpus matches ${pattern}.`);
      return found;
    },
    threads: fc.sample(anyThread, { seed: 1, numRuns: 60 }).map((thread) => JSON.stringify(thread)),
    settings: fc.sample(settingsText, { seed: 1, numRuns: 60 }).map(({ text }) => text),
  };
}

function walk(folder: string): readonly string[] {
  const names = readdirSync(folder).sort();
  return names.flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? walk(path) : [path];
  });
}
