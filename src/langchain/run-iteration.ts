import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { jsonText } from "../thread/serialize-value.ts";
import { askModel } from "./ask-model.ts";
import { openRequests } from "./human-input.ts";
import { buildMessages } from "./messages.ts";
import { readTurn, turnEvents } from "./model-turn.ts";
import type { OpenThread } from "./open-thread.ts";
import { runTurn } from "./run-turn.ts";
import type { Settings } from "./settings.ts";

/** `text`: the model made no more calls. `waiting`: a person is asked. `rounds`: it went on calling for too long. */
export type IterationEnd =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "waiting" }
  | { readonly kind: "rounds" }
  | { readonly kind: "failed"; readonly error: string }
  | { readonly kind: "aborted" };

/**
 * One round of the outer loop. The model sees the thread as it stands, then its own messages and the answers to its calls
 * as they come, until it answers without a call. Where that grows past the limit, all but the newest turn is the thread's
 * again, which leaves out its oldest.
 */
export async function runIteration(
  settings: Settings,
  thread: OpenThread,
  signal: AbortSignal | undefined,
): Promise<IterationEnd> {
  const { thread: style } = settings;
  const limit = style?.maxCharacters ?? Number.POSITIVE_INFINITY;
  let messages = buildMessages(thread.events, settings);
  for (let round = 0; round < settings.maxToolRounds; round++) {
    const asked = await askModel(settings, thread, messages, signal);
    if (asked.kind !== "answer") return asked;
    const usedIds = thread.events.flatMap((event) => (event.type === "tool_call" ? [event.toolCallId] : []));
    const group = `pg_${thread.iteration()}_${round}`;
    const turn = readTurn(asked.message, { usedIds, newId: settings.newId, group, tools: settings.tools });
    const begun = thread.events.length;
    thread.record(...turnEvents(turn));
    if (turn.calls.length === 0) return { kind: "text", text: turn.text };
    const { answers, fatal } = await runTurn(settings, thread, turn.calls, signal);
    const newest = [turn.message, ...answers];
    messages.push(...newest);
    if (Number.isFinite(limit) && charactersOf(messages) > limit) {
      const maxCharacters = roomBeside(charactersOf(newest), limit);
      messages = [
        ...buildMessages(thread.events.slice(0, begun), { ...settings, thread: { ...style, maxCharacters } }),
        ...newest,
      ];
    }
    if (fatal !== null) return { kind: "failed", error: fatal };
    if (openRequests(thread.events).length > 0) return { kind: "waiting" };
  }
  return { kind: "rounds" };
}

/** Characters that a request may have beside its newest turn: a third stays free, so that it is not cut again each turn. */
function roomBeside(newest: number, limit: number): number {
  return Math.floor(Math.max(limit / 3, Math.min((limit * 2) / 3, limit - newest)));
}

/** What `planMessages` counts: texts and calls. */
function charactersOf(messages: readonly BaseMessage[]): number {
  return messages.reduce((sum, message) => {
    const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
    return sum + message.text.length + (calls.length === 0 ? 0 : jsonText(calls).length);
  }, 0);
}
