import * as fc from "fast-check";
import { expect, test } from "vitest";
import { printable, printableBlock, printableLine } from "../../src/base/printable.ts";

test.each([
  ["a sequence that clears the screen", "\u001b[2J", "\\u{1b}[2J"],
  ["a window title", "\u001b]0;pwned\u0007", "\\u{1b}]0;pwned\\u{7}"],
  ["a hyperlink", "\u001b]8;;http://x\u001b\\", "\\u{1b}]8;;http://x\\u{1b}\\"],
  ["the C1 form of an escape", "\u009b31m", "\\u{9b}31m"],
  ["DEL and NUL", "\u007f\0", "\\u{7f}\\u{0}"],
  ["a carriage return that hides what came before", "rm -rf /\recho hi", "rm -rf /\\u{d}echo hi"],
  ["a backspace", "a\bb", "a\\u{8}b"],
  ["a newline", "a\nb", "a\\u{a}b"],
  ["a text direction override", "\u202etxt.exe", "\\u{202e}txt.exe"],
  ["isolates and marks", "\u2066\u2069\u200e\u200f\u061c", "\\u{2066}\\u{2069}\\u{200e}\\u{200f}\\u{61c}"],
  ["line separators", "\u2028\u2029\u0085", "\\u{2028}\\u{2029}\\u{85}"],
  ["a space without width, and a soft hyphen", "a\u200bb\u00adc", "a\\u{200b}b\\u{ad}c"],
  ["joiners that join nothing", "a\u200db\u200c", "a\\u{200d}b\\u{200c}"],
  ["a text in joiners behind one letter", "\u05d0\u200d\u200c\u200d", "\u05d0\u200d\\u{200c}\\u{200d}"],
  ["invisible operators", "a\u2060\u2063\u206f", "a\\u{2060}\\u{2063}\\u{206f}"],
  ["a text in tags", "hi\u{e0049}\u{e0067}", "hi\\u{e0049}\\u{e0067}"],
  ["a text in selectors", "\u{1f600}\u{e0100}\u{e01ef}", "\u{1f600}\\u{e0100}\\u{e01ef}"],
  ["a BOM", "\ufeffa", "\\u{feff}a"],
  ["lone surrogates", "\ud83da\ude80", "\\u{d83d}a\\u{de80}"],
  ["a high surrogate at the end", "a\ud83d", "a\\u{d83d}"],
])("escapes %s", (_name, text, expected) => {
  expect(printable(text)).toBe(expected);
});

test("leaves tabs, accents, wide characters, emoji and their joiners as they are", () => {
  const text = "a\tÄ é 漢字 한글 🚀 👩\u200d🚀 ❤\ufe0f 🇩🇪 می\u200cخواهم \\u{1b}";
  expect(printable(text)).toBe(text);
});

test("a line is one line: tabs become blanks, newlines are escaped", () => {
  expect(printableLine("a\tb\r\nc")).toBe("a b\\u{d}\\u{a}c");
});

test("a block keeps its lines, whatever their endings", () => {
  expect(printableBlock("a\u001b\r\nb\rc\n")).toBe("a\\u{1b}\nb\nc\n");
});

test("whatever the text, what is printed holds no control but a tab, no reordering and no lone surrogate", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
      (a, b) => {
        const shown = printable(a + b);
        expect(Buffer.from(shown, "utf8").toString("utf8")).toBe(shown);
        expect(shown).not.toMatch(/[\u0000-\u0008\u000A-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069]/);
        expect(printable(shown)).toBe(shown);
      },
    ),
    { numRuns: 500 },
  );
});
