import { expect, test } from "vitest";
import { hasContextSigns } from "../../src/context-file/context-signs.ts";
import { contextText } from "./context-text.ts";

test.each([
  ["nothing", ""],
  ["blanks", " \n\t\n"],
  ["a whole context file", contextText()],
  ["the title alone", "# Tester — Session Context\n"],
  ["the title below a note", "note\n\n   ## tester session_context, of today\n"],
  ["the title without Session", "# Tester – context\n"],
  ["the title in no heading", "Tester - Context\n"],
  ["the title in no heading, bold, with a word behind it", "\n \t\n**SESSION-CONTEXT today**  \nWork.\n"],
  ["two fields", "Updated: today\n__Role__: tester\n"],
  ["two fields as teams write them", "   **roles**: tester\n***PANES***: 0.1\n"],
  ["a field and a section", "**Pane**: 0.1\n## Key Files\n- a\n"],
  ["two sections", "## Recovery Steps\n1. a\n## Completed Work\n- b\n"],
])("a text is meant as a context file that has %s", (_, text) => {
  expect(hasContextSigns(text)).toBe(true);
});

test.each([
  ["prose alone", "# Acme\n\nUse it.\n"],
  ["a sentence that speaks of one", "The session context is kept in a file.\n"],
  ["a line of a sentence that ends so", "# Acme\n\nEvery run of it keeps the session context\nof its agent.\n"],
  [
    "such a line where nothing is a heading",
    "Acme\n====\n\nEvery run of it keeps the session context\nof its agent.\n",
  ],
  ["a chapter on one", "# Acme\n\n## Session Context\n\nKept for each run.\n"],
  ["a title that is code", "```\n# Tester — Session Context\n```\n    x # session context of it\n"],
  ["names in snake case", "role_id: a\nupdated_at: b\npane_no: c\n"],
  ["one field", "**Updated**: today\n"],
  ["one field thrice", "**Role**: a\nrole: b\nRoles: c\n"],
  ["one section", "## Pending\n- a\n"],
  ["one section twice", "## Pending\n- a\n## Pending\n- b\n"],
  ["one section among others", "## Usage\n## Pending\n- a\n## License\n"],
  ["a section's name two levels down", "### Pending\n**Role**: a\n"],
  ["fields in code", "```\nUpdated: a\nRole: b\nPane: c\n```\n"],
  ["fields in a comment", "<!--\nUpdated: a\nRole: b\n-->\nText\n"],
  ["fields in sentences", "The Role: a\nan Updated: b\nUpdated twice a day: c\nPanelist: d\nRolex: e\n"],
  ["fields as far in as code", "x\n    Updated: a\n    Role: b\n"],
])("a text is not meant as a context file for %s", (_, text) => {
  expect(hasContextSigns(text)).toBe(false);
});
