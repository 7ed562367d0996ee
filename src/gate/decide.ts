import { asksToSkip } from "./opening-words.ts";
import type { ModelMessage } from "./session-rows.ts";
import { type GateState, isPending, MOST_DENIALS, MOST_REPEATS, type SeenLines, unread, withSeen } from "./state.ts";

/** What is known of the time since the compaction, files under their keys. */
export interface Seen {
  readonly shown: readonly SeenLines[];
  readonly prompts: readonly string[];
  /** The model's last message; null where it is not known. */
  readonly message: ModelMessage | null;
}

export type EditAnswer =
  /** Nothing is unread, or the gate is open. */
  | { readonly kind: "pass"; readonly state: GateState }
  | { readonly kind: "deny"; readonly state: GateState }
  /** Let go with files unread, and why. */
  | { readonly kind: "let-go"; readonly state: GateState };

/** The answer to an edit, with the state that it leaves. */
export function answerEdit(state: GateState, seen: Seen, call: string | null): EditAnswer {
  let now = state;
  for (const file of seen.shown) now = withSeen(now, file);
  if (!isPending(now)) return { kind: "pass", state: now };
  if (seen.prompts.some(asksToSkip)) return { kind: "let-go", state: { ...now, opened: "prompt" } };
  const denied = { deniedMessage: seen.message?.id ?? null, deniedCall: call };
  if (isFurther(now, seen.message, call)) {
    return { kind: "deny", state: { ...now, ...denied, repeats: now.repeats + 1 } };
  }
  if (now.denials >= MOST_DENIALS) return { kind: "let-go", state: { ...now, opened: "denials" } };
  return { kind: "deny", state: { ...now, ...denied, denials: now.denials + 1 } };
}

/** Whether an edit is another one of the message that was denied last: the model asked for it before it heard of that. */
function isFurther(state: GateState, message: ModelMessage | null, call: string | null): boolean {
  if (message === null || call === null || message.id !== state.deniedMessage) return false;
  return message.calls.includes(call) && call !== state.deniedCall && state.repeats < MOST_REPEATS;
}

/** The state without files that are gone: nobody can read them. */
export function withoutGone(state: GateState, exists: (path: string) => boolean): GateState {
  const gone = new Set(unread(state).flatMap(({ path }) => (exists(path) ? [] : [path])));
  return gone.size === 0 ? state : { ...state, required: state.required.filter(({ path }) => !gone.has(path)) };
}
