import { readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { generatedBlocks, generatedFiles, withBlock } from "../src/generated-files.ts";

test.each(generatedFiles())("$path is what the source makes; `npm run generate` brings it up to date", (file) => {
  expect(readFileSync(file.path, "utf8")).toBe(file.text);
  expect((statSync(file.path).mode & 0o111) !== 0).toBe(file.executable);
});

test.each(generatedBlocks())("$path, part $name, is what the source makes; `npm run generate` does it", (block) => {
  const text = readFileSync(block.path, "utf8");
  expect(withBlock(text, block)).toBe(text);
});

test("a file without the part is a fault, not a silent no-op", () => {
  expect(() => withBlock("# Nothing here\n", { path: "x.md", name: "commands", text: "" })).toThrow("commands");
});
