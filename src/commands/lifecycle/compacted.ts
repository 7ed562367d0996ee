import type { RoleName } from "../../lifecycle/role.ts";
import type { CommandContext } from "../command-context.ts";
import { HOOK_WAIT_MS, step, unchangedNote } from "./step.ts";

/** The client reports that a compaction is over: the role is recovering, from whatever state. Returns what deserves a line. */
export async function markCompacted(
  context: CommandContext,
  role: RoleName,
  sessionId: string | null,
): Promise<readonly string[]> {
  const result = await step(
    context,
    role,
    {
      by: "session-start",
      sessionId,
      create: true,
      // However long the compaction took, it did end.
      unstick: false,
      owner: "note",
      broken: "restart",
      waitMs: HOOK_WAIT_MS,
    },
    () => ({ events: ["COMPACTED"], value: null }),
  );
  return result.ok ? (result.value?.notes ?? []) : [unchangedNote(role, result.error)];
}
