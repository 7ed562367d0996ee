import { doubleQuoted, endOfHereDocument, escapedQuote } from "./shell-quotes.ts";

/** One simple command of a shell text, its quotes and escapes taken away. */
export interface ShellCommand {
  readonly kind: "command";
  readonly words: readonly string[];
  /** Those of `words` that only bring its input: `< file`, `<<< text`. */
  readonly inputs: readonly string[];
  /** Files that its output is redirected to. */
  readonly writes: readonly string[];
  /** Those of them that it is added to (`>>`). */
  readonly appends: readonly string[];
  /** What stands between it and the command before it. */
  readonly joint: ShellJoint;
}

/** `;` stands for a newline and for `&` too, and for the text's start. */
export type ShellJoint = ";" | "&&" | "||" | "|";

export type ShellPart = ShellCommand | { readonly kind: "open" } | { readonly kind: "close" };

/** More than anybody writes; what follows is not looked at, for each command costs its readers time. */
const MOST_PARTS = 1000;

/**
 * The simple commands of a shell text, with the brackets of sub-shells between them. Enough of the language to know which
 * words are paths: quotes, escapes, comments, redirections; the bodies of here-documents are content and left out.
 */
export function shellParts(text: string): readonly ShellPart[] {
  const parts: ShellPart[] = [];
  let words: string[] = [];
  let inputs: string[] = [];
  let writes: string[] = [];
  let appends: string[] = [];
  let word: string | null = null;
  let target: "word" | "input" | "write" | "append" | "here" = "word";
  // Within `[[ … ]]`, where `<`, `>` and the rest compare and join.
  let testing = false;
  let hereDocuments: string[] = [];
  let joint: ShellJoint = ";";

  const endWord = (): void => {
    if (word === null) return;
    if (target === "input") {
      words.push(word);
      inputs.push(word);
    } else if (target === "word") {
      if (word === "[[" && words.every((before) => BEFORE_TEST.has(before))) testing = true;
      else if (word === "]]") testing = false;
      words.push(word);
    } else if (target === "here") hereDocuments.push(word);
    // `2>&1` and `>&-` name a descriptor, not a file.
    else if (!/^(?:[0-9]+|-)$/.test(word)) {
      writes.push(word);
      if (target === "append") appends.push(word);
    }
    [word, target] = [null, "word"];
  };
  const endCommand = (): void => {
    endWord();
    [target, testing] = ["word", false];
    if (words.length === 0 && writes.length === 0) return;
    parts.push({ kind: "command", words, inputs, writes, appends, joint });
    [words, inputs, writes, appends, joint] = [[], [], [], [], ";"];
  };

  for (let at = 0; at < text.length && parts.length < MOST_PARTS; at += 1) {
    PLAIN.lastIndex = at;
    if (PLAIN.test(text)) {
      word = (word ?? "") + text.slice(at, PLAIN.lastIndex);
      at = PLAIN.lastIndex - 1;
      continue;
    }
    const character = text.charAt(at);
    const next = text.charAt(at + 1);
    if (character === "'") {
      const close = text.indexOf("'", at + 1);
      const end = close === -1 ? text.length : close;
      word = (word ?? "") + text.slice(at + 1, end);
      at = end;
    } else if (character === '"') {
      const [quoted, end] = doubleQuoted(text, at + 1);
      word = (word ?? "") + quoted;
      at = end;
    } else if (character === "\\") {
      const endsLine = next === "\n" || (next === "\r" && text.charAt(at + 2) === "\n");
      if (next === "\r" && endsLine) at += 1;
      // Before a letter or digit it is a Windows path, not an escape.
      if (!endsLine) word = (word ?? "") + (/[A-Za-z0-9]/.test(next) ? `\\${next}` : next);
      at += 1;
    } else if (character === "\n") {
      endCommand();
      for (const delimiter of hereDocuments) at = endOfHereDocument(text, at, delimiter);
      hereDocuments = [];
    } else if (character === " " || character === "\t" || character === "\r") {
      endWord();
    } else if (character === "#" && word === null) {
      const newline = text.indexOf("\n", at);
      at = newline === -1 ? text.length : newline - 1;
    } else if (testing && "<>()&|".includes(character)) {
      word = (word ?? "") + character;
    } else if (character === ">" || (character === "&" && next === ">")) {
      if (word !== null && /^[0-9]$/.test(word)) word = null;
      endWord();
      const from = at;
      while (">|&".includes(text.charAt(at + 1)) && at + 1 < text.length) at += 1;
      target = text.slice(from, at + 1).includes(">>") ? "append" : "write";
    } else if (character === "<") {
      endWord();
      const here = next === "<" && text.charAt(at + 2) !== "<";
      while ("<-".includes(text.charAt(at + 1)) && at + 1 < text.length) at += 1;
      target = here ? "here" : "input";
    } else if (character === "(" || character === ")") {
      const end = character === "(" && next === "(" ? arithmeticEnd(text, at) : -1;
      if (end !== -1) {
        word = (word ?? "") + text.slice(at, end);
        at = end - 1;
        continue;
      }
      const before: ShellJoint = joint;
      endCommand();
      if (character === "(") joint = before;
      parts.push({ kind: character === "(" ? "open" : "close" });
    } else if (";&|`".includes(character)) {
      endCommand();
      const twice = next === character;
      if (character === "|") joint = twice ? "||" : "|";
      else if (character === "&" && twice) joint = "&&";
      if (twice && character !== "`") at += 1;
    } else if (character === "$" && next === "'") {
      const [quoted, end] = escapedQuote(text, at + 2);
      word = (word ?? "") + quoted;
      at = end;
    } else if (character === "$" && next === "(" && text.charAt(at + 2) !== "(") {
      endWord();
    } else {
      word = (word ?? "") + character;
    }
  }
  endCommand();
  return parts;
}

// Characters without a meaning of their own; `#` has one at a word's start only.
const PLAIN = /[^\s'"\\#><()&|;`$]+/y;

/** The words behind which `[[` begins a test. */
const BEFORE_TEST: ReadonlySet<string> = new Set(["if", "elif", "while", "until", "!", "then", "do", "else", "{"]);

// Longer arithmetic is not met; the bound keeps a text of nothing but brackets linear.
const LONGEST_ARITHMETIC = 500;

/** Where the arithmetic that begins at `((` ends, on the same line; -1 where these are two sub-shells. */
function arithmeticEnd(text: string, at: number): number {
  const [line = ""] = text.slice(at, at + LONGEST_ARITHMETIC).split("\n", 1);
  const close = line.indexOf("))");
  return close === -1 ? -1 : at + close + 2;
}
