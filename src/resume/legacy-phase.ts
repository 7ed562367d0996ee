import { splitFrontMatter } from "../base/frontmatter.ts";
import { invariant } from "../base/invariant.ts";
import { itemsOf, outline } from "../base/markdown.ts";
import { sourceText } from "../base/source-text.ts";
import { type ManifestPhase, meantPhase } from "./phases.ts";
import { writeScalar } from "./yaml-scalar.ts";

/** `- **Phase**: COMPLETE` in the text below the front matter, which is where the oldest files have it. */
export function phaseInBody(text: string): string | null {
  const parts = splitFrontMatter(text);
  invariant(parts.kind === "found", "what is migrated has front matter");
  for (const { text: line } of itemsOf(outline(sourceText(parts.body)).prose)) {
    const word = /^\*\*Phase\*\*:\s*([A-Za-z-]{1,40})/.exec(line)?.[1] ?? "";
    if (meantPhase(word) !== null) return word;
  }
  return null;
}

/** How the phase of a migrated file came about; `counted`: the boxes of the steps told it. */
export function phaseNote(
  word: string | null,
  bodyPhase: string | null,
  phase: ManifestPhase,
  counted: boolean,
): string {
  if (word !== null && meantPhase(word) !== null)
    return `The phase ${writeScalar(word, "double")} is now called ${phase}.`;
  const used = counted ? `${phase} is used, as the boxes of its steps say.` : `${phase} is used.`;
  if (word !== null) return `The phase ${writeScalar(word, "double")} is not known: ${used}`;
  return bodyPhase === null ? `No phase is named: ${used}` : `The phase ${phase} comes from the text.`;
}
