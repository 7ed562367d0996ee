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
 * as they come, until it answers without a call.
 */
export async function runIteration(
  settings: Settings,
  thread: OpenThread,
  signal: AbortSignal | undefined,
): Promise<IterationEnd> {
  const { contextMode, instructions, thread: style } = settings;
  const messages = buildMessages(thread.events, {
    contextMode,
    instructions,
    thread: style,
  });
  for (let round = 0; round < settings.maxToolRounds; round++) {
    const asked = await askModel(settings, thread, messages, signal);
    if (asked.kind !== "answer") return asked;
    const usedIds = thread.events.flatMap((event) => (event.type === "tool_call" ? [event.toolCallId] : []));
    const group = `pg_${thread.iteration()}_${round}`;
    const turn = readTurn(asked.message, { usedIds, newId: settings.newId, group });
    thread.record(...turnEvents(turn));
    if (turn.calls.length === 0) return { kind: "text", text: turn.text };
    const { answers, fatal } = await runTurn(settings, thread, turn.calls, signal);
    messages.push(turn.message, ...answers);
    if (fatal !== null) return { kind: "failed", error: fatal };
    if (openRequests(thread.events).length > 0) return { kind: "waiting" };
  }
  return { kind: "rounds" };
}
