import type { EventElement } from "./read-elements.ts";

/** Made-up ids of calls still without a result, oldest first, by the tool's name. */
export type CallGuesses = Map<string, string[]>;

/**
 * The `toolCallId` of an element: the one it states, or one made up so that a result goes with the earliest call of its
 * name that has none, which a call marked pending never gets.
 */
export function guessCallId(
  calls: CallGuesses,
  { attributes }: EventElement,
  position: number,
): { toolCallId?: string } {
  const stated = attributes.get("tool_call_id");
  if (stated !== undefined) return { toolCallId: stated };
  const name = attributes.get("name") ?? "";
  switch (attributes.get("type")) {
    case "tool_input": {
      const toolCallId = `call_${position}`;
      if (attributes.get("status") === "pending") return { toolCallId };
      const open = calls.get(name);
      if (open === undefined) calls.set(name, [toolCallId]);
      else open.push(toolCallId);
      return { toolCallId };
    }
    case "tool_output": {
      const open = attributes.get("status") === "orphan" ? undefined : calls.get(name)?.shift();
      return { toolCallId: open ?? `call_of_${position}` };
    }
    case "approval":
      return { toolCallId: calls.get(name)?.at(-1) ?? `call_of_${position}` };
    default:
      return {};
  }
}
