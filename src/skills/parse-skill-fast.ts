import { type FrontMatterValue, scanFrontMatter } from "../base/frontmatter.ts";
import { invariant } from "../base/invariant.ts";
import type { Field, FieldValue } from "./field.ts";
import { type FrontBlock, finishSkill, openSkill, type ParsedSkill, type SkillOptions } from "./open-skill.ts";

/**
 * Reads a `SKILL.md` without a YAML parser, which costs a start more than all the rest. "needs-yaml" for what the plain
 * scan cannot take: `parseSkillYaml` reads that, and says the same of all else.
 */
export function parseSkillFast(text: string, options: SkillOptions): ParsedSkill | "needs-yaml" {
  const block = openSkill(text, options);
  if ("skill" in block) return block;
  const values = scanFrontMatter(block.raw);
  return values === null ? "needs-yaml" : finishSkill(text, options, block, fieldsOf(block, values));
}

/** A key at the start of a line and what follows its colon. */
const KEY_LINE = /^([A-Za-z_][A-Za-z0-9_-]*) *:/;

/** The scanned values with their places. */
function fieldsOf({ raw, span }: FrontBlock, values: ReadonlyMap<string, FrontMatterValue>): readonly Field[] {
  const fields: Field[] = [];
  let at = span.start;
  for (const line of raw.split("\n")) {
    const start = at;
    at += line.length + 1;
    const match = KEY_LINE.exec(line);
    const key = match?.[1];
    const value = key === undefined ? undefined : values.get(key);
    if (match === null || key === undefined || value === undefined) continue;
    const keySpan = { start, end: start + key.length };
    const rest = line.slice(match[0].length);
    const written = rest.trim();
    const valueStart = start + match[0].length + (rest.length - rest.trimStart().length);
    const valueSpan = written === "" ? keySpan : { start: valueStart, end: valueStart + written.length };
    fields.push({ key, keySpan, value: fieldValue(value, written), valueSpan });
  }
  invariant(fields.length === values.size, "each scanned key has a line of its own");
  return fields;
}

function fieldValue(value: FrontMatterValue, written: string): FieldValue {
  if (value === null) return { kind: "none" };
  if (typeof value === "string") return { kind: "text", text: value };
  if (typeof value === "object") return { kind: "list", items: value.map((item) => fieldValue(item, String(item))) };
  return { kind: "text", text: written };
}
