export interface ModelRequest {
  /** A turn of the conversation, the summary that a compaction asks for, or one of the client's own errands, such as a title. */
  readonly kind: "turn" | "summary" | "errand";
  /** Every text of the conversation, oldest first, results of tools among them. */
  readonly text: string;
  /** What the last message of the user's side says; what hooks add may stand behind it. */
  readonly asked: string;
}

/** Both clients say this in the prompt for a summary. */
const SUMMARY_PROMPT = /Your task is to create a detailed summary of/;

/** What a request's body asks of the model. */
export function readRequest(body: unknown): ModelRequest {
  const messages = listIn(body, "messages").map((message) => ({
    role: fieldOf(message, "role"),
    text: contentText(fieldOf(message, "content")),
  }));
  const asked = messages.findLast(({ role }) => role === "user")?.text ?? "";
  const hasTools = listIn(body, "tools").length > 0;
  return {
    kind: SUMMARY_PROMPT.test(asked) ? "summary" : hasTools ? "turn" : "errand",
    text: messages.map(({ text }) => text).join("\n"),
    asked,
  };
}

/** A value's own field, whatever the value is. */
export function fieldOf(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}

function listIn(value: unknown, key: string): readonly unknown[] {
  const list = fieldOf(value, key);
  return Array.isArray(list) ? list : [];
}

/** A message's content is a text, or blocks; a tool's result holds either again. */
function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((block: unknown) => {
      const text = fieldOf(block, "text");
      return typeof text === "string" ? text : contentText(fieldOf(block, "content"));
    })
    .join("\n");
}
