/** A longer text is shown by the client as "pasted", and cannot be told from what a person pasted. */
const MOST_CHARACTERS = 500;

/** What the client takes for more than words where it comes first: a shell command, a slash command, a note, a file. */
const SPECIAL_FIRST = "!/#@&?";

/** Why a sentence cannot be typed to an agent; null where it can. Ends a sentence about it. */
export function askFault(text: string): string | null {
  if (text.trim() === "") return "expected a sentence, found nothing";
  if (text.length > MOST_CHARACTERS) return `expected at most ${MOST_CHARACTERS} characters, found ${text.length}`;
  if (/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text)) return "expected one line without control characters";
  const first = text.trim().charAt(0);
  if (SPECIAL_FIRST.includes(first))
    return `expected words, found "${first}" at the start, which the client takes for more`;
  return text.trim().endsWith("\\")
    ? 'expected words, found "\\" at the end, which the client takes for a new line'
    : null;
}
