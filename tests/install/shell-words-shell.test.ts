import { expect, test } from "vitest";
import { shellQuote } from "../../src/base/shell-word.ts";
import { simpleCommands } from "../../src/install/simple-commands.ts";
import { runProgram } from "../helpers/run-program.ts";

test("a real shell takes a quoted text for the same word", () => {
  for (const text of ["a b", "it's", 'say "x"', "$HOME `id` \\ \n é", "'", "''", "~", "*"]) {
    const ran = runProgram("sh", ["-c", `printf %s ${shellQuote(text)}`], { cwd: "/" });
    expect(ran.stdout).toBe(text);
    expect(simpleCommands(shellQuote(text))).toEqual([[text]]);
  }
});
