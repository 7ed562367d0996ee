/** Lines looked at in a file whose front matter never closes: the words stand near the top or nowhere. */
const MOST_LINES = 50;

/**
 * The name and the description as the lines have them, for front matter that YAML cannot read: an unquoted colon in a
 * description must not take the skill out of the list. A glance, not a reading: one line each, quotes dropped.
 */
export function recoverWords(lines: string): { readonly name: string; readonly description: string } {
  const words = { name: "", description: "" };
  // Cut first: a long body is not split into lines of which fifty are used.
  for (const line of lines.split(/\r\n|\r|\n/, MOST_LINES)) {
    for (const key of ["name", "description"] as const)
      if (words[key] === "" && line.startsWith(key)) words[key] = valueBehind(line.slice(key.length));
  }
  return words;
}

function valueBehind(rest: string): string {
  const trimmed = rest.trimStart();
  if (!trimmed.startsWith(":")) return "";
  const value = trimmed.slice(1).trim();
  const [first] = value;
  // The header of a block scalar is no word of it.
  if (first === "|" || first === ">") return "";
  const isQuoted = value.length > 1 && (first === '"' || first === "'") && value.endsWith(first);
  return isQuoted ? value.slice(1, -1) : value;
}
