import { asksToSkip } from "./opening-words.ts";
import { type GateState, isPending, MOST_DENIALS, MOST_REPEATS, type SeenLines, unread, withSeen } from "./state.ts";

/** What is known of the time since the compaction, files under their keys. */
export interface Seen {
  readonly shown: readonly SeenLines[];
  readonly prompts: readonly string[];
  /** The ids of the tool calls in the model's last message, as far as they are known. */
  readonly lastCalls: readonly string[];
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
  if (isFurther(now, seen.lastCalls, call)) {
    return { kind: "deny", state: { ...now, deniedCall: call, repeats: now.repeats + 1 } };
  }
  if (now.denials >= MOST_DENIALS) return { kind: "let-go", state: { ...now, opened: "denials" } };
  return { kind: "deny", state: { ...now, deniedCall: call, denials: now.denials + 1 } };
}

/**
 * Whether an edit is another one of the message that was denied last: the model asked for it before it heard of that. The
 * client may ask about a message's first call before it has written the message down, so that call is looked for as well.
 */
function isFurther({ deniedCall, repeats }: GateState, lastCalls: readonly string[], call: string | null): boolean {
  if (call === null || deniedCall === null || call === deniedCall) return false;
  return lastCalls.includes(deniedCall) && lastCalls.includes(call) && repeats < MOST_REPEATS;
}

/** The state without files that are gone: nobody can read them. */
export function withoutGone(state: GateState, exists: (path: string) => boolean): GateState {
  const gone = new Set(unread(state).flatMap(({ path }) => (exists(path) ? [] : [path])));
  return gone.size === 0 ? state : { ...state, required: state.required.filter(({ path }) => !gone.has(path)) };
}
