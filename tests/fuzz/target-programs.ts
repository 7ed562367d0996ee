import { readScreen } from "../../src/commands/compact/input-line.ts";
import { foldersMadeFor, placeInUserScript, userScript } from "../../src/install/user-script.ts";
import { paneRole } from "../../src/lifecycle/pane-registry.ts";
import { must, mustBeEqual } from "./oracles.ts";

/** What a terminal shows, which pane is whose, and the script that starts the program for all projects. */
export function fuzzPrograms(text: string): void {
  const { input, above } = readScreen(text);
  must(!above.includes("\u001b"), "an escape sequence is told as text");
  if (input.kind === "text") must(/^[^\s\u001b]+$/.test(input.text), "blanks, or nothing, on the input line");
  const role = paneRole(text, "work:0.1");
  must(role === null || (role !== "" && role.trim() === role && !/[|\n]/.test(role)), "half a line is a role");
  must(foldersMadeFor(text) >= 0, "fewer than no folders were made");
  placeInUserScript(text);
  const path = `/${/[^\0\r\n]*/.exec(text)?.[0]}`;
  mustBeEqual(placeInUserScript(userScript(path, 2)), path, "where a script looks first");
}

const RULE = `\u001b[38;5;244m${"─".repeat(12)}\u001b[39m`;

export const SCREENS: readonly string[] = [
  ["❯ good morning", "● Hello.", RULE, "❯\u00a0bring it\u001b[7m \u001b[0m", "  up", RULE, "  ? for shortcuts"].join(
    "\n",
  ),
  [RULE, '❯ \u001b[7mT\u001b[27m\u001b[2mry "a"\u001b[22m \u001b[38;2;90;90;90mgrey', RULE].join("\n"),
  "work:0.1|oosh-expert\nwork:0.2|other|more\n",
  userScript("/home/dev/it's here/context", 2),
];
