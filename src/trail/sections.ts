import { brief } from "./clean-text.ts";
import type { Trail } from "./model.ts";

/** What a trail is told in, the most useful first. */
export const SECTION_NAMES = [
  "todos",
  "failures",
  "files",
  "requests",
  "in-flight",
  "commits",
  "tests",
  "questions",
  "references",
  "stops",
  "shell-files",
  "reads",
  "commands",
] as const;

export type SectionName = (typeof SECTION_NAMES)[number];

/** A fact beside an entry's text; null ones are left out. A time is ISO 8601. */
export interface Fact {
  readonly name: string;
  readonly value: string | number | boolean | null;
  readonly kind: "text" | "time" | "path";
}

export interface SectionItem {
  /** The entry itself: a path, a command, what somebody said. */
  readonly text: string;
  readonly facts: readonly Fact[];
}

export interface Section {
  readonly name: SectionName;
  /** What an entry's text is: its name in JSON. */
  readonly says: "text" | "path" | "command" | "title" | "what" | "question";
  readonly items: readonly SectionItem[];
  /** Indices of `items` in the order in which room is given to them. */
  readonly order: readonly number[];
}

/** The sections that hold anything, each entry as plain facts: what all formats are made from. */
export function sectionsOf(trail: Trail): readonly Section[] {
  const open = trail.todos.filter(({ status }) => status !== "completed");
  const current = open.filter(({ status }) => status === "in_progress");
  const pending = open.filter(({ status }) => status === "pending");
  const all: readonly Section[] = [
    section(
      "todos",
      "text",
      [...current, ...pending].map((todo) => item(todo.text, [fact("status", todo.status)])),
    ),
    section(
      "failures",
      "what",
      trail.failures.map((failure) =>
        item(failure.what, [
          fact("says", failure.says === "" ? null : failure.says),
          fact("times", several(failure.times)),
          time(failure.at),
        ]),
      ),
    ),
    section("files", "path", trail.files.filter(({ by }) => by === "tool").map(fileItem)),
    requestSection(trail),
    section(
      "in-flight",
      "what",
      trail.inFlight.map((call) =>
        item(call.what === "" ? call.tool : call.what, [
          fact("kind", call.kind),
          fact("tool", call.tool),
          fact("id", call.id),
          fact("state", call.state),
          time(call.at),
        ]),
      ),
    ),
    section(
      "commits",
      "title",
      trail.commits.map((commit) =>
        item(commit.title === "" ? UNTITLED : commit.title, [
          fact("hash", commit.hash),
          fact("branch", commit.branch),
          time(commit.at),
        ]),
      ),
    ),
    section(
      "tests",
      "command",
      trail.tests.map((run) =>
        item(run.command, [
          fact("outcome", run.outcome),
          fact("counts", run.counts),
          fact("times", several(run.times)),
          time(run.at),
        ]),
      ),
    ),
    section(
      "questions",
      "question",
      trail.questions.map(({ question, answer, state, at }) =>
        item(question, [fact("state", state), fact("answer", answer), time(at)]),
      ),
    ),
    section(
      "references",
      "text",
      trail.references.map(({ kind, text }) => item(text, [{ name: "kind", value: kind, kind: "path" }])),
    ),
    section(
      "stops",
      "what",
      trail.stops.map(({ kind, what, at }) => item(what, [fact("kind", kind), time(at)])),
    ),
    section("shell-files", "path", trail.files.filter(({ by }) => by === "shell").map(fileItem)),
    section(
      "reads",
      "path",
      trail.reads.map(({ path, times, at }) => item(path, [fact("times", several(times)), time(at)])),
    ),
    section(
      "commands",
      "command",
      trail.commands.map(({ command, outcome, times, failed, at }) =>
        item(command, [
          fact("outcome", outcome),
          fact("times", several(times)),
          fact("failed", failed < times && failed > 0 ? failed : null),
          time(at),
        ]),
      ),
    ),
  ];
  return all.filter(({ items }) => items.length > 0);
}

const UNTITLED = "(a message that is not told)";

/** An entry in few words: long texts cut, times left out; a path stays whole. */
export function shortened(section: Section, { text, facts }: SectionItem): SectionItem {
  const whole = section.says === "path" || section.name === "references";
  return {
    text: whole ? text : brief(text),
    facts: facts.flatMap((each) => {
      if (each.kind === "time" || each.name === "times" || each.name === "tool") return [];
      const { value } = each;
      return [typeof value === "string" && each.kind === "text" ? { ...each, value: brief(value) } : each];
    }),
  };
}

function section(name: SectionName, says: Section["says"], items: readonly SectionItem[]): Section {
  return { name, says, items, order: items.map((_, index) => index) };
}

/** The newest request and the first one come before all others. */
function requestSection(trail: Trail): Section {
  const items = trail.requests.map(({ text, kind, first, at }) =>
    item(text, [fact("kind", kind === "prompt" ? null : kind), fact("first", first || null), time(at)]),
  );
  const base = section("requests", "text", items);
  const first = trail.requests.findIndex((request) => request.first);
  return { ...base, order: [...new Set([0, first, ...base.order])].filter((at) => at >= 0 && at < items.length) };
}

function fileItem({ path, change, times, movedTo, subAgent, at }: Trail["files"][number]): SectionItem {
  return item(path, [
    fact("change", change),
    fact("times", several(times)),
    { name: "moved_to", value: movedTo, kind: "path" },
    fact("sub_agent", subAgent || null),
    time(at),
  ]);
}

function item(text: string, facts: readonly Fact[]): SectionItem {
  return { text, facts: facts.filter(({ value }) => value !== null) };
}

function fact(name: string, value: Fact["value"]): Fact {
  return { name, value, kind: "text" };
}

function time(at: string | null): Fact {
  return { name: "at", value: at, kind: "time" };
}

function several(times: number): number | null {
  return times > 1 ? times : null;
}
