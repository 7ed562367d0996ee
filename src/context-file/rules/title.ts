import type { Heading } from "../../base/markdown.ts";
import { quote } from "../../base/quote.ts";
import type { SourceLine } from "../../base/source-text.ts";
import type { TextEdit } from "../../base/text-edit.ts";
import { isFieldLike } from "../field-lookalike.ts";
import { fieldsBear } from "../field-reach.ts";
import type { ParsedContextFile } from "../parse.ts";
import { fileStart, isBlankFile, isPlain, mayGrow, removal, underlineRemoved } from "../places.ts";
import type { Problem, Rule } from "../rule.ts";
import {
  endsWithContext,
  looksLikeTitle,
  mendTitle,
  readTitle,
  roleTitleOf,
  saysContext,
  TITLE_FORM,
} from "../title-form.ts";

/** Line 1 says what the file is and whose. */
export const titleRule: Rule = {
  code: "title",
  severity: "error",
  summary: `Line 1 is an H1 heading \`${TITLE_FORM}\`: a name, an em dash (U+2014), and \`Context\` as the last word.`,
  why: "A file that is opened first after a loss of memory says in its first line whose memory it holds; tools list roles by it.",
  good: "# OOSH Expert Agent — Session Context",
  mends:
    "Puts an em dash for a hyphen or an en dash, drops words such as `State` behind `Context`, adds a missing `Session Context`, moves a title up to line 1, and writes one from the role's name where there is none.",
  check(file, options) {
    if (isBlankFile(file)) return [emptyFile(file, options.role)];
    const { title } = file;
    if (title?.level === 1) return readTitle(title.title) === null ? [badTitle(file, title, options.role)] : [];
    return [noTitle(file, options.role)];
  },
};

function emptyFile(file: ParsedContextFile, role = "<role>"): Problem {
  return {
    span: fileStart(file),
    message: `The file is empty, expected ${quote(TITLE_FORM)} on line 1`,
    hint: `Bring it back from git, or write a new one with \`new ${role} --force\`.`,
  };
}

function badTitle(file: ParsedContextFile, heading: Heading, role: string | undefined): Problem {
  const mended =
    mendTitle(heading.title) ?? (/^(?:session )?context$/i.test(heading.title) ? titleFor(file, role) : null);
  const inPlace = file.source.text.slice(heading.titleSpan.start, heading.titleSpan.end) === heading.title;
  return {
    span: heading.titleSpan,
    message: faultOf(heading.title),
    hint: `Write the title as ${quote(mended === null ? TITLE_FORM : `# ${mended}`)}.`,
    ...(mended !== null && inPlace ? { fix: [{ span: heading.titleSpan, text: mended }] } : {}),
  };
}

function faultOf(title: string): string {
  const found = `found ${quote(`# ${title}`)}`;
  if (!endsWithContext(title)) return `Expected a title whose last word is "Context", ${found}`;
  if (title.includes("—")) return `Expected a name before the em dash of the title, ${found}`;
  return `Expected an em dash "—" (U+2014) between the name and the rest of the title, ${found}`;
}

function noTitle(file: ParsedContextFile, role: string | undefined): Problem {
  const line = file.source.lines[0];
  const fence = !mayGrow(file);
  const fix = fence ? null : (raiseLine(file) ?? moveUp(file) ?? writeTitle(file, role));
  return {
    span: line?.span ?? fileStart(file),
    message: `Expected ${quote(TITLE_FORM)} on line 1, found ${line?.text.trim() ? quote(line.text) : "a blank line"}`,
    hint: fence
      ? "Remove the code fence or front matter from the top of the file."
      : "Make the title the first line of the file.",
    ...(fix === null ? {} : { fix }),
  };
}

/** Line 1 is the title in all but its hashes. */
function raiseLine(file: ParsedContextFile): readonly TextEdit[] | null {
  const line = file.outline.prose[0];
  if (line?.number !== 1 || !isPlain(file, line) || isFieldLike(line)) return null;
  const text = line.text.trim();
  const body = text.replace(/^#+/, "").trim();
  const isMeant = text.startsWith("#") ? saysContext(body) : looksLikeTitle(body);
  const mended = isMeant ? (readTitle(body) === null ? mendTitle(body) : body) : null;
  if (mended === null) return null;
  return underlineRemoved(file, line, `# ${mended}`) ?? [{ span: line.span, text: `# ${mended}` }];
}

/** The title stands further down, above every other heading. */
function moveUp(file: ParsedContextFile): readonly TextEdit[] | null {
  const heading = file.outline.headings.find((candidate) => candidate.line.number > 1);
  if (heading?.level !== 1 || file.title !== null || !isPlain(file, heading.line)) return null;
  const text = readTitle(heading.title) === null ? mendTitle(heading.title) : heading.title;
  const above = file.source.lines.slice(0, heading.line.number - 1);
  const blanks: readonly SourceLine[] = above.every((line) => line.text.trim() === "") ? above : [];
  // Below text, a heading without the word is more likely a chapter than the title.
  if (text === null || (blanks.length === 0 && !(saysContext(heading.title) && fieldsBear(file, 2)))) return null;
  const start = fileStart(file).start;
  const gap = blanks.length === 0 ? file.source.newline : "";
  const edits = [...blanks, heading.line].map(removal);
  return [{ span: { start, end: start }, text: `# ${text}${file.source.newline}${gap}` }, ...edits];
}

// What may become a title: the form of a role's name.
const ROLE = /^[A-Za-z0-9]{1,64}(?:-[A-Za-z0-9]{1,64}){0,16}$/;

function titleFor(file: ParsedContextFile, role: string | undefined): string | null {
  const name = role ?? file.data.role?.name ?? "";
  return ROLE.test(name) ? `${roleTitleOf(name)} — Session Context` : null;
}

function writeTitle(file: ParsedContextFile, role: string | undefined): readonly TextEdit[] | null {
  const title = titleFor(file, role);
  if (title === null || !fieldsBear(file, 2)) return null;
  const { newline } = file.source;
  const start = fileStart(file).start;
  const gap = file.source.lines[0]?.text.trim() === "" ? newline : newline + newline;
  return [{ span: { start, end: start }, text: `# ${title}${gap}` }];
}
