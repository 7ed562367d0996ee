import type { Finding } from "../base/diagnostic.ts";
import { countCharacters, firstCharacters } from "../base/quote.ts";
import type { Span } from "../base/source-text.ts";
import { checkKeys } from "./check-keys.ts";
import { describeValue, type Field, type FieldValue } from "./field.ts";
import { isSkillName, nameFault } from "./skill-name.ts";

/** Agent Skills specification, "description field" and "compatibility field"; in code points. */
const LONGEST_DESCRIPTION = 1024;
const LONGEST_COMPATIBILITY = 500;

/** A skill's own words, fit to be listed whatever the file holds: a good name, at most 1024 characters of description. */
export interface SkillWords {
  readonly name: string;
  readonly description: string;
}

export interface CheckedFields {
  readonly skill: SkillWords;
  readonly findings: readonly Finding[];
}

/** Holds the fields against the specification. `place` is where a missing key is reported. */
export function checkFields(fields: readonly Field[], folderName: string, place: Span): CheckedFields {
  const first = new Map<string, Field>();
  for (const field of fields) if (!first.has(field.key)) first.set(field.key, field);
  const findings: Finding[] = [...checkKeys(fields)];
  const name = textOf(first.get("name")?.value).trim();
  const description = textOf(first.get("description")?.value).trim();

  findings.push(...checkName(first.get("name"), name, folderName, place));
  findings.push(...checkDescription(first.get("description"), description, place));
  for (const key of ["license", "compatibility"]) findings.push(...checkOptionalText(first.get(key)));
  findings.push(...checkMetadata(first.get("metadata")), ...checkAllowedTools(first.get("allowed-tools")));
  return { skill: skillWords(name, description, folderName), findings };
}

/** A name that is none gives way to the folder's; a description that is too long is cut. */
export function skillWords(name: string, description: string, folderName: string): SkillWords {
  return {
    name: isSkillName(name) ? name : folderName,
    description: firstCharacters(description.trim(), LONGEST_DESCRIPTION),
  };
}

function textOf(value: FieldValue | undefined): string {
  return value?.kind === "text" ? value.text : "";
}

function error(code: string, span: Span, message: string, hint: string): readonly Finding[] {
  return [{ code, severity: "error", span, message, hint }];
}

function checkName(field: Field | undefined, name: string, folderName: string, place: Span): readonly Finding[] {
  const hint = isSkillName(folderName) ? `Write "name: ${folderName}".` : "Give the skill and its folder one name.";
  if (field === undefined) return error("name", place, 'Expected the key "name", found none', hint);
  const { value, valueSpan } = field;
  if (value.kind !== "text")
    return error("name", valueSpan, `Expected the name as text, found ${describeValue(value)}`, hint);
  const fault = nameFault(name, folderName);
  return fault === null ? [] : error("name", valueSpan, fault.message, fault.hint);
}

function checkDescription(field: Field | undefined, description: string, place: Span): readonly Finding[] {
  const hint = "Say in a sentence what the skill does and when to load it.";
  if (field === undefined) return error("description", place, 'Expected the key "description", found none', hint);
  const { value, valueSpan } = field;
  if (value.kind !== "text")
    return error("description", valueSpan, `Expected the description as text, found ${describeValue(value)}`, hint);
  if (description === "") return error("description", valueSpan, "Expected a description, found blanks only", hint);
  const length = countCharacters(description);
  if (length <= LONGEST_DESCRIPTION) return [];
  const message = `Expected a description of at most ${LONGEST_DESCRIPTION} characters, found ${length}`;
  return error("description", valueSpan, message, "Move the details below the front matter.");
}

function checkOptionalText(field: Field | undefined): readonly Finding[] {
  if (field === undefined) return [];
  const { key, value, valueSpan } = field;
  const hint = `Write text, or leave "${key}" out.`;
  if (value.kind !== "text" || value.text.trim() === "")
    return error(key, valueSpan, `Expected the ${key} as text, found ${nothingOr(value)}`, hint);
  const length = countCharacters(value.text.trim());
  if (key !== "compatibility" || length <= LONGEST_COMPATIBILITY) return [];
  const message = `Expected a compatibility of at most ${LONGEST_COMPATIBILITY} characters, found ${length}`;
  return error(key, valueSpan, message, "Keep to what the skill needs to run.");
}

function nothingOr(value: FieldValue): string {
  return value.kind === "text" ? "blanks only" : describeValue(value);
}

function checkMetadata(field: Field | undefined): readonly Finding[] {
  if (field === undefined || field.value.kind === "none") return [];
  const { value, valueSpan } = field;
  const hint = 'Write one "key: value" a line, indented by two blanks.';
  if (value.kind !== "map")
    return error("metadata", valueSpan, `Expected keys and values as metadata, found ${describeValue(value)}`, hint);
  const odd = value.entries.find((entry) => entry.kind !== "text" && entry.kind !== "none");
  if (odd === undefined) return [];
  return [
    {
      code: "metadata",
      severity: "warning",
      span: valueSpan,
      message: `Expected text for each key of the metadata, found ${describeValue(odd)}`,
      hint: "Other readers of skills keep text only.",
    },
  ];
}

function checkAllowedTools(field: Field | undefined): readonly Finding[] {
  if (field === undefined) return [];
  const { value, valueSpan } = field;
  // An empty one is a choice: no tool is approved beforehand.
  if (value.kind === "text" || value.kind === "none") return [];
  const hint = 'Write the tools in one line, such as "allowed-tools: Read Bash(git:*)".';
  if (value.kind !== "list")
    return error("allowed-tools", valueSpan, `Expected a list of tools, found ${describeValue(value)}`, hint);
  const odd = value.items.find((item) => item.kind !== "text");
  if (odd === undefined) return [];
  return error(
    "allowed-tools",
    valueSpan,
    `Expected the names of tools in the list, found ${describeValue(odd)}`,
    hint,
  );
}
