import { FIRST_STEP, SECTION_FORMS } from "./sections.ts";

/** The title as a template, for people. */
export const TITLE_FORM = "# <Role Name> — Session Context";

export interface TitleParts {
  /** Before the last em dash. */
  readonly roleTitle: string;
  /** After it, `Context` included. */
  readonly subject: string;
}

/** The parts of a heading that is a good title: a name, an em dash (U+2014), and a last word `Context`. */
export function readTitle(heading: string): TitleParts | null {
  const dash = heading.lastIndexOf("—");
  const roleTitle = heading.slice(0, Math.max(0, dash)).trim();
  const subject = heading.slice(dash + 1).trim();
  if (roleTitle === "" || !endsWithContext(subject)) return null;
  return { roleTitle, subject };
}

/** Whether `Context`, so spelled, is the last word. */
export function endsWithContext(text: string): boolean {
  return /(?:^|\s)Context$/.test(text.slice(-8));
}

/** `oosh-expert` is `Oosh Expert`. */
export function roleTitleOf(role: string): string {
  return role
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}

/** U+2010 is a hyphen, U+2011 one that does not break, U+2012 a dash as wide as a figure, U+2212 a minus. */
const SEPARATORS: ReadonlySet<string> = new Set([..."—-|·:\u2010\u2011\u2012\u2212", "--", "---"]);
const SUBJECTS: ReadonlySet<string> = new Set(["session", "recovery"]);
// Words that old titles put behind "Context" and that say nothing more.
const TAILS: ReadonlySet<string> = new Set(["state", "file", "document", "notes", "summary"]);
// Longer than any title of a person; what is longer is text in the wrong place.
const LONGEST = 200;
const MOST_WORDS_OF_A_NAME = 6;

/** The good title that a heading without its hashes was meant to be, or null where that is a guess. */
export function mendTitle(heading: string): string | null {
  if (heading.length > LONGEST || heading.includes("<!--") || isSectionName(heading)) return null;
  let words = wordsOf(heading.replace(/(?<=\s)[—–―]|[—–―](?=\s)/g, " — "));
  // Between words without blanks a dash is part of a name, such as `2024–2025`, unless it is all there is to part by.
  if (!words.some(isSeparator)) words = wordsOf(heading.replace(/[—–―](?!.*[—–―])/, " — "));
  const context = words.findLastIndex(isContext);
  if (context !== -1) {
    const tail = words.slice(context + 1);
    return tail.every((word) => TAILS.has(word.toLowerCase())) ? withSubject(words.slice(0, context)) : null;
  }
  if (words.at(-1)?.toLowerCase() === "session") return withSubject(words);
  const isName = words.length <= MOST_WORDS_OF_A_NAME && !words.some(isSeparator);
  return isName ? withSubject(words) : null;
}

/** Whether a line reads like a title that lost its hashes: a dash between words, and `Context` at the end. A sentence does not. */
export function looksLikeTitle(text: string): boolean {
  return text.length <= LONGEST && /\s[—–-]\s/.test(text) && saysContext(text);
}

/** Whether `Context` is the last word, or the last but one. */
export function saysContext(text: string): boolean {
  return /(?:^|\s)context(?:\s{1,3}\w{1,10})?$/i.test(text.slice(-30));
}

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

function withSubject(words: readonly string[]): string | null {
  const at = words.findLastIndex(isSeparator);
  const separator = words[at];
  const cut = at !== -1 ? at : SUBJECTS.has(words.at(-1)?.toLowerCase() ?? "") ? words.length - 1 : words.length;
  const name = words.slice(0, cut);
  if (separator !== undefined && !SEPARATORS.has(separator)) name.push(separator.slice(0, -1));
  const subject = words.slice(at === -1 ? cut : cut + 1);
  if (name.length === 0) return null;
  return `${name.join(" ")} — ${subject.length === 0 ? "Session" : subject.join(" ")} Context`;
}

function isContext(word: string): boolean {
  return /^context[:.]?$/i.test(word);
}

function isSeparator(word: string): boolean {
  return SEPARATORS.has(word) || (word.length > 1 && word.endsWith(":"));
}

function isSectionName(heading: string): boolean {
  const lower = heading.toLowerCase();
  return (
    lower === FIRST_STEP.toLowerCase() ||
    SECTION_FORMS.some(
      (form) => lower.startsWith(form.name.toLowerCase()) || form.oldNames.some((name) => name.toLowerCase() === lower),
    )
  );
}
