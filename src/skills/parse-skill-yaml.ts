import { isMap, isScalar, isSeq, parseDocument } from "yaml";
import { printableLine } from "../base/printable.ts";
import { firstCharacters } from "../base/quote.ts";
import { finishSkill, frontFault, openSkill, type ParsedSkill, refuse, type SkillOptions } from "./open-skill.ts";
import { yamlFields } from "./yaml-fields.ts";

/** Reads a `SKILL.md` whose front matter the plain scan cannot take. Imported only where one is met: it loads `yaml`. */
export function parseSkillYaml(text: string, options: SkillOptions): ParsedSkill {
  const block = openSkill(text, options);
  if ("skill" in block) return block;
  // Keys that stand twice are ours to report: the parser would compare each key with each other.
  const document = parseDocument(block.raw, { prettyErrors: false, uniqueKeys: false, logLevel: "error" });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const [start, end] = fault.pos;
    const span = { start: inside(block.span.start + start), end: inside(block.span.start + end) };
    const hint = "A value that holds a colon and a blank, or a hash behind a blank, needs double quotes around it.";
    const finding = frontFault(
      span,
      `Expected YAML in the front matter, found a fault: ${firstCharacters(printableLine(fault.message), 200)}`,
      hint,
    );
    return refuse(text, options, block.raw, [...block.findings, finding]);
  }
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null))
    return finishSkill(text, options, block, []);
  if (isMap(contents)) return finishSkill(text, options, block, yamlFields(block, document, contents.items));
  const message = `Expected keys and values in the front matter, found ${isSeq(contents) ? "a list" : "text"}`;
  const finding = frontFault(block.opening, message, 'Write "name: …" and "description: …", each on its own line.');
  return refuse(text, options, block.raw, [...block.findings, finding]);

  /** The parser may point behind the last character. */
  function inside(offset: number): number {
    return Math.min(offset, text.length);
  }
}
