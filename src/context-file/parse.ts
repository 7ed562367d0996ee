import {
  type Heading,
  itemsOf,
  type ListItem,
  type Outline,
  outline,
  restOfItem,
  withoutComments,
} from "../base/markdown.ts";
import { type SourceLine, type SourceText, type Span, sourceText } from "../base/source-text.ts";
import { readDate } from "./dates.ts";
import { hasDoneMark } from "./done-mark.ts";
import { type Field, type FieldName, LAST_METADATA_LINE, readField, readRole } from "./fields.ts";
import type { ContextFile, SectionKind } from "./model.ts";
import { sectionKind } from "./sections.ts";
import { readTitle } from "./title-form.ts";

// A class, since a getter of an object literal would make a hidden class of its own for each section, which outlives it.

/** A `##` heading with everything up to the next heading of its level or above. */
export class Section {
  readonly kind: SectionKind;
  readonly heading: Heading;
  /** From the heading's line to the end of the section's last line. */
  readonly span: Span;
  readonly subheadings: readonly Heading[];
  readonly #prose: readonly SourceLine[];
  #items: readonly ListItem[] | null = null;

  constructor(heading: Heading, span: Span, subheadings: readonly Heading[], prose: readonly SourceLine[]) {
    this.kind = sectionKind(heading.title);
    this.heading = heading;
    this.span = span;
    this.subheadings = subheadings;
    this.#prose = prose;
  }

  // Read only where they are asked for: the longest section, the completed work, needs none.
  get items(): readonly ListItem[] {
    this.#items ??= itemsOf(this.#prose);
    return this.#items;
  }
}

/** A context file read once: its lines, its outline, what was found, and the data of the model. */
export interface ParsedContextFile {
  readonly source: SourceText;
  readonly outline: Outline;
  /** The heading on line 1, of whatever level. */
  readonly title: Heading | null;
  /** The first field of each name within the metadata lines. */
  readonly fields: { readonly [K in FieldName]: Field | null };
  readonly sections: readonly Section[];
  readonly data: ContextFile;
}

/** Reads any text as a context file and never throws: what is missing is null or empty. */
export function parseContextFile(text: string): ParsedContextFile {
  const source = sourceText(text);
  const parsed = outline(source);
  const first = parsed.headings[0];
  const title = first?.line.number === 1 ? first : null;
  const fields = fieldsOf(parsed);
  const sections = sectionsOf(source, parsed);
  return {
    source,
    outline: parsed,
    title,
    fields,
    sections,
    data: dataOf(withoutComments(source, parsed), title, fields, sections),
  };
}

/** The first section of a kind: the one that counts. */
export function sectionOf(file: Pick<ParsedContextFile, "sections">, kind: SectionKind): Section | null {
  return file.sections.find((section) => section.kind === kind) ?? null;
}

/** The numbered items of a section that are not nested in others and say something. */
export function stepsOf(section: Section): readonly ListItem[] {
  return topLevel(section.items.filter((item) => item.ordinal !== null && item.text !== ""));
}

/** One column more nests nothing: ` 9.` stands above `10.` so. */
function topLevel(items: readonly ListItem[]): readonly ListItem[] {
  const indent = items.reduce((least, item) => Math.min(least, item.indent), Number.POSITIVE_INFINITY);
  return items.filter((item) => item.indent <= indent + 1);
}

function fieldsOf(parsed: Outline): ParsedContextFile["fields"] {
  const fields: { [K in FieldName]: Field | null } = { Updated: null, Role: null, Pane: null };
  for (const line of parsed.prose) {
    if (line.number > LAST_METADATA_LINE) break;
    const field = readField(line);
    // An empty field does not hide a full one below it.
    if (field !== null && (fields[field.name]?.value ?? "") === "") fields[field.name] = field;
  }
  return fields;
}

function sectionsOf(source: SourceText, parsed: Outline): readonly Section[] {
  const sections: Section[] = [];
  let line = 0;
  for (let at = 0; at < parsed.headings.length; at++) {
    const heading = parsed.headings[at];
    if (heading?.level !== 2) continue;
    let next = at + 1;
    while ((parsed.headings[next]?.level ?? 0) > 2) next += 1;
    const end = parsed.headings[next]?.line ?? null;
    while ((parsed.prose[line]?.number ?? Number.POSITIVE_INFINITY) <= heading.line.number) line += 1;
    const first = line;
    while (line < parsed.prose.length && (end === null || (parsed.prose[line]?.number ?? 0) < end.number)) line += 1;
    const last = line;
    const span = { start: heading.line.start, end: end?.start ?? source.text.length };
    sections.push(new Section(heading, span, parsed.headings.slice(at + 1, next), parsed.prose.slice(first, last)));
    at = next - 1;
  }
  return sections;
}

function dataOf(
  text: string,
  title: Heading | null,
  fields: ParsedContextFile["fields"],
  sections: readonly Section[],
): ContextFile {
  const whole = (item: ListItem): string => (item.text + restOfItem(text, item.line.span.end)).trimEnd();
  const heading = title?.level === 1 ? title.title : null;
  const updated = readDate(fields.Updated?.value ?? "");
  const recovery = sectionOf({ sections }, "recovery-steps");
  const completed = sectionOf({ sections }, "completed-work");
  const pending = sectionOf({ sections }, "pending");
  const keyFiles = sectionOf({ sections }, "key-files");
  return {
    title: heading,
    roleTitle: heading === null ? null : (readTitle(heading)?.roleTitle ?? null),
    updated: updated.kind === "real" ? updated.text : null,
    role: fields.Role === null || fields.Role.value === "" ? null : readRole(fields.Role.value),
    pane: fields.Pane === null || fields.Pane.value === "" ? null : fields.Pane.value,
    sections: sections.map((section) => ({
      heading: section.heading.title,
      kind: section.kind,
      line: section.heading.line.number,
    })),
    recoverySteps: recovery === null ? [] : stepsOf(recovery).map(whole),
    completedTasks: (completed?.subheadings ?? [])
      .filter((task) => task.level === 3)
      .map((task) => ({ title: task.title, done: hasDoneMark(task.title), line: task.line.number })),
    pending: pending === null ? [] : topLevel(pending.items).map(whole),
    keyFiles: (keyFiles?.items ?? []).flatMap((item) => /^`([^`]+)`/.exec(item.text)?.[1] ?? []),
  };
}
