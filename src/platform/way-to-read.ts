import type { ReadProblem } from "./read-text.ts";

/** What lets a file be read after all, an order without its full stop. */
export function wayToRead(problem: ReadProblem, shown: string): string {
  switch (problem) {
    case "missing":
      return `Put ${shown} back`;
    case "denied":
      return `Give this user the rights to read ${shown}`;
    case "link":
      return `Delete the link ${shown}`;
    case "not-a-file":
      return `Move ${shown} away`;
    case "too-large":
      return `Make ${shown} smaller`;
    case "not-text":
      return `Save ${shown} as text in UTF-8`;
    case "failed":
      return `See to the disk that holds ${shown}`;
    default:
      return problem satisfies never;
  }
}
