import type { ReadError, ReadProblem } from "./read-text.ts";

const WAYS: Readonly<Partial<Record<ReadProblem, string>>> = {
  denied: "Give this user the rights to read %",
  "too-large": "Make % smaller",
  "not-text": "Save % as text in UTF-8",
};

/** What lets a file be read after all, an order without its full stop. */
export function wayToRead(problem: ReadProblem, shown: string): string {
  return (WAYS[problem] ?? "Move % away").replace("%", () => shown);
}

/** Whether nobody knows what stands there: a file that was not read cannot be said to be another one than was expected. */
export function isUnread({ problem }: ReadError): boolean {
  return problem !== "missing" && problem !== "too-large" && problem !== "not-text";
}
