import type { AgentEvent } from "../../thread/event.ts";
import type { Activity, ToolCall } from "../../transcript/activity.ts";
import type { Entry } from "../../transcript/entry.ts";

export type ToolResult = Extract<Entry, { readonly kind: "tool-result" }>;

export interface TranscriptEvents {
  readonly events: readonly AgentEvent[];
  /** How many of them were made before the last compaction. */
  readonly beforeCompaction: number;
}

/**
 * A client's session as an agent's thread: iterations are the person's turns, ids are positions in the whole session, so
 * that they stay when older events are left out. Sub-agents' entries in the same file are not of this thread. `orphans` are
 * results whose calls are not among the activities.
 */
export function transcriptEvents(
  activities: readonly Activity[],
  orphans: readonly ToolResult[] = [],
): TranscriptEvents {
  const events: AgentEvent[] = [];
  let iteration = 0;
  let beforeCompaction = 0;
  for (const { body, timestamp, turn } of momentsOf(activities, orphans)) {
    if (turn) iteration += 1;
    if (body === null) beforeCompaction = events.length;
    // Not spread: that takes ten times as long before V8 has made it fast.
    else events.push(Object.assign(body(iteration), { timestamp, iteration, id: String(events.length) }));
  }
  return { events, beforeCompaction };
}

/** An event before it is known where it stands; without a body, a compaction's mark. */
interface Moment {
  readonly row: number;
  /** Milliseconds since 1970; 0 where the record does not say. */
  readonly timestamp: number;
  /** The person speaks: a new iteration begins. */
  readonly turn: boolean;
  readonly body: ((iteration: number) => Body) | null;
}

type Body<E extends AgentEvent = AgentEvent> = E extends AgentEvent ? Omit<E, "timestamp" | "iteration" | "id"> : never;

/** Calls where they were made and results where they came back, in the order of the records. */
function momentsOf(activities: readonly Activity[], orphans: readonly ToolResult[]): readonly Moment[] {
  const moments: Moment[] = [];
  // A sub-agent's own file holds nothing else.
  const alone = activities.every(({ sidechain }) => sidechain) && orphans.every(({ sidechain }) => sidechain);
  for (const activity of activities) {
    if (activity.sidechain && !alone) continue;
    const timestamp = timeOf(activity);
    const add = (body: Moment["body"], turn = false, row = activity.row): void => {
      moments.push({ row, timestamp, turn, body });
    };
    switch (activity.kind) {
      case "prompt":
        add(() => ({ type: "message", role: "user", content: activity.text }), true);
        break;
      case "slash-command": {
        const content = `/${activity.name} ${activity.args}`.trimEnd();
        if (!activity.builtIn) add(() => ({ type: "message", role: "user", content }), true);
        break;
      }
      case "assistant-text":
        add(() => ({ type: "message", role: "assistant", content: activity.text }));
        break;
      case "tool-call":
        add(() => ({ type: "tool_call", toolName: activity.name, toolCallId: activity.id, args: activity.input }));
        if (activity.answeredAt !== null) add(() => answerOf(activity), false, activity.answeredAt);
        break;
      case "compact-summary":
        add((iteration) => {
          const summarizedIterations = Array.from({ length: iteration }, (_, index) => index + 1);
          return { type: "summary", summarizedIterations, summary: activity.text };
        });
        break;
      case "compact-boundary":
        add(null);
        break;
      case "interruption":
        add(() => ({ type: "message", role: "system", content: "The user interrupted the agent." }));
        break;
      case "task-notification": {
        const content = `A background task reported: ${activity.status ?? "no status"}.`;
        add(() => ({ type: "message", role: "system", content }));
        break;
      }
      default:
        activity satisfies never;
    }
  }
  for (const orphan of orphans) {
    if (orphan.sidechain && !alone) continue;
    const body = () => answer(orphan.toolUseId, orphan.isError, orphan.text);
    moments.push({ row: orphan.row, timestamp: timeOf(orphan), turn: false, body });
  }
  return moments.sort((a, b) => a.row - b.row);
}

function timeOf({ timestamp }: Activity | ToolResult): number {
  const at = timestamp === null ? Number.NaN : Date.parse(timestamp);
  return Number.isNaN(at) ? 0 : at;
}

function answerOf(call: ToolCall): Body {
  return answer(call.id, call.outcome === "failed", call.result);
}

function answer(toolCallId: string, isError: boolean, result: string): Body {
  return isError
    ? { type: "error", error: result, toolCallId, recoverable: true }
    : { type: "tool_result", toolCallId, result };
}
