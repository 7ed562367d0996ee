import { stringAt } from "../base/json-value.ts";
import { type Call, isInterrupted, isRejected, placeOf, type Step, type TrailContext } from "./context.ts";
import type { Stop } from "./model.ts";

/** Where the person stopped the agent or refused a call, newest first. */
export function stops(steps: readonly Step[], context: TrailContext): readonly Stop[] {
  const found: Stop[] = [];
  let before: Step | null = null;
  for (const step of steps) {
    if (!step.main) continue;
    const { activity } = step;
    const previous: Step | null = before;
    before = step;
    if (!step.inside) continue;
    if (activity.kind === "tool-call" && isRejected(activity) && activity.name !== "AskUserQuestion") {
      const kind = isInterrupted(activity) ? "interrupted" : "rejected";
      found.push({ ...placeOf(activity), kind, what: callText(activity, context) });
    } else if (activity.kind === "interruption") {
      const last = previous?.activity;
      // The client notes the refusal of a call as an interruption too.
      if (last?.kind === "tool-call" && isRejected(last)) continue;
      const what = last?.kind === "tool-call" ? callText(last, context) : "";
      found.push({ ...placeOf(activity), kind: "interrupted", what });
    }
  }
  return found.reverse();
}

function callText(call: Call, context: TrailContext): string {
  const path = stringAt(call.input, "file_path") ?? stringAt(call.input, "notebook_path");
  const shown = path === null ? null : context.shown(context.resolve(path, context.cwdOf(call)));
  const said = shown ?? stringAt(call.input, "command") ?? stringAt(call.input, "description") ?? "";
  return context.cleanLine(`${call.name} ${said}`, 200);
}
