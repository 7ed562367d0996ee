import * as z from "zod";
import { LIFECYCLE_EVENTS, LIFECYCLE_STATES } from "./states.ts";

const State = z.enum(LIFECYCLE_STATES);
const Event = z.enum(LIFECYCLE_EVENTS);
const Text = z.string().nullable();
const Count = z.number().int().nonnegative();

const Owner = z
  .object({
    session_id: z.string(),
    since: Text,
    alive: z.boolean().nullable().describe("whether the owner's client still runs; null where that is not known"),
    pid: Count.nullable(),
    host: Text,
    pane: Text.describe("tmux's number of the pane, such as %4"),
  })
  .describe("the session that the role belongs to");

const Recovery = z
  .object({
    verdict: z.enum(["verified", "partial", "ignored"]),
    required: Count,
    missing: z.array(z.string()),
    session_id: z.string(),
    compacted_at: z.string(),
  })
  .describe("what was read since the last compaction; absent where none is known");

const UnsavedWork = z
  .object({
    files: z
      .array(z.string())
      .nullable()
      .describe("changed after the save, the newest first; null where it is not known"),
    complete: z.boolean(),
    why: z.enum(["no-save", "no-owner", "no-transcript"]).nullable().describe("why it is not known"),
  })
  .describe("only with --unsaved");

const ContextFile = z
  .object({
    path: z.string(),
    health: z.enum(["valid", "invalid", "missing", "unreadable"]),
    errors: Count.nullable(),
    warnings: Count.nullable(),
    changed_since_save: z.boolean(),
    updated: Text,
    pane: Text,
  })
  .describe("absent with --brief");

const Role = z.object({
  role: z.string(),
  state: State.nullable().describe("null where the machine is missing or cannot be read"),
  since: Text,
  previous: State.nullable(),
  event: Event.nullable(),
  revision: Count.nullable(),
  stuck: z.boolean(),
  stuck_reason: z.enum(["too-long", "owner-gone"]).nullable(),
  stuck_because: Text,
  way_out: Text.describe("the command that frees it, behind the program's name"),
  compactions: Count.nullable().describe(
    "those that began, each once; of one whose beginning was not reported, the end",
  ),
  unsaved: z.boolean().nullable().describe("the last compaction began before a good save"),
  session_id: Text,
  owned_since: Text,
  owner: Owner.nullable(),
  saved_at: Text,
  recovered_at: Text,
  problem: Text,
  recovery: Recovery.optional(),
  unsaved_work: UnsavedWork.optional(),
  context: ContextFile.optional(),
});

/** What `lifecycle.status --json` prints. */
const LifecycleStatus = z.object({
  schema_version: z.literal(1),
  ok: z.boolean(),
  error: z.object({ code: z.string(), message: z.string(), hint: Text }).optional(),
  root: z.string().optional(),
  roles: z.array(Role).optional(),
  hidden: Count.optional().describe("roles that --filter left out"),
  notes: z.array(z.string()).optional(),
});

/** A line of `lifecycle.status --watch --json`. */
const LifecycleTransition = z.object({
  schema_version: z.literal(1),
  role: z.string(),
  from: State.nullable().describe("null: the role had no machine"),
  to: State.nullable().describe("null: the machine is gone"),
  event: Event.nullable().describe("null where the history has no line for it"),
  revision: Count,
  time: Text,
  by: Text,
  session_id: Text,
});

/** The JSON Schema (draft 2020-12) of what `lifecycle.status --json` prints. */
export function lifecycleStatusJsonSchema(): object {
  return { title: "lifecycle.status --json", ...z.toJSONSchema(LifecycleStatus) };
}

/** The JSON Schema (draft 2020-12) of a line that `lifecycle.status --watch --json` prints. */
export function lifecycleTransitionJsonSchema(): object {
  return { title: "lifecycle.status --watch --json", ...z.toJSONSchema(LifecycleTransition) };
}
