import { lifecycleInit } from "../../commands/lifecycle/init.ts";
import { lifecyclePreCompact } from "../../commands/lifecycle/pre-compact-check.ts";
import { lifecycleRecover } from "../../commands/lifecycle/recover.ts";
import { lifecycleSave } from "../../commands/lifecycle/save.ts";
import { recover } from "../../commands/recover.ts";
import type { Entry } from "../entry.ts";
import { COMMON, type QuickCommand, runQuickly } from "../quick-command.ts";
import { flag, roleInput, runCommand, text } from "../run-command.ts";

export const entry: Entry = {
  "lifecycle.init": (world, invocation) =>
    runCommand(world, invocation, (context) => lifecycleInit(context, invocation.positionals[0])),
  "lifecycle.save": (world, invocation) =>
    runCommand(world, invocation, (context) => lifecycleSave(context, roleInput(invocation))),
  "lifecycle.pre.compact": (world, invocation) =>
    runCommand(world, invocation, (context) => lifecyclePreCompact(context, roleInput(invocation))),
  "lifecycle.recover": (world, invocation) =>
    runCommand(world, invocation, (context) => lifecycleRecover(context, roleInput(invocation))),
  recover: (world, invocation) =>
    runCommand(world, invocation, (context) =>
      recover(context, {
        ...roleInput(invocation),
        transcript: text(invocation, "transcript"),
        check: flag(invocation, "check"),
        project: text(invocation, "project"),
      }),
    ),
};

const STEP = [...COMMON, { long: "take-over" }];

export const QUICK: readonly QuickCommand[] = [
  { command: "lifecycle.save", options: STEP, most: 1 },
  { command: "lifecycle.pre.compact", options: STEP, most: 1 },
  { command: "lifecycle.recover", options: STEP, most: 1 },
  { command: "recover", options: [...STEP, { long: "check" }], most: 1 },
];

export const run = (build: string): Promise<number | null> => runQuickly(QUICK, entry, build);
