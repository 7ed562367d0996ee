import type { SourceLine } from "../base/source-text.ts";
import { FIELD_FORMS, type Field, LAST_METADATA_LINE, readField } from "./fields.ts";
import type { ParsedContextFile } from "./parse.ts";
import { isPlain } from "./places.ts";

// Where there is no heading below the title, text so far down is no header.
const LAST_HEADER_LINE = 40;

/** The lines above the first heading that is not the title, in which a field may stand too far down. */
export function headerLines(file: ParsedContextFile): readonly SourceLine[] {
  const end = file.outline.headings.find((heading) => heading.line.number > 1 && heading.level > 1)?.line.number;
  const last = Math.min(end ?? LAST_HEADER_LINE, LAST_HEADER_LINE);
  return file.outline.prose.slice(0, LAST_HEADER_LINE).filter((line) => line.number < last);
}

/** All well-written fields of the header, in order, that can be moved right below the title; null where one cannot. */
export function movableFields(file: ParsedContextFile, header: readonly SourceLine[]): readonly SourceLine[] | null {
  const lines = FIELD_FORMS.flatMap(({ name }) => {
    const inPlace = file.fields[name];
    if (inPlace !== null && inPlace.value !== "") return [inPlace.line];
    const isMeant = (field: Field | null) => field?.name === name && field.value !== "";
    return header.filter((line) => isMeant(readField(line))).slice(0, 1);
  });
  return lines.every((line) => isPlain(file, line)) ? lines : null;
}

/** Whether the fields bear that lines are added below line `below`: each stays within reach, or is moved up again. */
export function fieldsBear(file: ParsedContextFile, added: number, below = 0): boolean {
  const fields = FIELD_FORMS.flatMap(({ name }) => file.fields[name] ?? []).filter(({ value }) => value !== "");
  const pushed = fields.filter(({ line }) => line.number > below && line.number + added > LAST_METADATA_LINE);
  if (pushed.length === 0) return true;
  // What is line 1 now may not be when lines were added above it: whatever its place, a heading ends the header.
  const heading = file.outline.headings.find(({ level }) => level > 1)?.line.number ?? Number.POSITIVE_INFINITY;
  return pushed.every(({ line }) => line.number < heading) && movableFields(file, headerLines(file)) !== null;
}
