import { gateSkip } from "../../commands/gate.ts";
import { gateHook } from "../../hooks/gate.ts";
import type { Entry, Handler } from "../entry.ts";
import { type QuickHook, runQuickly } from "../quick-hook.ts";
import { flag, runCommand } from "../run-command.ts";

const gate: Handler = (world, invocation) =>
  flag(invocation, "skip")
    ? runCommand(world, invocation, gateSkip)
    : gateHook(world, { root: invocation.globals.root });

export const entry: Entry = { gate };

/** An installed hook passes nothing. */
export const QUICK: QuickHook = { command: "gate", options: [] };

export const run = (build: string): Promise<number | null> => runQuickly(QUICK, gate, build);
