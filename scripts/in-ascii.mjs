/**
 * A bundle in ASCII, which V8 takes as it is: one character of another kind makes every character of the file take two bytes.
 * esbuild escapes them in strings (`charset`), and leaves those in regular expressions, where the same escapes are read.
 */
export function inAscii(text) {
  return text.replace(/[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`);
}
