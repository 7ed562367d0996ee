import * as z from "zod";
import { invariant } from "../base/invariant.ts";
import { isProjectId, PROJECT_ID, PROJECT_ID_MAX, type ProjectId } from "../base/project-id.ts";
import { CONFIDENCES, DETECTION_METHODS } from "./precompact-state.ts";
import { isTimestamp, TIMESTAMP } from "./timestamp.ts";

/** `precompact_state.json`, as `parsePrecompactState` reads it: that one is written by hand, since a hook cannot wait for zod. */
export const PrecompactStateSchema = z
  .object({
    active_project_id: z
      .string()
      .max(PROJECT_ID_MAX)
      .regex(PROJECT_ID)
      .transform(branded)
      .nullable()
      .describe("The project in hand; null where none was found."),
    confidence: z.enum(CONFIDENCES),
    detection_method: z.enum(DETECTION_METHODS),
    timestamp: z.string().regex(TIMESTAMP).refine(isTimestamp).describe("When it was written, ISO 8601."),
    session_id: z.string().optional().describe("The session it belongs to."),
    metadata: z.record(z.string(), z.unknown()).optional().describe("What another tool adds."),
  })
  .describe("Which project was in hand when the client began to compact.");

function branded(id: string): ProjectId {
  invariant(isProjectId(id), "the form of an id was looked at before");
  return id;
}
