import type { FileContent } from "./facts.ts";

/** Whether a file may tell the agent anything; one that cannot be read may, to whoever can read it. */
export function holdsSomething(content: FileContent): boolean {
  if (content.kind === "text") return content.text.trim() !== "";
  return content.kind !== "missing" && content.kind !== "empty";
}
