import { fileSize } from "../platform/file-size.ts";
import { isDelivered } from "../stores/delivery-store.ts";
import type { CommandContext } from "./command-context.ts";

/** A hook command that is about to answer a session. */
export interface Answering {
  readonly sessionId: string | null;
  readonly transcriptPath: string | null;
  /** The command, with its part where it has one. */
  readonly what: string;
  /** Why the client asks: a source or a trigger. */
  readonly occasion: string;
}

/** Where a plugin and the project's settings both run this program, each answer comes once: whether this one is the second. */
export function isSecondDelivery(context: CommandContext, answering: Answering): boolean {
  const { sessionId, transcriptPath, what, occasion } = answering;
  if (sessionId === null) return false;
  const size = transcriptPath === null ? null : fileSize(transcriptPath);
  const delivery = { sessionId, what, event: `${occasion} ${size ?? "-"}`, by: context.installation };
  return isDelivered(context.paths, delivery, context.now());
}
