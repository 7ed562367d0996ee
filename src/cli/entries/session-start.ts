import { sessionStartHook } from "../../hooks/session-start.ts";
import type { Entry, Handler } from "../entry.ts";
import { type QuickHook, runQuickly } from "../quick-hook.ts";
import { flag, text } from "../run-command.ts";

const sessionStart: Handler = (world, invocation) =>
  sessionStartHook(world, {
    root: invocation.globals.root,
    part: text(invocation, "part"),
    print: flag(invocation, "print"),
  });

export const entry: Entry = { "session-start": sessionStart };

/** What an installed hook passes. */
export const QUICK: QuickHook = { command: "session-start", options: [{ long: "part", value: "k/n" }] };

export const run = (build: string): Promise<number | null> => runQuickly(QUICK, sessionStart, build);
