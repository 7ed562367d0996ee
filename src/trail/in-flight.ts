import { stringAt } from "../base/json-value.ts";
import { withoutHereBodies } from "../transcript/shell-quotes.ts";
import { type BackgroundRun, isAgentCall } from "./background.ts";
import { type Call, placeOf, type Step, type TrailContext } from "./context.ts";
import { pathOf } from "./file-work.ts";
import type { InFlight } from "./model.ts";

/** Calls without a result, sub-agents and background commands that nothing says the end of; newest first. */
export function inFlight(
  steps: readonly Step[],
  background: ReadonlyMap<string, BackgroundRun>,
  context: TrailContext,
): readonly InFlight[] {
  const open: { readonly step: Step; readonly call: Call; readonly id: string | null }[] = [];
  let lastTurn = -1;
  for (const step of steps) {
    const { activity, index, main } = step;
    if (!main) continue;
    // The client's own commands, such as `/status`, are typed while the agent works.
    if (TURNS.has(activity.kind) || (activity.kind === "slash-command" && !activity.builtIn)) lastTurn = index;
    if (activity.kind !== "tool-call") continue;
    const run = background.get(activity.id);
    if (run !== undefined ? run.end === null : activity.outcome === "in-flight") {
      open.push({ step, call: activity, id: run?.id ?? null });
    }
  }
  return open.reverse().flatMap(({ step, call, id }) => {
    // A new turn began without a result: the call was cut off. What runs in the background outlives turns.
    const cutOff = id === null && step.index < lastTurn;
    if (cutOff && !step.inside) return [];
    return [
      {
        ...placeOf(call),
        kind: isAgentCall(call)
          ? "sub-agent"
          : id !== null || call.input.run_in_background === true
            ? "background"
            : "call",
        tool: context.clean(call.name, 80),
        what: context.cleanLine(whatFor(call, context), 300),
        id: id === null ? null : context.clean(id, 120),
        state: cutOff ? "cut-off" : "running",
      },
    ];
  });
}

const TURNS: ReadonlySet<Step["activity"]["kind"]> = new Set(["prompt", "interruption", "compact-boundary"] as const);

function whatFor(call: Call, context: TrailContext): string {
  const path = pathOf(call);
  if (path !== null) return context.shown(context.resolve(path, context.cwdOf(call)));
  const command = stringAt(call.input, "command");
  if (command !== null && command !== "") return withoutHereBodies(command);
  const keys = ["description", "prompt", "pattern", "url", "query", "summary", "name", "script"];
  return keys.map((key) => stringAt(call.input, key)).find((value) => value !== null && value !== "") ?? "";
}
