import type { AgentEvent } from "./event.ts";
import { isRecord } from "./outcome.ts";

/** What an event learns from its neighbours: the name of the tool that a result belongs to, and how a call ended. */
export type Link = { name: string | null; status: LinkStatus | null };

/**
 * Of a result: `success`, `error` (an error event named its call before it came), `orphan` (no such call before it).
 * Of a call: `pending` until a result or an error with its id follows, then none.
 */
export type LinkStatus = "success" | "error" | "orphan" | "pending";

/** The latest call of each id: all that has to be kept of the events before, however many they are. */
export type CallBook = Map<unknown, { readonly name: string; readonly link: Link; failed: boolean }>;

/**
 * Links the next event of a thread to the calls before it, for whoever writes events as they come and cannot look ahead, as
 * `linkAnswers` does: the latest call of the same id is the one meant, since some clients use an id again. A call's own link
 * changes later, when its answer comes.
 */
export function linkEvent(calls: CallBook, event: AgentEvent): Link {
  if (!isRecord(event)) return NO_LINK;
  switch (event.type) {
    case "tool_call": {
      const link: Link = { name: event.toolName, status: "pending" };
      calls.set(event.toolCallId, { name: event.toolName, link, failed: false });
      return link;
    }
    case "tool_result": {
      const call = calls.get(event.toolCallId);
      if (call === undefined) return { name: null, status: "orphan" };
      call.link.status = null;
      return { name: call.name, status: call.failed ? "error" : "success" };
    }
    case "error": {
      const call = event.toolCallId === undefined ? undefined : calls.get(event.toolCallId);
      if (call !== undefined) {
        call.link.status = null;
        call.failed = true;
      }
      return NO_LINK;
    }
    default:
      return NO_LINK;
  }
}

const NO_LINK: Link = { name: null, status: null };
