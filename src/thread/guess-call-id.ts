import type { EventElement } from "./read-elements.ts";

/**
 * Made-up ids of calls, oldest first, by the tool's name; those before `next` have their result. Counted, since taking the
 * first out of a long list moves all others.
 */
export type CallGuesses = Map<string, { readonly ids: string[]; next: number }>;

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
      if (open === undefined) calls.set(name, { ids: [toolCallId], next: 0 });
      else open.ids.push(toolCallId);
      return { toolCallId };
    }
    case "tool_output": {
      const open = attributes.get("status") === "orphan" ? undefined : calls.get(name);
      const toolCallId = open?.ids[open.next];
      if (open !== undefined && toolCallId !== undefined) open.next++;
      return { toolCallId: toolCallId ?? `call_of_${position}` };
    }
    case "approval": {
      const open = calls.get(name);
      return { toolCallId: open?.ids[Math.max(open.next, open.ids.length - 1)] ?? `call_of_${position}` };
    }
    default:
      return {};
  }
}
