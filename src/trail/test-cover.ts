import type { PlacedCommand } from "../transcript/shell-commands.ts";

/**
 * Whether a test run takes in all that another one ran, as far as their words tell: in the same folder, with fewer words
 * that choose, or with more files. `npx vitest run` takes in `npx vitest run tests/a.test.ts`.
 */
export function covers(wide: PlacedCommand, narrow: PlacedCommand): boolean {
  if (wide.base !== narrow.base || wide.verb !== narrow.verb) return false;
  const [all, some] = [choosing(wide.words), choosing(narrow.words)];
  if (some.some((word) => WIDENING.has(word) && !all.includes(word))) return false;
  const files = some.filter(isFile);
  const moreFiles = files.length > 0 && files.every((file) => all.includes(file));
  // Go's tests of no package are those of the folder.
  if (wide.verb === "go" && files.length > 0 && !moreFiles && !all.includes("./...")) return false;
  let at = 0;
  for (const word of all) {
    const found = some.indexOf(word, at);
    if (found !== -1) at = found + 1;
    else if (word !== "./..." && !(moreFiles && isFile(word))) return false;
  }
  return true;
}

/** Without what changes only how a run is shown. */
function choosing(words: readonly string[]): readonly string[] {
  return words.filter((word) => !SHOWING.test(word) && word !== "--");
}

const SHOWING =
  /^(?:-[vqsx]{1,4}|--(?:verbose|quiet|silent|run|bail|coverage|no-coverage|reporter|color|colors|no-color|tb|ci|runInBand|no-cache)(?:=.{0,200})?)$/;

const WIDENING: ReadonlySet<string> = new Set(
  "--workspace --workspaces -ws --all --all-features --all-targets -r --recursive ./...".split(" "),
);

function isFile(word: string): boolean {
  return !word.startsWith("-") && /[./]/.test(word);
}
