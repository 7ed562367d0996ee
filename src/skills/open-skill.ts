import { compareDiagnostics, type Diagnostic, diagnosticAt, type Finding } from "../base/diagnostic.ts";
import { splitFrontMatter, yamlHazard } from "../base/frontmatter.ts";
import { type Span, sourceText } from "../base/source-text.ts";
import { checkFields, type SkillWords, skillWords } from "./check-fields.ts";
import type { Field } from "./field.ts";
import { recoverWords } from "./recover-words.ts";

export interface SkillOptions {
  /** The folder that holds the `SKILL.md`: the name the skill must have. */
  readonly folderName: string;
}

export interface ParsedSkill {
  readonly skill: SkillWords;
  /** In source order. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Front matter that may be read: its characters, and where they stand in the text. */
export interface FrontBlock {
  /** Control characters in it are replaced by U+FFFD, unit for unit. */
  readonly raw: string;
  readonly span: Span;
  /** The opening line's dashes. */
  readonly opening: Span;
  readonly findings: readonly Finding[];
}

/** YAML 1.2, production `c-printable`: no control but tab and line breaks. */
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/;
const CONTROLS = new RegExp(CONTROL, "g");

/** The front matter, or the outcome where there is none to read. Both readers start here, so that they agree on it. */
export function openSkill(text: string, options: SkillOptions): FrontBlock | ParsedSkill {
  const front = splitFrontMatter(text);
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  if (front.kind === "absent") {
    const span = { start, end: start };
    return refuse(text, options, "", [
      frontFault(span, "Expected front matter between two lines of three dashes, found none", "Put it on line 1."),
    ]);
  }
  if (front.kind === "unclosed") {
    const message = "Expected a second line of three dashes to close the front matter, found none";
    const finding = frontFault(front.opening, message, 'Put a line of "---" behind the last key.');
    return refuse(text, options, text.slice(front.opening.end), [finding]);
  }
  const findings = controlFindings(front.raw, front.span.start);
  const raw = findings.length === 0 ? front.raw : front.raw.replace(CONTROLS, "\uFFFD");
  const hazard = yamlHazard(raw);
  const opening = { start, end: start + 3 };
  if (hazard === null) return { raw, span: front.span, opening, findings };
  const message = `Expected front matter of a few short lines, but ${hazard}`;
  return refuse(text, options, raw, [...findings, frontFault(opening, message, "Move what is long below it.")]);
}

function controlFindings(raw: string, offset: number): readonly Finding[] {
  const match = CONTROL.exec(raw);
  if (match === null) return [];
  const start = offset + match.index;
  const code = match[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  const message = `Expected text in the front matter, found the control character U+${code}`;
  return [frontFault({ start, end: start + 1 }, message, "Remove it: other readers refuse the file for it.")];
}

/** A fault of a skill's front matter. */
export function frontFault(span: Span, message: string, hint: string): Finding {
  return { code: "front-matter", severity: "error", span, message, hint };
}

/** The outcome where the front matter cannot be read: the faults, and what its lines say at a glance. */
export function refuse(
  text: string,
  { folderName }: SkillOptions,
  lines: string,
  findings: readonly Finding[],
): ParsedSkill {
  const { name, description } = recoverWords(lines);
  return { skill: skillWords(name, description, folderName), diagnostics: place(text, findings) };
}

/** The outcome of fields that were read. */
export function finishSkill(
  text: string,
  { folderName }: SkillOptions,
  block: FrontBlock,
  fields: readonly Field[],
): ParsedSkill {
  const { skill, findings } = checkFields(fields, folderName, block.opening);
  return { skill, diagnostics: place(text, [...block.findings, ...findings]) };
}

function place(text: string, findings: readonly Finding[]): readonly Diagnostic[] {
  if (findings.length === 0) return [];
  // Only as far as there are places to work out: most of a skill is body. One more, so that no CRLF is cut in two.
  const source = sourceText(text.slice(0, Math.max(...findings.map(({ span }) => span.end)) + 1));
  return findings.map((finding) => diagnosticAt(source, finding)).sort(compareDiagnostics);
}
