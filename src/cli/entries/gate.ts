import { gateSkip } from "../../commands/gate.ts";
import { gateHook } from "../../hooks/gate.ts";
import type { Entry } from "../entry.ts";
import { type QuickCommand, runQuickly } from "../quick-command.ts";
import { flag, runCommand } from "../run-command.ts";

export const entry: Entry = {
  gate: (world, invocation) =>
    flag(invocation, "skip")
      ? runCommand(world, invocation, gateSkip)
      : gateHook(world, { root: invocation.globals.root }),
};

/** An installed hook passes nothing. */
export const QUICK: readonly QuickCommand[] = [{ command: "gate", options: [], most: 0 }];

export const run = (build: string): Promise<number | null> => runQuickly(QUICK, entry, build);

/** For any hook that cannot run. */
export { passOver } from "../../hooks/run-hook.ts";
