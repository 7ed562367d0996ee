/** Whether JSON is asked for, also by a command line that is out of order. */
export function asksForJson(argv: readonly string[]): boolean {
  return argv.some((word, at) => /^--(format=)?json$/.test(word) || (word === "json" && argv[at - 1] === "--format"));
}

/** Whoever watches reads a value a line: the last one, which says what went wrong, is no other. */
export function jsonIndent(argv: readonly string[]): number {
  return argv.includes("--watch") ? 0 : 2;
}
