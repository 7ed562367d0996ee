import { preCompactHook } from "../../hooks/pre-compact.ts";
import type { Entry } from "../entry.ts";
import { type QuickCommand, runQuickly } from "../quick-command.ts";
import { flag } from "../run-command.ts";

export const entry: Entry = {
  "pre-compact": (world, invocation) =>
    preCompactHook(world, {
      root: invocation.globals.root,
      guidance: flag(invocation, "guidance"),
      requireSaved: flag(invocation, "require-saved"),
    }),
};

/** What an installed hook passes. */
export const QUICK: readonly QuickCommand[] = [
  { command: "pre-compact", options: [{ long: "guidance" }, { long: "require-saved" }], most: 0 },
];

export const run = (build: string): Promise<number | null> => runQuickly(QUICK, entry, build);
