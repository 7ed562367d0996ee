import * as z from "zod";
import { Manifest } from "./manifest.ts";
import { PrecompactStateSchema } from "./precompact-state-schema.ts";

/** The JSON Schema (draft 2020-12) of the front matter of `resume-context.md`. */
export function resumeContextJsonSchema(): object {
  return { title: "resume-context.md", ...z.toJSONSchema(Manifest, { io: "input" }) };
}

/** The JSON Schema (draft 2020-12) of `precompact_state.json`. */
export function precompactStateJsonSchema(): object {
  return { title: "precompact_state.json", ...z.toJSONSchema(PrecompactStateSchema, { io: "input" }) };
}
