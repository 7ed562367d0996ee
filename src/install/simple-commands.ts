/**
 * The simple commands of a shell line, each as its words without their quotes; variables stay as they are written. Enough to
 * tell which program a hook's command starts, and whether the line does more than that.
 */
export function simpleCommands(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [];
  let words: string[] = [];
  let word: string | null = null;
  const endWord = (): void => {
    if (word !== null) words.push(word);
    word = null;
  };
  const endCommand = (): void => {
    endWord();
    if (words.length > 0) commands.push(words);
    words = [];
  };
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? "";
    if (character === "'" || character === '"') {
      const quoted = readQuoted(line, at);
      word = (word ?? "") + quoted.text;
      at = quoted.end;
    } else if (character === "\\") {
      at += 1;
      word = (word ?? "") + (line[at] ?? "");
    } else if (character === " " || character === "\t") endWord();
    else if (";&|<>()`\n\r".includes(character)) endCommand();
    else word = (word ?? "") + character;
  }
  endCommand();
  return commands;
}

/** `at` is the opening quote; `end` the closing one, or the end of the line where it is missing. */
function readQuoted(line: string, at: number): { text: string; end: number } {
  const quote = line[at];
  let text = "";
  let end = at + 1;
  for (; end < line.length && line[end] !== quote; end++) {
    if (quote === '"' && line[end] === "\\" && '"\\$`'.includes(line[end + 1] ?? " ")) end += 1;
    text += line[end] ?? "";
  }
  return { text, end };
}
