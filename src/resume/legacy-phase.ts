import { splitFrontMatter } from "../base/frontmatter.ts";
import { itemsOf, outline } from "../base/markdown.ts";
import { sourceText } from "../base/source-text.ts";
import { type ManifestPhase, meantPhase } from "./phases.ts";
import { writeScalar } from "./yaml-scalar.ts";

/** `- **Phase**: COMPLETE` in the text, which is where the oldest files have it. */
export function phaseInBody(text: string): string | null {
  const parts = splitFrontMatter(text);
  if (parts.kind !== "found") return null;
  for (const { text: line } of itemsOf(outline(sourceText(parts.body)).prose)) {
    const match = /^\*\*Phase\*\*:\s*([A-Za-z-]{1,40})/.exec(line);
    if (match?.[1] !== undefined && meantPhase(match[1]) !== null) return match[1];
  }
  return null;
}

/** How the phase of a migrated file came about. */
export function phaseNote(word: string | null, bodyPhase: string | null, phase: ManifestPhase): string {
  if (word !== null && meantPhase(word) !== null)
    return `The phase ${writeScalar(word, "double")} is now called ${phase}.`;
  if (word !== null) return `The phase ${writeScalar(word, "double")} is not known: ${phase} is used.`;
  return bodyPhase === null ? `No phase is named: ${phase} is used.` : `The phase ${phase} comes from the text.`;
}
