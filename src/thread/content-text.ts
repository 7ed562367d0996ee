import { isRecord } from "./outcome.ts";
import { serializeValue } from "./serialize-value.ts";

/**
 * The text of a message's content. Where types are not checked it may be a list of blocks, as model clients send: their
 * texts a line each, nested results opened, other blocks as JSON; nothing at all is the empty text.
 */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (content === undefined || content === null) return "";
  return Array.isArray(content) ? blockTexts(content, 0).join("\n") : serializeValue(content);
}

/** Clients nest a result's blocks one deep; deeper ones, and cycles, are JSON. */
const DEEPEST = 4;

function blockTexts(blocks: readonly unknown[], depth: number): string[] {
  return blocks.flatMap((block) => {
    if (!isRecord(block)) return [serializeValue(block)];
    if (block.type === "text" && typeof block.text === "string") return [block.text];
    const inner = block.type === "tool_result" ? block.content : undefined;
    if (typeof inner === "string") return [inner];
    return Array.isArray(inner) && depth < DEEPEST ? blockTexts(inner, depth + 1) : [serializeValue(block)];
  });
}
