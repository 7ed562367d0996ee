import { gateSkip } from "../../commands/gate.ts";
import { gateHook } from "../../hooks/gate.ts";
import type { Entry } from "../entry.ts";
import { flag, runCommand } from "../run-command.ts";

export const entry: Entry = {
  gate: (world, invocation) =>
    flag(invocation, "skip")
      ? runCommand(world, invocation, gateSkip)
      : gateHook(world, { root: invocation.globals.root }),
};
