import { sessionStartHook } from "../../hooks/session-start.ts";
import type { Entry } from "../entry.ts";
import { type QuickCommand, runQuickly } from "../quick-command.ts";
import { flag, text } from "../run-command.ts";

export const entry: Entry = {
  "session-start": (world, invocation) =>
    sessionStartHook(world, {
      root: invocation.globals.root,
      part: text(invocation, "part"),
      print: flag(invocation, "print"),
    }),
};

/** What an installed hook passes. */
export const QUICK: readonly QuickCommand[] = [
  { command: "session-start", options: [{ long: "part", value: "k/n" }], most: 0 },
];

export const run = (build: string): Promise<number | null> => runQuickly(QUICK, entry, build);
