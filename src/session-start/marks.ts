/** What became of a file in the document that is delivered: whole, cut before a line, or not in it. */
export type Loaded = { readonly kind: "whole" | "absent" } | { readonly kind: "cut"; readonly line: number };

/** By a file's absolute path. */
export type Marks = (absolutePath: string) => Loaded;

/** The longest mark there is: what is worded with it only gets shorter once the true marks are known. */
export const LONGEST_MARKS: Marks = () => ({ kind: "cut", line: 9_999_999 });

/** What stands in brackets behind a file's path. */
export function markText(loaded: Loaded): string {
  switch (loaded.kind) {
    case "whole":
      return "loaded";
    case "cut":
      return `cut: read on from line ${loaded.line}`;
    case "absent":
      return "read it";
    default:
      return loaded satisfies never;
  }
}
