import type { Heading } from "../base/markdown.ts";
import { quote } from "../base/quote.ts";
import type { ParsedContextFile } from "./parse.ts";
import { blockInsertion, fileStart, isPlain, mayGrow, underlineRemoved } from "./places.ts";
import type { Problem } from "./rule.ts";
import { findLookalike } from "./section-lookalike.ts";
import type { SectionForm } from "./sections.ts";

/** The finding for a section that is not there; `skeleton` is what `--fix` adds, above `before` or at the end. */
export function missingSection(
  file: ParsedContextFile,
  form: SectionForm,
  skeleton: { readonly lines: readonly string[]; readonly before: Heading | null } | null,
): Problem {
  const expected = `Expected a heading that starts with ${quote(`## ${form.name}`)}`;
  const lookalike = findLookalike(file, form);
  if (lookalike !== null) {
    const { heading, wanted, fix } = lookalike;
    return {
      span: heading.titleSpan,
      message: `${expected}, found ${quote(`${"#".repeat(heading.level)} ${heading.title}`)}`,
      hint: `Write the heading as ${quote(wanted)}.`,
      ...(fix === null ? {} : { fix }),
    };
  }
  for (const line of file.outline.prose) {
    const bare = line.text.replace(/^##(?!#)/, "");
    if (!bare.startsWith(form.name)) continue;
    const wanted = `## ${bare.trim()}`;
    const underlined = bare === line.text;
    const fix = underlined ? underlineRemoved(file, line, wanted) : [{ span: line.span, text: wanted }];
    const message = `${expected}, found ${underlined ? "one that is underlined" : quote(line.text)}`;
    if (fix !== null && isPlain(file, line))
      return { span: line.span, message, hint: `Write the heading as ${quote(wanted)}.`, fix };
  }
  const hidden = file.source.lines.find((line) => line.text.trimStart().startsWith(`## ${form.name}`));
  const found =
    hidden === undefined ? "found none" : `found one on line ${hidden.number} that is not read as a heading`;
  const edit = skeleton === null || !mayGrow(file) ? null : insertAboveOrAtEnd(file, skeleton);
  return {
    span: hidden?.span ?? fileStart(file),
    message: `${expected}, ${found}`,
    hint:
      hidden === undefined
        ? `Add the section ${quote(`## ${form.name}`)}: ${form.holds}.`
        : "Move the heading out of the fenced code, comment or indentation.",
    ...(edit === null ? {} : { fix: [edit] }),
  };
}

function insertAboveOrAtEnd(
  file: ParsedContextFile,
  { lines, before }: { readonly lines: readonly string[]; readonly before: Heading | null },
) {
  const above = before === null || isAboveFields(file, before) ? null : blockInsertion(file, lines, before);
  return above ?? blockInsertion(file, lines, null);
}

/** What is added above the fields would push them down, and be a heading above them. */
function isAboveFields({ fields }: ParsedContextFile, heading: Heading): boolean {
  return Object.values(fields).some((field) => field !== null && field.line.number > heading.line.number);
}
