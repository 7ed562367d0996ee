import type { RoleName } from "../../lifecycle/role.ts";
import { readMachine } from "../../stores/machine-store.ts";
import type { CommandContext } from "../command-context.ts";
import { ownerPlace } from "../owner-place.ts";
import { ownership } from "./ownership.ts";
import { step } from "./step.ts";

/** A hook does not make its client wait for another process. */
const HOOK_WAIT_MS = 400;

/**
 * A session begins: where it is certainly the successor of the role's owner (after `/clear`, `/branch` or a resumption in
 * the same client), the role is its own from now on. Returns what deserves a line, the owner of a role that is another's
 * among it. A role without a machine or an owner is left as it is.
 */
export async function succeedOwner(
  context: CommandContext,
  role: RoleName,
  start: { readonly sessionId: string | null; readonly source: string },
): Promise<readonly string[]> {
  const { sessionId, source } = start;
  if (sessionId === null) return [];
  // Most starts change nothing: they pay for no lock.
  const seen = readMachine(context.paths, role);
  if (seen.ok) {
    if (seen.value === null) return [];
    const place = ownerPlace(context);
    const claim = { sessionId, place, source, policy: "look", now: context.now() } as const;
    const planned = ownership(seen.value.record, claim);
    if (planned.ok && planned.value.facts === null) return planned.value.notes;
  } else if (seen.error.problem !== "unreachable" || source === "compact") {
    // Out of reach, it is noted; a compaction keeps the session, and has a note of its own.
    return [];
  }
  const result = await step(
    context,
    role,
    {
      by: "session-start",
      sessionId,
      source,
      create: false,
      unstick: false,
      owner: "look",
      broken: "stop",
      waitMs: HOOK_WAIT_MS,
    },
    () => ({ events: [], value: null }),
  );
  if (result.ok) return result.value?.notes ?? [];
  return [`The owner of ${role} was not changed: ${result.error.problem?.message ?? "unknown reason"}`];
}
