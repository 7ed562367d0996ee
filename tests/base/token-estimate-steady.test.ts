import { expect, test } from "vitest";
import { estimateTokens, pairCosts } from "../../src/base/token-estimate.ts";

// Where a document is cut depends on these numbers: a version that moves them cuts the same document elsewhere. That they are
// near a tokenizer's is shown by token-estimate.test.ts; after a change made on purpose, write down what is estimated then.
const TIMES = 200;

test.each([
  ["a", 153],
  ["the ", 219],
  ["cat ", 185],
  ["word ", 194],
  ["words ", 232],
  ["sentence ", 198],
  ["conversations ", 372],
  ["internationalisation ", 824],
  ["x1y2 ", 951],
  ["abc9def ", 840],
  ["9lives ", 699],
  [".name", 344],
  ["_name", 344],
  ["\nname", 466],
  ["\tname", 523],
  ["Name", 204],
  ["aName", 214],
  ["NameName", 408],
  ["validateFile ", 424],
  ["HTTPServer ", 560],
  ["HTTP ", 302],
  ["A ", 201],
  ["AB ", 238],
  ["aB ", 429],
  ["aBC ", 507],
  ["ABc ", 621],
  ["9AB ", 912],
  [".AB", 295],
  ["\nAB", 501],
  [".Ab", 369],
  ["9Ab", 550],
  ["ABCd ", 579],
  ["LONGCAPITALSNAME ", 1000],
  ["ABCDEFGHIJKLMNOPQRST ", 1609],
  ["A1B2", 1044],
  ["1", 78],
  ["12", 156],
  ["123", 233],
  ["1234", 311],
  ["1234567", 544],
  ["1.5", 454],
  ["  ", 10],
  ["   ", 15],
  ["                    ", 92],
  ["\t", 26],
  ["\t\t", 51],
  [" \t", 51],
  ["\t ", 51],
  ["\n", 17],
  ["\n\n", 33],
  ["\n\n\n", 49],
  [";\n", 224],
  [".\n", 224],
  ["\r\n", 33],
  [" \n", 355],
  ["\n  ", 473],
  ["\n\t", 541],
  [".", 7],
  ["..", 13],
  ["...", 19],
  ["....", 24],
  [".,", 320],
  [".,;", 480],
  [".,;:", 641],
  [".,;:!", 801],
  [".,;:!?", 962],
  [".,;:!?()", 1282],
  ["((((", 24],
  ["=>", 320],
  [" =>", 256],
  ["a(b)", 684],
  ["a.b", 383],
  ["\u0000", 226],
  ["\u0000\u0000", 452],
  ["\u007F", 226],
  ["a\u0001b", 453],
  ["{}[]~@", 962],
  ["`/^", 480],
  ["zZaA09", 961],
])("%j, again and again, is estimated as before", (text, tokens) => {
  expect(estimateTokens(text.repeat(TIMES))).toBe(tokens);
});

test.each([
  [0x80, 400],
  [0xa0, 321],
  [0x24f, 321],
  [0x250, 400],
  [0x370, 270],
  [0x3ff, 270],
  [0x400, 170],
  [0x530, 321],
  [0x5d0, 321],
  [0x700, 440],
  [0x1e00, 321],
  [0x1fff, 321],
  [0x200d, 400],
  [0x2010, 261],
  [0x2014, 261],
  [0x2070, 400],
  [0x2200, 561],
  [0x2bff, 561],
  [0x2c00, 600],
  [0x3001, 300],
  [0x3040, 250],
  [0x3100, 600],
  [0x3400, 600],
  [0x4dff, 600],
  [0x4e00, 400],
  [0x9fff, 400],
  [0xa000, 600],
  [0xac00, 321],
  [0xd7b0, 600],
  [0xd800, 600],
  [0xdfff, 600],
  [0xff00, 361],
  [0xfff0, 400],
  [0xffff, 400],
  [0x10000, 600],
  [0x1f680, 600],
  [0x20000, 800],
  [0x10ffff, 800],
])("the character %i, again and again, is estimated as before", (codePoint, tokens) => {
  expect(estimateTokens(String.fromCodePoint(codePoint).repeat(TIMES))).toBe(tokens);
});

test.each([
  ["a", 602],
  ["b", 712],
  ["c", 651],
  ["d", 651],
  ["e", 619],
  ["f", 655],
  ["g", 715],
  ["h", 696],
  ["i", 594],
  ["j", 676],
  ["k", 735],
  ["l", 633],
  ["m", 744],
  ["n", 634],
  ["o", 602],
  ["p", 674],
  ["q", 661],
  ["r", 613],
  ["s", 627],
  ["t", 691],
  ["u", 616],
  ["v", 716],
  ["w", 709],
  ["x", 761],
  ["y", 699],
  ["z", 724],
])("%s before each letter is estimated as before", (first, tokens) => {
  const words = [..."abcdefghijklmnopqrstuvwxyz"].map((second) => ` ${first}${second}`.repeat(20));
  expect(estimateTokens(words.join(""))).toBe(tokens);
});

test("the costs of pairs that another counter is handed are those that are counted here", () => {
  const costs = pairCosts();
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  // The margin is counted in here, and not in what is handed on.
  const handed = (word: string) => {
    const pairs = [...word].slice(1).map((second, at) => costs[32 * number(word[at] ?? "") + number(second)] ?? NaN);
    return (pairs.reduce((sum, cost) => sum + cost, 0) * TIMES * 1.13) / 1000;
  };
  // What is no pair is the same for all, and no word here is as cheap as the cheapest may be. A step is eleven tokens.
  const rest = (word: string) => estimateTokens(` ${word}`.repeat(TIMES)) - handed(word);
  for (const first of letters) {
    for (const second of letters) {
      const word = `zq${first}${second}qz`;
      expect(Math.abs(rest(word) - rest("zqabqz")), word).toBeLessThanOrEqual(1);
    }
  }
  // What is no letter costs nothing: 0, and 27 to 31.
  expect(costs).toHaveLength(32 * 32);
  const others = [...costs].filter((_, at) => !isLetter(at >> 5) || !isLetter(at & 31));
  expect(new Set(others)).toEqual(new Set([0]));
});

/** Of a letter in the alphabet. */
function number(letter: string): number {
  return letter.charCodeAt(0) & 31;
}

function isLetter(at: number): boolean {
  return at >= 1 && at <= 26;
}

test("an empty text has no tokens", () => {
  expect(estimateTokens("")).toBe(0);
});

test("a text is counted whole, whatever its length and however many bytes its characters take", () => {
  // Around the lengths at which the way to its characters is another.
  for (let length = 150; length < 530; length += 1) {
    expect(Math.abs(estimateTokens("\u6F22".repeat(length)) - 2 * length), `${length}`).toBeLessThanOrEqual(1);
    const plain = estimateTokens("word ".repeat(length).slice(0, length));
    const mixed = estimateTokens(`${"word ".repeat(length).slice(0, length - 1)}\u6F22`);
    expect(Math.abs(mixed - plain), `${length}`).toBeLessThanOrEqual(3);
  }
});
