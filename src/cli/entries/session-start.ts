import { sessionStartHook } from "../../hooks/session-start.ts";
import type { Entry } from "../entry.ts";
import { flag, text } from "../run-command.ts";

export const entry: Entry = {
  "session-start": (world, invocation) =>
    sessionStartHook(world, {
      root: invocation.globals.root,
      part: text(invocation, "part"),
      print: flag(invocation, "print"),
    }),
};
