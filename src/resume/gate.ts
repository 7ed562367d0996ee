import { splitFrontMatter } from "../base/frontmatter.ts";
import {
  type Heading,
  itemsOf,
  type ListItem,
  outline,
  proseUnder,
  restOfItem,
  withoutComments,
} from "../base/markdown.ts";
import { sourceText } from "../base/source-text.ts";

export interface GateQuestion {
  /** What the question is about, as `Project Purpose`; null where the gate does not say. */
  readonly section: string | null;
  /** The file that has the answer, as the gate names it. */
  readonly from: string | null;
  readonly text: string;
  /** 1-based, in the text that was given. */
  readonly line: number;
}

export interface Gate {
  /** 1-based, in the text that was given. */
  readonly line: number;
  readonly questions: readonly GateQuestion[];
}

/** The gate that a manifest gets which has none. */
export const DEFAULT_GATE = `# Validation Gate

Answer these from the files listed above, without guessing, before any other work:

1. **Purpose** (from overview):
   - [ ] Which problem does this project solve?
   - [ ] How will it show that the project has succeeded?

2. **Position** (from steps):
   - [ ] Which phase is in hand?
   - [ ] Which task comes next?

3. **Approach** (from plan):
   - [ ] By which way is the work to be done?

An answer that is missing means that a file has not been read: load the files again, then answer.
`;

/** The questions under the heading that says Validation Gate, in a manifest's body; null where it has none. */
export function readGate(text: string): Gate | null {
  const parts = splitFrontMatter(text);
  if (parts.kind === "unclosed") return null;
  const source = sourceText(parts.body);
  const parsed = outline(source);
  const heading = parsed.headings.find((candidate) => /validation gate/i.test(candidate.title));
  if (heading === undefined) return null;
  const above = text.slice(0, parts.bodyStart).split(/\r\n|\r|\n/).length - 1;
  const prose = proseUnder(parsed, heading);
  const last = prose.at(-1)?.number ?? 0;
  const chapters = parsed.headings.filter(({ line }) => line.number > heading.line.number && line.number <= last);
  const questions = questionsOf(withoutComments(source, parsed), itemsOf(prose), chapters);
  return {
    line: heading.line.number + above,
    questions: questions.map((question) => ({ ...question, line: question.line + above })),
  };
}

/** An item or a heading that has items below it is what they are about. */
function questionsOf(body: string, items: readonly ListItem[], chapters: readonly Heading[]): readonly GateQuestion[] {
  const questions: GateQuestion[] = [];
  let topics: { readonly indent: number; readonly label: Label }[] = [];
  let next = 0;
  for (const [index, item] of items.entries()) {
    let chapter = chapters[next];
    while (chapter !== undefined && chapter.line.number < item.line.number) {
      topics = [{ indent: -1, label: labelOf(chapter.title) }];
      next += 1;
      chapter = chapters[next];
    }
    while ((topics.at(-1)?.indent ?? -1) >= item.indent) topics.pop();
    const label = labelOf(item.text + restOfItem(body, item.line.span.end));
    const following = items[index + 1];
    const inChapter =
      following !== undefined && following.line.number < (chapter?.line.number ?? Number.POSITIVE_INFINITY);
    if (inChapter && following.indent > item.indent) {
      // Deeper than any list that a person reads; the bound keeps the search for a file's name short.
      if (topics.length < TOPIC_DEPTH) topics.push({ indent: item.indent, label });
    } else if (label.text !== "") {
      questions.push({
        section: topics.at(-1)?.label.text ?? null,
        from: label.from ?? topics.findLast((topic) => topic.label.from !== null)?.label.from ?? null,
        text: label.text,
        line: item.line.number,
      });
    }
  }
  return questions;
}

const TOPIC_DEPTH = 16;

interface Label {
  readonly text: string;
  readonly from: string | null;
}

/** `**Project Purpose** (from overview.md):` is Project Purpose, from overview.md. */
function labelOf(text: string): Label {
  const bare = text.replaceAll("**", "");
  const found = /\(from ([^()]{1,200})\)/i.exec(bare);
  const rest = found === null ? bare : bare.slice(0, found.index) + bare.slice(found.index + found[0].length);
  const trimmed = rest.trim();
  return { text: trimmed.endsWith(":") ? trimmed.slice(0, -1).trimEnd() : trimmed, from: found?.[1]?.trim() ?? null };
}
