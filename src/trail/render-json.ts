import { type Format, totalOf } from "./format.ts";
import type { Trail } from "./model.ts";
import type { Section, SectionItem } from "./sections.ts";

/** A trail as one JSON object, a line an entry; `omitted` counts what was left out. */
export function jsonFormat(trail: Trail): Format {
  return {
    item: itemObject,
    section: ({ name }, items) => `${JSON.stringify(keyOf(name))}:[\n${items.join(",\n")}\n]`,
    document: (_, sections, omitted, brief) => {
      const counts = Object.entries(omitted).map(([name, count]) => [keyOf(name), count] as const);
      const total = totalOf(omitted);
      if (brief) {
        const left = total === 0 ? [] : [`"omitted":{"total":${total}}`];
        return `{${['"schema_version":1', ...sections, ...left].join(",\n")}}\n`;
      }
      const members = [
        `"schema_version":1,"since":${JSON.stringify(trail.since)},"compactions":${trail.compactions}`,
        ...sections,
        ...(counts.length === 0 ? [] : [`"omitted":${JSON.stringify(Object.fromEntries(counts))}`]),
      ];
      return `{${members.join(",\n")}}\n`;
    },
    smallest: (total) => [`{"schema_version":1,"omitted":{"total":${total}}}\n`, '{"schema_version":1}\n', "{}\n"],
  };
}

function keyOf(name: string): string {
  return name.replace("-", "_");
}

function itemObject({ says }: Section, { text, facts }: SectionItem): string {
  const entries = facts.map(({ name, value }) => [name, value] as const);
  return JSON.stringify(Object.fromEntries([[says, text], ...entries]));
}
