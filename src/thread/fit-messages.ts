import { jsonText } from "./serialize-value.ts";
import type { ThreadMessage } from "./thread-message.ts";

/**
 * Messages of at most `limit` characters of text, arguments and names: the system message, the first one of the user and
 * the newest stay, and a text of the user counts those left out between. A call and its answers stay or go together, and
 * the newest turn stays however long it is. What is left out grows by a third of the limit at a time: a thread that grows
 * keeps its earlier messages for many turns, and a provider's cache goes on to hit.
 */
export function fitMessages(messages: ThreadMessage[], limit: number): ThreadMessage[] {
  if (limit === Number.POSITIVE_INFINITY) return messages;
  const sizes = messages.map(size);
  const total = sizes.reduce((sum, each) => sum + each, 0);
  if (total <= limit) return messages;
  const system = messages[0]?.role === "system" ? 1 : 0;
  const user = messages.findIndex(({ role }) => role === "user");
  const pinned = (system === 0 ? 0 : (sizes[0] ?? 0)) + (sizes[user] ?? 0) + leftOut(messages.length).content.length;
  const step = Math.max(1, Math.floor((limit - pinned) / 3));
  let start = system;
  let passed = 0;
  let threshold = step;
  let rest = total - (system === 0 ? 0 : (sizes[0] ?? 0));
  for (let index = system; index < messages.length; index++) {
    if (messages[index]?.role !== "tool") {
      start = index;
      if (passed >= threshold) {
        if (rest <= limit - pinned) break;
        threshold = (Math.floor(passed / step) + 1) * step;
      }
    }
    passed += sizes[index] ?? 0;
    rest -= sizes[index] ?? 0;
  }
  const kept = [
    ...messages.slice(0, system),
    ...(user >= system && user < start ? messages.slice(user, user + 1) : []),
  ];
  const count = start - kept.length;
  return count === 0 ? messages : [...kept, leftOut(count), ...messages.slice(start)];
}

function leftOut(count: number): ThreadMessage {
  return { role: "user", content: `[… ${count === 1 ? "1 message" : `${count} messages`} left out …]` };
}

function size(message: ThreadMessage): number {
  const calls = message.role === "assistant" ? message.toolCalls : undefined;
  return message.content.length + (calls === undefined ? 0 : jsonText(calls).length);
}
