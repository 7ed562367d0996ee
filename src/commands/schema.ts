import { contextFileJsonSchema } from "../context-file/schema-json.ts";
import { schemaMarkdown } from "../context-file/schema-text.ts";
import { done, type Report } from "./report.ts";

/** `schema`: what a context file must hold, made from the rules that check it. */
export function schema(): Report {
  return done(schemaMarkdown(), { ...contextFileJsonSchema() });
}
