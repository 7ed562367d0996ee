import { preCompactHook } from "../../hooks/pre-compact.ts";
import type { Entry } from "../entry.ts";
import { flag } from "../run-command.ts";

export const entry: Entry = {
  "pre-compact": (world, invocation) =>
    preCompactHook(world, {
      root: invocation.globals.root,
      guidance: flag(invocation, "guidance"),
      requireSaved: flag(invocation, "require-saved"),
    }),
};
