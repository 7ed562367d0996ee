import { preCompactHook } from "../../hooks/pre-compact.ts";
import type { Entry, Handler } from "../entry.ts";
import { type QuickHook, runQuickly } from "../quick-hook.ts";
import { flag } from "../run-command.ts";

const preCompact: Handler = (world, invocation) =>
  preCompactHook(world, {
    root: invocation.globals.root,
    guidance: flag(invocation, "guidance"),
    requireSaved: flag(invocation, "require-saved"),
  });

export const entry: Entry = { "pre-compact": preCompact };

/** What an installed hook passes. */
export const QUICK: QuickHook = { command: "pre-compact", options: [{ long: "guidance" }, { long: "require-saved" }] };

export const run = (build: string): Promise<number | null> => runQuickly(QUICK, preCompact, build);
