/** What stands between `$'` and its end, escapes left as they are. */
export function escapedQuote(text: string, from: number): readonly [string, number] {
  let at = from;
  while (at < text.length && text.charAt(at) !== "'") at += text.charAt(at) === "\\" ? 2 : 1;
  return [text.slice(from, at), at];
}

/** The text up to the closing quote, and where that stands; an open one ends with the text. */
export function doubleQuoted(text: string, from: number, depth = 0): readonly [string, number] {
  let value = "";
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') return [value, at];
    if (character === "$" && text.charAt(at + 1) === "(" && depth < DEEPEST) {
      // Its quotes are its own: in the message of a commit they end nothing.
      const end = substitutionEnd(text, at + 2, depth + 1);
      value += text.slice(at, end + 1);
      at = end;
      continue;
    }
    if (character === "\\" && '"\\$`'.includes(text.charAt(at + 1)) && at + 1 < text.length) at += 1;
    value += text.charAt(at);
  }
  return [value, text.length];
}

// Deeper ones are read as plain text, so that no text makes the reading recur without end.
const DEEPEST = 20;

/** The index of the bracket that ends the `$(` in front of `from`; an open one ends with the text. */
function substitutionEnd(text: string, from: number, depth: number): number {
  let open = 1;
  let hereDocuments: string[] = [];
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === "(") open += 1;
    else if (character === ")") {
      open -= 1;
      if (open === 0) return at;
    } else if (character === "\\") at += 1;
    else if (character === "'") {
      const close = text.indexOf("'", at + 1);
      at = close === -1 ? text.length : close;
    } else if (character === '"') [, at] = doubleQuoted(text, at + 1, depth);
    else if (character === "<" && text.charAt(at + 1) === "<") {
      HERE_WORD.lastIndex = at;
      const delimiter = HERE_WORD.exec(text)?.[1];
      if (delimiter !== undefined) {
        hereDocuments.push(delimiter);
        at = HERE_WORD.lastIndex - 1;
      }
    } else if (character === "\n") {
      for (const delimiter of hereDocuments) at = endOfHereDocument(text, at, delimiter);
      hereDocuments = [];
    }
  }
  return text.length;
}

const HERE_WORD = /<<-?[ \t]{0,8}\\?["']?([A-Za-z_][\w.-]{0,100})["']?/y;

/** The index of the newline that ends the here-document whose body starts behind `newline`. */
export function endOfHereDocument(text: string, newline: number, delimiter: string): number {
  let start = newline + 1;
  while (start < text.length) {
    const close = text.indexOf("\n", start);
    const end = close === -1 ? text.length : close;
    if (text.slice(start, end).trim() === delimiter) return end;
    start = end + 1;
  }
  return text.length;
}

/** A shell text with `…` for what stands in its here-documents. */
export function withoutHereBodies(text: string): string {
  if (!text.includes("<<")) return text;
  let shown = "";
  let from = 0;
  for (const match of text.matchAll(HERE_LINE)) {
    if (match.index < from) continue;
    const newline = match.index + match[0].length - 1;
    shown += `${text.slice(from, newline)} …`;
    from = endOfHereDocument(text, newline, match[1] ?? "");
  }
  return shown + text.slice(from);
}

const HERE_LINE = /<<-?[ \t]{0,8}\\?["']?([A-Za-z_][\w.-]{0,100})["']?(?![\w.-])[^\n]{0,1000}\n/g;
