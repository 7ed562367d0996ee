import type { RoleName } from "../../lifecycle/role.ts";
import type { MachineRecord } from "../../lifecycle/snapshot.ts";
import { readMachine } from "../../stores/machine-store.ts";
import type { CommandContext } from "../command-context.ts";
import { ownerPlace } from "../owner-place.ts";
import { isLeftCompacting } from "./owner-life.ts";
import { type Ownership, ownership, takeOverCommand } from "./ownership.ts";
import { HOOK_WAIT_MS, step } from "./step.ts";

export interface Succession {
  /** A line each. */
  readonly notes: readonly string[];
  /** A sentence where the role is another session's; null where it is not. */
  readonly mismatch: string | null;
}

const NOTHING: Succession = { notes: [], mismatch: null };

/**
 * A session begins: where it is certainly the successor of the role's owner (after `/clear`, `/branch` or a resumption in
 * the same client), the role is its own from now on. Returns what deserves a line, the owner of a role that is another's
 * among it. A role without a machine is left as it is, and one without an owner stays nobody's.
 */
export async function succeedOwner(
  context: CommandContext,
  role: RoleName,
  start: { readonly sessionId: string | null; readonly source: string },
): Promise<Succession> {
  const { sessionId, source } = start;
  if (sessionId === null) return NOTHING;
  // Most starts change nothing: they pay for no lock.
  const seen = readMachine(context.paths, role);
  if (seen.ok) {
    if (seen.value === null) return NOTHING;
    const { record } = seen.value;
    const planned = plan(context, record, sessionId, source);
    const isLeft = source !== "compact" && isLeftCompacting(record, context.now());
    if (planned.ok && planned.value.facts === null && (!isLeft || planned.value.foreign !== null))
      return told(planned.value);
  } else if (seen.error.problem !== "unreachable" || source === "compact") {
    // Out of reach, it is noted; a compaction keeps the session, and has a note of its own.
    return NOTHING;
  }
  const result = await step(
    context,
    role,
    {
      by: "session-start",
      sessionId,
      source,
      create: false,
      // From now on the owner's client runs: that the one which compacted is gone could be told no more.
      unstick: source === "compact" ? false : "compaction",
      owner: "look",
      broken: "stop",
      waitMs: HOOK_WAIT_MS,
    },
    () => ({ events: [], value: null }),
  );
  if (result.ok) return { notes: result.value?.notes ?? [], mismatch: null };
  return { notes: [`The owner of ${role} was not changed: ${result.error.problem.message}`], mismatch: null };
}

/** Whose the role is, as `succeedOwner` would find it: a sentence where it is another session's and stays so. */
export function ownerMismatch(
  context: CommandContext,
  role: RoleName,
  { sessionId, source }: { readonly sessionId: string | null; readonly source: string },
): string | null {
  const seen = sessionId === null ? null : readMachine(context.paths, role);
  if (sessionId === null || seen === null || !seen.ok || seen.value === null) return null;
  const planned = plan(context, seen.value.record, sessionId, source);
  return planned.ok ? told(planned.value).mismatch : null;
}

function plan(context: CommandContext, record: MachineRecord, sessionId: string, source: string) {
  const place = ownerPlace(context);
  const takeOver = () => takeOverCommand(context, record.role);
  return ownership(record, { sessionId, place, source, policy: "look", takeOver, now: context.now() });
}

function told({ notes, foreign }: Ownership): Succession {
  return { notes, mismatch: foreign === null ? null : notes.join(" ") };
}
