import { describe, expect, test } from "vitest";
import { costOf, countAttributes, frameOf, indentOf, pieceOf, UNCOUNTED } from "../../src/session-start/piece.ts";
import { wrapper } from "../../src/session-start/shared-sections.ts";
import { copyShelf, createShelf, firstFit, fits, freeUnits, put, roomIn, take } from "../../src/session-start/shelf.ts";
import { element } from "../../src/session-start/vocabulary.ts";

const words = (text: string): number => text.split(/\s+/).length;
const SIZE = { units: 30, tokens: 3 };
const FRAME = { wrapper: wrapper("system-files"), units: 20, tokens: 2 };

describe("a shelf of documents", () => {
  const shelf = () => createShelf({ bins: 2, cap: 100, tokens: 20 }, { units: 10, tokens: 4 });

  test("has room for what its envelopes leave", () => {
    expect([roomIn(shelf(), 0, []), roomIn(shelf(), 1, []), roomIn(shelf(), 2, [])]).toEqual([
      { units: 90, tokens: 16 },
      { units: 90, tokens: 16 },
      { units: 0, tokens: 0 },
    ]);
    expect(roomIn(shelf(), 0, [FRAME])).toEqual({ units: 70, tokens: 14 });
    expect(freeUnits(shelf())).toBe(180);
  });

  test("opens a document and a wrapper once, and closes them with the last piece", () => {
    const used = shelf();
    put(used, 0, [FRAME], SIZE);
    expect(roomIn(used, 0, [FRAME])).toEqual({ units: 40, tokens: 11 });
    expect(roomIn(used, 0, [])).toEqual({ units: 40, tokens: 11 });
    expect(roomIn(used, 1, [FRAME])).toEqual({ units: 70, tokens: 5 });
    put(used, 0, [FRAME], SIZE);
    expect(roomIn(used, 0, [FRAME])).toEqual({ units: 10, tokens: 8 });
    take(used, 0, [FRAME], SIZE);
    expect(roomIn(used, 0, [FRAME])).toEqual({ units: 40, tokens: 11 });
    take(used, 0, [FRAME], SIZE);
    expect(used).toEqual(shelf());
    put(used, 5, [FRAME], SIZE);
    expect(used).toEqual(shelf());
  });

  test("takes what fits to the last unit and token", () => {
    expect(fits(shelf(), 0, [], { units: 90, tokens: 16 })).toBe(true);
    expect(fits(shelf(), 0, [], { units: 91, tokens: 16 })).toBe(false);
    expect(fits(shelf(), 0, [], { units: 90, tokens: 17 })).toBe(false);
    const used = shelf();
    put(used, 0, [], { units: 80, tokens: 1 });
    expect(firstFit(used, [], SIZE)).toBe(1);
    expect(firstFit(used, [], { units: 10, tokens: 1 })).toBe(0);
    expect(firstFit(used, [], { units: 10, tokens: 1 }, 1)).toBe(1);
    expect(firstFit(used, [], { units: 91, tokens: 1 })).toBeNull();
    expect(firstFit(used, [], SIZE, 2)).toBeNull();
  });

  test("is copied whole", () => {
    const used = shelf();
    put(used, 0, [FRAME], SIZE);
    const copy = copyShelf(used);
    put(copy, 0, [FRAME], SIZE);
    put(copy, 1, [FRAME], SIZE);
    expect(roomIn(used, 0, [FRAME])).toEqual({ units: 40, tokens: 11 });
    expect(roomIn(used, 1, [FRAME])).toEqual({ units: 70, tokens: 5 });
    const full = shelf();
    put(full, 0, [], { units: 95, tokens: 0 });
    expect(freeUnits(full)).toBe(90);
  });
});

describe("a piece of a document", () => {
  test("is indented by its depth, and counts what XML cannot hold", () => {
    expect([indentOf(0), indentOf(2)]).toEqual(["  ", "      "]);
    const odd = element("file", { path: "a\u0000" }, [element("question", {}, ["b\u0001\uFFFD"])]);
    expect(pieceOf(odd, 1, words)).toEqual({
      text: '    <file path="a\uFFFD">\n      <question>b\uFFFD\uFFFD</question>\n    </file>\n',
      tokens: 6,
      counted: true,
      replaced: 2,
    });
    expect(pieceOf(element("file", { path: "\uFFFD" }), 0, UNCOUNTED)).toEqual({
      text: '  <file path="\uFFFD"/>\n',
      tokens: 0,
      counted: false,
      replaced: 0,
    });
    expect(costOf("a b", words)).toEqual({ tokens: 2, counted: true });
  });

  test("stands in a wrapper that costs its tags, with room for the longest counts", () => {
    const files = wrapper("system-files");
    expect(frameOf(files, 0, words, null)).toEqual({ wrapper: files, units: 35, tokens: 4 });
    const counted = frameOf(files, 1, words, { count: 12, omitted: 3, howToList: "ls" });
    expect(counted.units).toBe(35 + 4 + ' count="12" omitted="12" list="ls"'.length);
    expect(countAttributes({ count: 12, omitted: 3, howToList: "ls" })).toEqual([
      ["count", "12"],
      ["omitted", "3"],
      ["list", "ls"],
    ]);
  });
});
