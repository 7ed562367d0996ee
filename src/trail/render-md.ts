import { printableLine } from "../base/printable.ts";
import { oneLine } from "./clean-text.ts";
import { commonDay, type Format, type Omitted, shownTime, totalOf } from "./format.ts";
import type { Trail } from "./model.ts";
import type { Fact, Section, SectionItem, SectionName } from "./sections.ts";

/** A trail as Markdown: a heading for each section, a list item for each entry. */
export function markdownFormat(trail: Trail): Format {
  const day = commonDay(trail);
  return {
    item: (section, item) => itemLine(section, item, day),
    section: (section, items) => `\n## ${HEADINGS[section.name]}\n${items.map((line) => `${line}\n`).join("")}`,
    document: (_, sections, omitted, brief) =>
      `${brief ? "# Work trail\n" : head(trail, day)}${sections.join("")}${omittedLine(omitted, brief)}`,
    smallest: (total) => [`Work trail: ${entriesText(total)} left out.\n`, "Work trail\n"],
  };
}

function head(trail: Trail, day: string | null): string {
  return `# Work trail, ${REACHES[trail.since]}\n${day === null ? "" : `Times are of ${day}.\n`}`;
}

const REACHES = {
  compaction: "since the last compaction",
  start: "from the start",
  end: "of the newest records",
} as const satisfies Record<Trail["since"], string>;

const HEADINGS = {
  todos: "Open tasks",
  failures: "Unanswered errors",
  files: "Files changed",
  requests: "What the person asked for, newest first",
  "in-flight": "In flight",
  commits: "Commits",
  tests: "Test runs, last result",
  questions: "Questions and answers",
  references: "Links and issues named by the person",
  stops: "Stopped or refused by the person",
  "shell-files": "Files changed by shell commands, by their text",
  reads: "Files read",
  commands: "Commands",
} as const satisfies Record<SectionName, string>;

function itemLine(section: Section, item: SectionItem, day: string | null): string {
  const facts = item.facts.flatMap((fact) => factText(section, fact, day));
  const [lead, tail] = LEADING.has(section.name) ? [facts.slice(0, 1), facts.slice(1)] : [[], facts];
  const said = oneLine([...lead, item.text].join(" "));
  return printableLine(`- ${said}${tail.length === 0 ? "" : ` (${oneLine(tail.join(", "))})`}`);
}

/** Sections whose first fact stands before the entry: `created src/a.ts`. */
const LEADING: ReadonlySet<SectionName> = new Set(["files", "shell-files", "tests", "stops"]);

function factText(section: Section, { name, value, kind }: Fact, day: string | null): readonly string[] {
  if (kind === "time") return [shownTime(String(value), day)];
  if (typeof value === "number") return [name === "failed" ? `failed ${value}×` : `${value}×`];
  switch (name) {
    case "status":
      return value === "in_progress" ? ["in progress"] : [];
    case "answer":
      return [`answer: ${value}`];
    case "state":
      return value === "running" || value === "answered" ? [] : [`${value}`];
    case "kind":
      return section.name === "references" ? [] : [`${value}`];
    case "id":
      return [`id ${value}`];
    case "moved_to":
      return [`moved to ${value}`];
    case "first":
      return ["the first request"];
    case "sub_agent":
      return ["by a sub-agent"];
    case "outcome":
      return section.name === "commands" && value === "ok" ? [] : [`${value}`];
    default:
      return [`${value}`];
  }
}

function omittedLine(omitted: Omitted, brief: boolean): string {
  if (brief && totalOf(omitted) > 0) return `\nLeft out: ${entriesText(totalOf(omitted))}.\n`;
  const counts = Object.entries(omitted).map(([name, count]) => `${name} ${count}`);
  return counts.length === 0 ? "" : `\nLeft out: ${counts.join(", ")}.\n`;
}

function entriesText(count: number): string {
  return count === 1 ? "1 entry" : `${count} entries`;
}
