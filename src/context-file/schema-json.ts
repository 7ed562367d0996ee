import * as z from "zod";
import { ContextFile } from "./model.ts";

/** The JSON Schema of a parsed context file (draft 2020-12). */
export function contextFileJsonSchema(): object {
  return z.toJSONSchema(ContextFile);
}
