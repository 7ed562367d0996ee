import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countSteps } from "../../src/projects/count-steps.ts";
import { parseSteps } from "../../src/projects/steps.ts";

function full(text: string) {
  const { closed, total, currentSection, phase, currentTask } = parseSteps(text);
  return { closed, total, currentSection, phase, currentTask: currentTask?.text ?? null };
}

describe("counting boxes without a full reading", () => {
  test("gives what a list of projects shows", () => {
    const text =
      "# Steps\n\n## Phase 1: Plan\n- [x] One\n- [X] Two\n\n## Phase 2: Build\n  * [ ] Three \n1. [x] Four\n";
    expect(countSteps(text)).toEqual({
      closed: 3,
      total: 4,
      currentSection: 2,
      phase: "execution",
      currentTask: "Three",
    });
  });

  test.each([
    ["nothing", ""],
    ["closed boxes", "## Phase 2: a\n- [x] one\n## Phase 12\n- [X] two\n"],
    ["an open box of phase 1", "## Phase 1: Plan\n- [x] one\n- [ ] two\n## Phase 2: Build\n- [ ] three\n"],
    ["open boxes of two phases", "## Phase 2\n- [ ] one\n## Phase 3\n- [ ] two\n# Other\n- [ ] three\n"],
    ["an open box in the last phase", "## Phase 2\n- [x] one\n## Section   31 : b\n12.   [ ] two\n"],
    ["an open box outside every phase", "## Phase 2\n- [x] one\n## Notes, and more\n- [ ]   two  \n##\n- [ ] three\n"],
    ["a title that is one letter", "## Phase 2\n## A\n- [ ] one\n# Phase 3\n- [ ] two\n"],
    ["boxes in a fence", "- [ ] one\n```\n- [ ] two\n```\n"],
    ["boxes in a comment", "- [ ] one\n<!-- - [ ] two\n-->\n"],
    ["a phase in bold, with a mark", "## ✅ **Phase 3b** - Done (COMPLETE)\n- [ ] one\n"],
    ["a heading that only begins like a phase", "## Phases\n- [ ] one\n## Section 2x1\n- [x] two\n"],
    ["a chapter that ends a phase", "## Phase 1\n- [x] a\n# Other\n- [ ] b\n## Phase 2\n"],
    ["closing hashes", "## Phase 4 ##\n- [ ] a\n## ##\n"],
    ["a long s, which regular expressions take for an s", "## Pha\u017Fe 1\n- [ ] a\n"],
    ["carriage returns and tabs", "## Phase 1\r\n-\t[ ]\ta\r- [x] b\r\n"],
    ["a separator that only some readers know", "- [ ] a\u2028- [ ] b\n"],
    ["numbers of phases that are no phases", "## Phase 1234567\n- [ ] a\n## Phase 2.1.1.1.1: x\n## Phase 2_\n"],
    ["boxes that are none", "- [ ]a\n-[ ] b\n- [] c\n- [y] d\n    - [ ] e\n- [ ]\n* [x]   \n1234567890. [ ] f\n"],
  ])("says of %s what the full reading says", (_, text) => {
    expect(countSteps(text)).toEqual(full(text));
  });

  test("says of any text what the full reading says", () => {
    const piece = fc.constantFrom(
      ..."#|##|###|## Phase 1: Plan|## phase 2|## Section 3 - x|## Phases|## **Phase 4**|## Notes|- [ ] open|- [x] done".split(
        "|",
      ),
      ...[
        "  * [X] deep",
        "1. [ ] one",
        "2) [x]",
        "- [ ]",
        "- text",
        "```",
        "~~~",
        "<!--",
        "-->",
        "",
        " ",
        "\t- [ ] tab",
        "\r",
      ],
      ...[
        "# Phase 9",
        "    ## Phase 5",
        "## Phase 6 ##",
        "- [ ]  two blanks ",
        "+ [ ] plus",
        "\uFEFF",
        "\u2029",
        "> - [ ] quoted",
      ],
    );
    const glue = fc.constantFrom("\n", "\n", "\n", "\n\n", "\r\n", " ", "");
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, glue), { maxLength: 14 }), (pieces) => {
        const text = pieces.flat().join("");
        expect(countSteps(text)).toEqual(full(text));
      }),
      { numRuns: 3000 },
    );
  });

  test("takes a long line of blanks or hashes in stride", () => {
    for (const unit of [" ", "#", "- ", "1", "- [ ] "]) {
      const text = `${unit.repeat(40_000)}\n- [ ] a\n`;
      expect(countSteps(text)).toEqual(full(text));
    }
  });
});
