/** One simple command of a shell text, its quotes and escapes taken away. */
export interface ShellCommand {
  readonly kind: "command";
  readonly words: readonly string[];
  /** Files that its output is redirected to. */
  readonly writes: readonly string[];
  /** What stands between it and the command before it. */
  readonly joint: ShellJoint;
}

/** `;` stands for a newline and for `&` too, and for the text's start. */
export type ShellJoint = ";" | "&&" | "||" | "|";

export type ShellPart = ShellCommand | { readonly kind: "open" } | { readonly kind: "close" };

/**
 * The simple commands of a shell text, with the brackets of sub-shells between them. Enough of the language to know which
 * words are paths: quotes, escapes, comments, redirections; the bodies of here-documents are content and left out.
 */
export function shellParts(text: string): readonly ShellPart[] {
  const parts: ShellPart[] = [];
  let words: string[] = [];
  let writes: string[] = [];
  let word: string | null = null;
  let target: "word" | "write" | "here" = "word";
  let hereDocuments: string[] = [];
  let joint: ShellJoint = ";";

  const endWord = (): void => {
    if (word === null) return;
    if (target === "word") words.push(word);
    else if (target === "here") hereDocuments.push(word);
    // `2>&1` and `>&-` name a descriptor, not a file.
    else if (!/^(?:[0-9]+|-)$/.test(word)) writes.push(word);
    [word, target] = [null, "word"];
  };
  const endCommand = (): void => {
    endWord();
    target = "word";
    if (words.length === 0 && writes.length === 0) return;
    parts.push({ kind: "command", words, writes, joint });
    [words, writes, joint] = [[], [], ";"];
  };

  for (let at = 0; at < text.length; at += 1) {
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
      // Before a letter or digit it is a Windows path, not an escape.
      if (next !== "\n") word = (word ?? "") + (/[A-Za-z0-9]/.test(next) ? `\\${next}` : next);
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
    } else if (character === ">" || (character === "&" && next === ">")) {
      if (word !== null && /^[0-9]$/.test(word)) word = null;
      endWord();
      while (">|&".includes(text.charAt(at + 1)) && at + 1 < text.length) at += 1;
      target = "write";
    } else if (character === "<") {
      endWord();
      const here = next === "<" && text.charAt(at + 2) !== "<";
      while ("<-".includes(text.charAt(at + 1)) && at + 1 < text.length) at += 1;
      if (here) target = "here";
    } else if (character === "(" || character === ")") {
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
    } else if (character === "$" && next === "(") {
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

/** The text up to the closing quote, and where that stands; an open one ends with the text. */
function doubleQuoted(text: string, from: number): readonly [string, number] {
  let value = "";
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') return [value, at];
    if (character === "\\" && '"\\$`'.includes(text.charAt(at + 1)) && at + 1 < text.length) at += 1;
    value += text.charAt(at);
  }
  return [value, text.length];
}

/** The index of the newline that ends the here-document whose body starts behind `newline`. */
function endOfHereDocument(text: string, newline: number, delimiter: string): number {
  let start = newline + 1;
  while (start < text.length) {
    const close = text.indexOf("\n", start);
    const end = close === -1 ? text.length : close;
    if (text.slice(start, end).trim() === delimiter) return end;
    start = end + 1;
  }
  return text.length;
}
