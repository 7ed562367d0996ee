import { expect, test } from "vitest";
import { recoverWords } from "../../src/skills/recover-words.ts";

test.each([
  ["", "", ""],
  ["name: a\ndescription: b c", "a", "b c"],
  ["name : a \r\ndescription:b\rname: c", "a", "b"],
  ["name: \nname: a\nname: b", "a", ""],
  ["name\ndescription b", "", ""],
  ["names: a\n name: b\nxname: c", "", ""],
  ["name: |\ndescription: >-", "", ""],
  ["name: 'a'\ndescription: \"b: c\"", "a", "b: c"],
  ["name: 'a\"\ndescription: b'", "'a\"", "b'"],
  ["name: \"\ndescription: ''", '"', ""],
  ["name: aba\ndescription: -b-", "aba", "-b-"],
])("of %j the name is %j and the description %j", (lines, name, description) => {
  expect(recoverWords(lines)).toEqual({ name, description });
});
