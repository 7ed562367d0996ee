import type { FileContent } from "./facts.ts";

/** Whether the document has anything of a file that would tell the agent something. */
export function holdsSomething(content: FileContent): boolean {
  return content.kind === "text" && content.text.trim() !== "";
}
