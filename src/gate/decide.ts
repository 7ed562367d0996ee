import { asksToSkip } from "./opening-words.ts";
import { type GateState, isPending, MOST_DENIALS, MOST_REPEATS, type SeenLines, unread, withSeen } from "./state.ts";

/** What is known of the time since the compaction, files under their keys. */
export interface Seen {
  readonly shown: readonly SeenLines[];
  readonly prompts: readonly string[];
  /** The id of the model's last message; null where it is not known. */
  readonly message: string | null;
}

export type EditAnswer =
  /** Nothing is unread, or the gate is open. */
  | { readonly kind: "pass"; readonly state: GateState }
  | { readonly kind: "deny"; readonly state: GateState }
  /** Let go with files unread, and why. */
  | { readonly kind: "let-go"; readonly state: GateState };

/** The answer to an edit, with the state that it leaves. */
export function answerEdit(state: GateState, seen: Seen): EditAnswer {
  let now = state;
  for (const file of seen.shown) now = withSeen(now, file);
  if (!isPending(now)) return { kind: "pass", state: now };
  if (seen.prompts.some(asksToSkip)) return { kind: "let-go", state: { ...now, opened: "prompt" } };
  // The edits of one message are asked for before the model hears of a denial.
  const { message } = seen;
  if (message !== null && message === now.deniedMessage && now.repeats < MOST_REPEATS) {
    return { kind: "deny", state: { ...now, repeats: now.repeats + 1 } };
  }
  if (now.denials >= MOST_DENIALS) return { kind: "let-go", state: { ...now, opened: "denials" } };
  return { kind: "deny", state: { ...now, denials: now.denials + 1, deniedMessage: message } };
}

/** The state without files that are gone: nobody can read them. */
export function withoutGone(state: GateState, exists: (path: string) => boolean): GateState {
  const gone = new Set(unread(state).flatMap(({ path }) => (exists(path) ? [] : [path])));
  return gone.size === 0 ? state : { ...state, required: state.required.filter(({ path }) => !gone.has(path)) };
}
