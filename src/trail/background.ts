import { stringAt } from "../base/json-value.ts";
import { tagText } from "../transcript/slash-command.ts";
import type { Call, Step } from "./context.ts";

/** A command or sub-agent that went on after its call's result. */
export interface BackgroundRun {
  /** The client's id of it. */
  readonly id: string;
  /** Null while nothing says that it ended. */
  readonly end: "ok" | "failed" | "stopped" | null;
  /** What was read of its output. */
  readonly says: string;
}

/** What runs, or ran, in the background, by the id of the call that began it. */
export function backgroundRuns(steps: readonly Step[]): ReadonlyMap<string, BackgroundRun> {
  const ids = new Map<string, string>();
  const ends = new Map<string, NonNullable<BackgroundRun["end"]>>();
  const outputs = new Map<string, string[]>();
  for (const { activity, main } of steps) {
    if (!main) continue;
    if (activity.kind === "task-notification") {
      const { status, summary } = activity;
      // What is watched for came up: the watch goes on.
      const end = status === null || status === "running" ? null : endOf(status, summary ?? "");
      for (const id of [activity.toolUseId, activity.taskId]) if (id !== null && end !== null) ends.set(id, end);
    } else if (activity.kind === "tool-call") {
      const id = backgroundId(activity);
      if (id !== null) {
        // One that had ended may be sent on: its earlier calls stay as they are.
        const end = ends.get(id);
        if (end !== undefined) for (const [call, of] of ids) if (of === id) ends.set(call, ends.get(call) ?? end);
        ends.delete(id);
        ids.set(activity.id, id);
      }
      const seen = lookedAt(activity);
      if (seen === null) continue;
      if (seen.end !== null) ends.set(seen.id, seen.end);
      if (seen.says !== "") outputs.set(seen.id, [...(outputs.get(seen.id) ?? []).slice(-LAST_OUTPUTS), seen.says]);
    }
  }
  return new Map(
    [...ids].map(([call, id]) => {
      const says = (outputs.get(id) ?? []).join("\n");
      return [call, { id, end: ends.get(call) ?? ends.get(id) ?? null, says }] as const;
    }),
  );
}

// A server that is looked at again and again says the most in the end.
const LAST_OUTPUTS = 20;

const AGENT_TOOLS: ReadonlySet<string> = new Set(["Task", "Agent"]);
const WATCHING_TOOLS: ReadonlySet<string> = new Set(["BashOutput", "TaskOutput", "AgentOutputTool", "AgentOutput"]);
const ENDING_TOOLS: ReadonlySet<string> = new Set(["KillShell", "KillBash", "TaskStop", "CronDelete"]);
const ID_KEYS = ["bash_id", "shell_id", "task_id", "agentId", "agent_id", "id"] as const;

/** Whether a call hands work to a sub-agent. */
export function isAgentCall(call: Call): boolean {
  return AGENT_TOOLS.has(call.name);
}

/** The id under which a call goes on after its result; null for one that is over. */
function backgroundId(call: Call): string | null {
  if (call.outcome !== "ok") return null;
  if (call.note?.background != null) return call.note.background;
  if (isAgentCall(call)) {
    return call.result.startsWith("Async agent launched")
      ? (/agentId: ([\w-]{1,120})/.exec(call.result)?.[1] ?? call.id)
      : null;
  }
  if (call.name === "SendMessage") return /"resumedAgentId":"([\w-]{1,120})"/.exec(call.result)?.[1] ?? null;
  return STARTING_TOOLS.has(call.name) ? (STARTED.exec(call.result)?.[1] ?? null) : null;
}

/** A job that is done once ends without a word of the client's: it is none of these. */
const STARTING_TOOLS: ReadonlySet<string> = new Set(["Bash", "Monitor", "Workflow", "CronCreate"]);
const STARTED =
  /^(?:Command (?:running in|was (?:manually )?moved to the) background[^\n]{0,40} ID: |Monitor started \(task |Workflow launched in background\. Task ID: |Scheduled recurring job )([\w-]{1,120})/i;

/** What a call ended or looked at in the background; null where it does neither. */
function lookedAt(call: Call): BackgroundRun | null {
  const ends = ENDING_TOOLS.has(call.name);
  if (call.outcome !== "ok" || !(ends || WATCHING_TOOLS.has(call.name))) return null;
  const id = ID_KEYS.map((key) => stringAt(call.input, key)).find((value) => value !== null) ?? null;
  if (id === null) return null;
  if (ends) return { id, end: "stopped", says: "" };
  const status = tagText(call.result, "status")?.trim() ?? call.note?.status ?? "running";
  const goesOn = /^(?:running|pending|not_ready|timeout)$/.test(status);
  return { id, end: goesOn ? null : endOf(status, exitText(call.result)), says: call.result };
}

function exitText(result: string): string {
  const code = tagText(result, "exit_code")?.trim();
  return code === undefined ? "" : `exit code ${code}`;
}

/** How it ended, by the client's word and the exit code that it names. */
function endOf(status: string, says: string): NonNullable<BackgroundRun["end"]> {
  if (/^(?:killed|stopped|cancell?ed)$/.test(status)) return "stopped";
  return status === "failed" || /\bexit code [1-9]/.test(says) ? "failed" : "ok";
}
