import type { BaseMessage } from "@langchain/core/messages";
import { pause, settle } from "./abort.ts";
import { textOfThrown } from "./errors.ts";
import type { OpenThread } from "./open-thread.ts";
import type { Settings } from "./settings.ts";

export type ModelAnswer =
  | { readonly kind: "answer"; readonly message: BaseMessage }
  | { readonly kind: "failed"; readonly error: string }
  | { readonly kind: "aborted" };

/**
 * Asks the model, again after each recoverable error until the retries are used up. Every error is an event; the one
 * that nothing follows is unrecoverable.
 */
export async function askModel(
  settings: Settings,
  thread: OpenThread,
  messages: readonly BaseMessage[],
  signal: AbortSignal | undefined,
): Promise<ModelAnswer> {
  for (let retries = 0; ; retries++) {
    const asked = await settle(
      () => settings.model.invoke([...messages], signal === undefined ? {} : { signal }),
      signal,
    );
    if (asked.kind === "done") return { kind: "answer", message: asked.value };
    if (asked.kind === "aborted") return asked;
    const error = textOfThrown(asked.error);
    const recoverable = retries < settings.maxModelRetries && settings.isRecoverable(asked.error, "model");
    thread.record({ type: "error", error, recoverable });
    if (!recoverable) return { kind: "failed", error };
    await pause(settings.retryDelayMs * 2 ** retries, signal);
  }
}
