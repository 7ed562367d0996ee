import * as z from "zod";
import { invariant } from "../base/invariant.ts";
import { isProjectId, PROJECT_ID, PROJECT_ID_MAX, PROJECT_ID_RULE, type ProjectId } from "../base/project-id.ts";
import { PHASES } from "./phases.ts";
import { isTimestamp, TIMESTAMP } from "./timestamp.ts";

/** The version of the format that we write. */
export const RESUME_SCHEMA_VERSION = "1.0";

const count = z.int().min(0);

/**
 * The front matter of `resume-context.md`: what to load again. The descriptions are what findings say was expected. An
 * absent optional value and null are the same.
 */
export const Manifest = z
  .object({
    resume_schema_version: z
      .string()
      .regex(/^[0-9]+(?:\.[0-9]+)*$/)
      .describe('a version such as "1.0"'),
    project_id: z.string().max(PROJECT_ID_MAX).regex(PROJECT_ID).transform(branded).describe(PROJECT_ID_RULE),
    project_name: z.string().min(1).describe("the project's name"),
    current_phase: z.enum(PHASES).describe(`one of ${PHASES.join(", ")}`),
    next_action: z.string().describe("the skill to run next"),
    files_to_load: z
      // An empty one is refused as a path, as blanks are, and costs no other.
      .array(z.string().meta({ minLength: 1, description: "a path relative to the project" }))
      .describe("a list of paths relative to the project"),
    last_updated: z
      .string()
      .regex(TIMESTAMP)
      .refine(isTimestamp)
      .describe("a real ISO 8601 time, with or without a zone"),
    current_section: count.optional().describe("the number of the phase in hand"),
    current_task: count.optional().describe("the number of the task in hand"),
    progress: z.string().optional().describe('a short text such as "14/40 tasks complete"'),
    session_id: z.string().optional().describe("a session's id"),
    session_ids: z.array(z.string()).optional().describe("a list of session ids"),
    total_tasks: count.optional().describe("a whole number"),
    tasks_completed: count.optional().describe("a whole number"),
    continue_at: z.string().optional().describe("a text"),
    blockers: z.array(z.string()).optional().describe("a list of texts"),
  })
  .describe("Front matter of resume-context.md: the files to load and where the work stands.");

export type Manifest = z.infer<typeof Manifest>;

export type ManifestKey = keyof typeof Manifest.shape;

/** Absent, they are asked for: `resume.update` writes them. */
export const RECOMMENDED_KEYS = [
  "current_section",
  "current_task",
  "progress",
] as const satisfies readonly ManifestKey[];

export function isManifestKey(key: string): key is ManifestKey {
  return Object.hasOwn(Manifest.shape, key);
}

/** What a value of that key has to be, as a phrase. */
export function expectedOf(key: ManifestKey): string {
  const { description } = Manifest.shape[key];
  invariant(description !== undefined, `${key} is described`);
  return description;
}

function branded(id: string): ProjectId {
  invariant(isProjectId(id), "the form of an id was looked at before");
  return id;
}
