import { quote } from "../../base/quote.ts";
import { findFieldLookalike } from "../field-lookalike.ts";
import { fieldsBear } from "../field-reach.ts";
import { FIELD_FORMS, type FieldForm, LAST_METADATA_LINE } from "../fields.ts";
import type { ParsedContextFile } from "../parse.ts";
import { fileStart, mayGrow, metadataInsertion } from "../places.ts";
import type { Problem, Rule, ValidateOptions } from "../rule.ts";

/** The three facts about a file that tools read without reading the file. */
export const metadataRule: Rule = {
  code: "metadata",
  severity: "error",
  summary: `${FIELD_FORMS.map((form) => `\`**${form.name}**\``).join(", ")} stand within the first ${LAST_METADATA_LINE} lines, each on its own line as \`**Key**: value\`.`,
  why: "Without them nobody can tell how old the memory is, whose it is, or in which pane the agent works.",
  good: FIELD_FORMS.map((form) => `**${form.name}**: ${form.example}`).join("\n"),
  mends:
    "Rewrites a near miss (`**Update**:`, `Updated:`, `**Role:** x`), moves a field of the header up, splits fields that share a line, and fills in the role where the file's name says it. A date or a pane that is nowhere is left to a person.",
  check: (file, options) =>
    FIELD_FORMS.flatMap((form) =>
      (file.fields[form.name]?.value ?? "") === "" ? [problemOf(file, form, options)] : [],
    ),
};

function problemOf(file: ParsedContextFile, form: FieldForm, options: ValidateOptions): Problem {
  const key = `**${form.name}**:`;
  const expected = `Expected ${quote(`${key} <value>`)} within the first ${LAST_METADATA_LINE} lines`;
  const known = form.name === "Role" && mayGrow(file) ? options.role : undefined;
  // The example is no part of the line to write: it must not be copied into a file as a fact.
  const hint = `Write ${quote(`${key} ${known ?? "<value>"}`)} below the title: ${form.value}, such as ${quote(form.example)}.`;
  const empty = file.fields[form.name];
  if (empty !== null) {
    const at = empty.valueStart;
    return {
      span: empty.line.span,
      message: `Expected a value after ${quote(key)}, found none`,
      hint,
      ...(known === undefined ? {} : { fix: [{ span: { start: at, end: at }, text: ` ${known}` }] }),
    };
  }
  const lookalike = findFieldLookalike(file, form);
  if (lookalike !== null) {
    const { line, span, misplaced, fix } = lookalike;
    return {
      span,
      message: `${expected}, found ${quote(lookalike.key)} on line ${line.number}`,
      hint: misplaced ? "Move the line up, right below the title." : hint,
      ...(fix === null || !mayGrow(file) ? {} : { fix }),
    };
  }
  const added = known === undefined || !fieldsBear(file, 2) ? null : metadataInsertion(file, `${key} ${known}`);
  return {
    span: fileStart(file),
    message: `${expected}, found no such field`,
    hint,
    ...(added === null ? {} : { fix: [added] }),
  };
}
