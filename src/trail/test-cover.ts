import type { PlacedCommand } from "../transcript/shell-commands.ts";

/** What a test command runs, as far as its words tell. */
export interface TestScope {
  readonly verb: string;
  readonly base: string;
  /** Its words, but for those that change only how a run is shown. */
  readonly words: readonly string[];
}

/** The scope of a command that runs tests. */
export function testScope({ verb, base, words }: PlacedCommand): TestScope {
  return { verb, base, words: tellingWords(words) };
}

/** A command's words that say what is to be right in the end: neither how a run is shown, nor whether it mends what it finds. */
export function tellingWords(words: readonly string[]): readonly string[] {
  return words.filter((word) => !SHOWING.test(word) && word !== "--");
}

/**
 * Whether a test run takes in all that another one ran: in the same folder, with fewer words that choose, or with more
 * files. `npx vitest run` takes in `npx vitest run tests/a.test.ts`.
 */
export function covers(wide: TestScope, narrow: TestScope): boolean {
  if (wide.base !== narrow.base || wide.verb !== narrow.verb) return false;
  const [all, some] = [wide.words, narrow.words];
  const widely = new Set(all);
  if (some.some((word) => WIDENING.has(word) && !widely.has(word))) return false;
  const files = some.filter(isFile);
  const moreFiles = files.length > 0 && files.every((file) => widely.has(file));
  // Go's tests of no package are those of the folder.
  if (wide.verb === "go" && files.length > 0 && !moreFiles && !all.includes("./...")) return false;
  let at = 0;
  for (const word of all) {
    // All files of the other one are among them, in whatever order.
    if (moreFiles && isFile(word)) continue;
    const found = some.indexOf(word, at);
    if (found !== -1) at = found + 1;
    else if (word !== "./...") return false;
  }
  return true;
}

const SHOWING =
  /^(?:-[vqsx]{1,4}|--(?:verbose|quiet|silent|run|bail|coverage|no-coverage|reporter|color|colors|no-color|tb|ci|runInBand|no-cache|fix|write|check|noEmit)(?:=.{0,200})?)$/;

const WIDENING: ReadonlySet<string> = new Set(
  "--workspace --workspaces -ws --all --all-features --all-targets -r --recursive ./...".split(" "),
);

function isFile(word: string): boolean {
  return !word.startsWith("-") && /[./]/.test(word);
}
