import { describe, expect, it } from "vitest";
import { shellParts } from "../../src/transcript/shell-words.ts";

/** Each command as its joint, its words in brackets and the files it writes; sub-shells as `(` and `)`. */
function parts(text: string): string {
  return shellParts(text)
    .map((part) => {
      if (part.kind !== "command") return part.kind === "open" ? "(" : ")";
      const { joint, words, writes } = part;
      return [joint, ...words.map((word) => `[${word}]`), ...writes.map((file) => `>${file}`)].join(" ");
    })
    .join(" ");
}

describe("a redirection", () => {
  it("that adds to a file is told apart", () => {
    const [part] = shellParts("a > b >> c &>> d");
    expect(part).toMatchObject({ writes: ["b", "c", "d"], appends: ["c", "d"] });
  });
});

describe("the words of a shell text", () => {
  it.each([
    ["", ""],
    ["  \t\r\n ", ""],
    ["a b", "; [a] [b]"],
    ["a\tb\r\nc", "; [a] [b] ; [c]"],
    // Quotes
    ["a 'b  c' d", "; [a] [b  c] [d]"],
    ["a'b'\"c\"d", "; [abcd]"],
    ["'' b", "; [] [b]"],
    ['"" b', "; [] [b]"],
    ["'open", "; [open]"],
    ['"open', "; [open]"],
    ['"open\\', "; [open\\]"],
    ["'a\\b'", "; [a\\b]"],
    ['"a\\"b\\\\c\\$d\\`e\\f"', '; [a"b\\c$d`e\\f]'],
    ["'a\"b' \"c'd\"", "; [a\"b] [c'd]"],
    // Escapes
    ["a\\ b", "; [a b]"],
    ["a\\\nb", "; [ab]"],
    ["C:\\x\\9 \\;", "; [C:\\x\\9] [;]"],
    ["a\\", "; [a]"],
    // Comments
    ["a # b ; c\nd", "; [a] ; [d]"],
    ["a#b #c", "; [a#b]"],
    ["# only", ""],
    // Joints
    ["a;b&c|d&&e||f", "; [a] ; [b] ; [c] | [d] && [e] || [f]"],
    ["a ;; b", "; [a] ; [b]"],
    ["a || | b", "; [a] | [b]"],
    ["a && ; b", "; [a] && [b]"],
    ["&& a", "&& [a]"],
    ["`a` b", "; [a] ; [b]"],
    ["a ``b", "; [a] ; [b]"],
    // Brackets
    ["(a) b", "( ; [a] ) ; [b]"],
    ["a && (b || c)", "; [a] ( && [b] || [c] )"],
    ["a || (b) && c", "; [a] ( || [b] ) && [c]"],
    ["x=$(a b) c", "; [x=] ( ; [a] [b] ) ; [c]"],
    ["a $x $", "; [a] [$x] [$]"],
    // Redirections
    ["a > b c", "; [a] [c] >b"],
    ["a >b >>c", "; [a] >b >c"],
    ["a >| b", "; [a] >b"],
    ["a &> b", "; [a] >b"],
    ["a 2>b 2>&1 >&- 1>&2", "; [a] >b"],
    ["a 12>b", "; [a] [12] >b"],
    ["a x2>b", "; [a] [x2] >b"],
    ["a2 > 3b", "; [a2] >3b"],
    ["> b", "; >b"],
    ["a >", "; [a]"],
    ["a > ; b", "; [a] ; [b]"],
    ["a >>>>", "; [a]"],
    ["a < b", "; [a] [b]"],
    ["a<b", "; [a] [b]"],
    ["a <<< b", "; [a] [b]"],
    ["a <", "; [a]"],
    ["a $'it\\'s > b' c", "; [a] [it\\'s > b] [c]"],
    // Substitutions in double quotes: their quotes are their own
    ['a "$(b "c" > d)" e', '; [a] [$(b "c" > d)] [e]'],
    ['a "$(b \'"\' "x")y" z', '; [a] [$(b \'"\' "x")y] [z]'],
    ['a "$(b (c) \\) d)" e', "; [a] [$(b (c) \\) d)] [e]"],
    ['a "$(cat <<\'E\'\nx "y\n) > z\nE\n)" b', "; [a] [$(cat <<'E'\nx \"y\n) > z\nE\n)] [b]"],
    ['a "$(b', "; [a] [$(b]"],
    // Tests and arithmetic
    ["[[ a > b && (c < d) ]] && e > f", "; [[[] [a] [>] [b] [&&] [(c] [<] [d)] []]] && [e] >f"],
    ["if [[ a > b ]]; then c; fi", "; [if] [[[] [a] [>] [b] []]] ; [then] [c] ; [fi]"],
    ["[[ a > b\nc > d", "; [[[] [a] [>] [b] ; [c] >d"],
    ["echo [[ > a", "; [echo] [[[] >a"],
    ["(( a > 5 )) && b", "; [(( a > 5 ))] && [b]"],
    ["a $((3 > 2)) b", "; [a] [$((3 > 2))] [b]"],
    ["((a); b > c)", "( ( ; [a] ) ; [b] >c )"],
    ["a <(b c) >(d e)", "; [a] ( ; [b] [c] ) ( ; [d] [e] )"],
    ["a \\\r\n b", "; [a] [b]"],
    // Here-documents
    ["a <<E\nx > y\nE\nb", "; [a] ; [b]"],
    ["a <<-'E' | c\n\tx\n\tE\nb", "; [a] | [c] ; [b]"],
    ["a <<E <<F\nx\nE\ny\nF\nb", "; [a] ; [b]"],
    ["a <<E\nx\nEE\nb", "; [a]"],
    ["a <<E\nE\nb", "; [a] ; [b]"],
    ["a <<E\nx\n E \nb\n<<E\nE\nc", "; [a] ; [b] ; [c]"],
    ["a <<E >b\nx\nE\n", "; [a] >b"],
    ["a <<E", "; [a]"],
    ["a <<\nb", "; [a] ; [b]"],
  ])("of %j are %s", (text, expected) => {
    expect(parts(text)).toBe(expected);
  });
});
