import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isFilledIn } from "../../src/workspace/filled-in.ts";
import { cpuTime } from "../helpers/cpu-time.ts";

const BLANK = `[TO${"DO"}: Set`;

test.each([
  ["a person's own words", "# Goals\n\nShip the memory tool.\n"],
  ["front matter of their own", "---\nsmart_default: false\n---\n# Goals\n"],
  ["the marker as a word in a sentence", "We set smart_default: true in the importer.\n"],
  ["a commented-out marker in front matter", "---\n# smart_default: true\n---\n# Goals\n"],
  ["a box of another kind", `# Goals\n[TO${"DO"}] set the date\n`],
  ["a word that begins as the marker's value", "smart_default: truely\n"],
])("%s is filled in", (_, text) => {
  expect(isFilledIn(text)).toBe(true);
});

test.each([
  ["a missing file", null],
  ["an empty file", ""],
  ["blanks and a BOM", "\uFEFF \r\n"],
  ["the marker in front matter", "---\nsmart_default: true\n---\n# Goals\n"],
  ["the marker with CRLF and a BOM", "\uFEFF---\r\nsmart_default: true\r\n---\r\n# Goals\r\n"],
  ["the marker with odd blanks and capitals", '---\n  smart_default :  "True"  # so far\n---\n'],
  ["the marker in a comment", "# Goals\n<!-- smart_default: true -->\n"],
  ["the marker close in a comment", "# Goals\n<!--smart_default:true-->\n"],
  ["the marker far in a comment", "# Goals\n\t<!-- \t smart_default: true -->\n"],
  ["a blank to fill", `# Goals\n\nRole: ${BLANK} your role]\n`],
  [
    "the originals' configuration",
    readFileSync(new URL("../fixtures/nexus/user-config.yaml", import.meta.url), "utf8"),
  ],
])("%s is not", (_, text) => {
  expect(isFilledIn(text)).toBe(false);
});

test("a megabyte of one thing takes less than a second", () => {
  for (const unit of [
    " ",
    "\t",
    "s",
    "smart_default",
    "smart_default ",
    "<!-- ",
    "smart_default:",
    "\n",
    "[",
    BLANK.slice(0, -1),
  ]) {
    const text = `x${unit.repeat(Math.ceil(1_000_000 / unit.length))}`;
    for (const each of [text, text.slice(1)]) {
      const start = cpuTime();
      isFilledIn(each);
      expect(cpuTime() - start).toBeLessThan(2_000);
    }
  }
});
