export interface GitCommand {
  readonly name: string;
  /** What follows the name. */
  readonly words: readonly string[];
  /** The folder it works in: `-C` moves it. */
  readonly base: string;
}

/** The git command in the words behind `git`; null where there is none. */
export function gitCommand(words: readonly string[], base: string): GitCommand | null {
  let at = 0;
  let folder = base;
  for (let word = words[at]; word?.startsWith("-") === true; word = words[at]) {
    const value = words[at + 1];
    if (word === "-C" && value !== undefined)
      folder = /^(?:[A-Za-z]:)?[/\\]/.test(value) ? value : `${folder}/${value}`;
    at += TAKES_VALUE.has(word) ? 2 : 1;
  }
  const name = words[at];
  return name === undefined ? null : { name, words: words.slice(at + 1), base: folder };
}

const TAKES_VALUE = new Set(["-C", "-c", "--git-dir", "--work-tree", "--namespace"]);
