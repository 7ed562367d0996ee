import { stringAt } from "../transcript/json-value.ts";
import { tagText } from "../transcript/slash-command.ts";
import { oneLine } from "./clean-text.ts";
import { type Call, placeOf, type Step, type TrailContext } from "./context.ts";
import { pathOf } from "./file-work.ts";
import type { InFlight } from "./model.ts";

/** Calls without a result, sub-agents and background commands that nothing says the end of; newest first. */
export function inFlight(steps: readonly Step[], context: TrailContext): readonly InFlight[] {
  const open: { readonly step: Step; readonly call: Call; readonly id: string | null }[] = [];
  const ended = new Set<string>();
  let lastTurn = -1;
  for (const step of steps) {
    const { activity, index, main } = step;
    if (!main) continue;
    if (activity.kind === "task-notification") {
      if (activity.toolUseId !== null && activity.status !== "running") ended.add(activity.toolUseId);
    } else if (activity.kind === "prompt" || activity.kind === "interruption" || activity.kind === "compact-boundary") {
      lastTurn = index;
    } else if (activity.kind === "tool-call") {
      const id = backgroundId(activity);
      if (activity.outcome === "in-flight" || id !== null) open.push({ step, call: activity, id });
      const watched = endSeenIn(activity);
      if (watched !== null) ended.add(watched);
    }
  }
  return open.reverse().flatMap(({ step, call, id }) => {
    if (ended.has(call.id) || (id !== null && ended.has(id))) return [];
    // A new turn began without a result: the call was cut off. What runs in the background outlives turns.
    const cutOff = id === null && step.index < lastTurn;
    if (cutOff && !step.inside) return [];
    return [
      {
        ...placeOf(call),
        kind: AGENT_TOOLS.has(call.name)
          ? "sub-agent"
          : id !== null || call.input.run_in_background === true
            ? "background"
            : "call",
        tool: context.clean(call.name, 80),
        what: context.clean(oneLine(whatFor(call, context)), 300),
        id: id === null ? null : context.clean(id, 120),
        state: cutOff ? "cut-off" : "running",
      },
    ];
  });
}

const AGENT_TOOLS: ReadonlySet<string> = new Set(["Task", "Agent"]);
const WATCHING_TOOLS: ReadonlySet<string> = new Set(["BashOutput", "TaskOutput", "AgentOutputTool", "AgentOutput"]);
const ENDING_TOOLS: ReadonlySet<string> = new Set(["KillShell", "KillBash", "TaskStop"]);
const ID_KEYS = ["bash_id", "shell_id", "task_id", "agentId", "agent_id"] as const;

/** The id under which a call goes on after its result; null for one that is over. */
function backgroundId(call: Call): string | null {
  if (call.outcome !== "ok") return null;
  if (call.note?.background != null) return call.note.background;
  if (AGENT_TOOLS.has(call.name)) {
    return call.result.startsWith("Async agent launched")
      ? (/agentId: ([\w-]{1,120})/.exec(call.result)?.[1] ?? call.id)
      : null;
  }
  if (call.name !== "Bash") return null;
  return (
    /^Command (?:running in|was (?:manually )?moved to the) background[^\n]{0,40} ID: ([\w-]{1,120})/i.exec(
      call.result,
    )?.[1] ?? null
  );
}

/** The id of a background task that a call ended, or whose end it saw. */
function endSeenIn(call: Call): string | null {
  const ends = ENDING_TOOLS.has(call.name);
  if (call.outcome !== "ok" || !(ends || WATCHING_TOOLS.has(call.name))) return null;
  const id = ID_KEYS.map((key) => stringAt(call.input, key)).find((value) => value !== null) ?? null;
  if (ends) return id;
  const status = tagText(call.result, "status")?.trim() ?? call.note?.status ?? "running";
  return /^(?:running|pending|not_ready|timeout)$/.test(status) ? null : id;
}

function whatFor(call: Call, context: TrailContext): string {
  const path = pathOf(call);
  if (path !== null) return context.shown(context.resolve(path, context.cwdOf(call)));
  const keys = ["command", "description", "prompt", "pattern", "url", "query"];
  return keys.map((key) => stringAt(call.input, key)).find((value) => value !== null && value !== "") ?? "";
}
