import { escapeXml, escapeXmlAttribute } from "../base/xml.ts";
import { commonDay, type Format, shownTime, totalOf } from "./format.ts";
import type { Trail } from "./model.ts";
import type { Fact, Section, SectionItem, SectionName } from "./sections.ts";

/** The elements within `work-trail`: one for each section, and the one that its entries are. */
export const TRAIL_ELEMENTS = {
  todos: "todo",
  failures: "failure",
  files: "file",
  requests: "request",
  "in-flight": "call",
  commits: "commit",
  tests: "test",
  questions: "question",
  references: "reference",
  stops: "stop",
  "shell-files": "file",
  reads: "file",
  commands: "command",
} as const satisfies Record<SectionName, string>;

/** A trail as `<work-trail>`, one line an entry; `<omitted>` counts what was left out. No declaration: it stands in a document. */
export function xmlFormat(trail: Trail): Format {
  const day = commonDay(trail);
  const open = `<work-trail since="${trail.since}"${day === null ? "" : ` day="${escapeXmlAttribute(day)}"`}`;
  return {
    item: (section, item) => itemElement(section, item, day),
    section: ({ name }, items) => `<${name}>\n${items.map((line) => `${line}\n`).join("")}</${name}>\n`,
    document: (_, sections, omitted, brief) => {
      if (brief) {
        const total = totalOf(omitted) === 0 ? "" : ` omitted="${totalOf(omitted)}"`;
        return sections.length === 0
          ? `<work-trail${total}/>\n`
          : `<work-trail${total}>\n${sections.join("")}</work-trail>\n`;
      }
      const counts = Object.entries(omitted).map(([name, count]) => ` ${name}="${count}"`);
      const left = counts.length === 0 ? "" : `<omitted${counts.join("")}/>\n`;
      return sections.length === 0 && left === ""
        ? `${open}/>\n`
        : `${open}>\n${sections.join("")}${left}</work-trail>\n`;
    },
    smallest: (total) => [`<work-trail omitted="${total}"/>\n`, "<work-trail/>\n"],
  };
}

function itemElement({ name }: Section, { text, facts }: SectionItem, day: string | null): string {
  const element = TRAIL_ELEMENTS[name];
  const attributes = facts.map(
    (fact) => ` ${fact.name.replace("_", "-")}="${escapeXmlAttribute(factValue(fact, day))}"`,
  );
  return `<${element}${attributes.join("")}>${escapeXml(text)}</${element}>`;
}

function factValue({ value, kind }: Fact, day: string | null): string {
  return kind === "time" ? shownTime(String(value), day) : String(value);
}
