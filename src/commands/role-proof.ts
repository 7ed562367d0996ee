import { filesWithSeen } from "../gate/state.ts";
import { type Proof, proofOf } from "../gate/verdict.ts";
import type { MachineRecord } from "../lifecycle/snapshot.ts";
import { type ListedState, lastGateState, listGateStates } from "../stores/gate-store.ts";
import type { CommandContext } from "./command-context.ts";
import { seenSince } from "./seen-since.ts";

/** What is known of a role's recovery from its last compaction. */
export interface RoleProof extends Proof {
  readonly compactedAt: string;
  readonly sessionId: string;
}

/** Made once for many roles: what the sessions of the project have read is listed once. Null for a role without a compaction. */
export function roleProofs(
  context: CommandContext,
): (role: string, record: Pick<MachineRecord, "state"> | null) => RoleProof | null {
  let states: readonly ListedState[] | null = null;
  return (role, record) => {
    states ??= listGateStates(context.paths);
    const state = lastGateState(states, role);
    const required = state?.required.filter(({ purposes }) => purposes.includes("role")) ?? [];
    if (state === null || required.length === 0) return null;
    // Only who has not proved it yet may have read more than was ticked off: a look into the transcript of each would cost.
    const seen =
      record?.state === "recovering" && state.transcriptPath !== null
        ? seenSince(context, state.transcriptPath, state.transcriptBytes, "window")
        : null;
    const proof = proofOf(seen === null ? required : seen.shown.reduce(filesWithSeen, required));
    return { ...proof, compactedAt: state.compactedAt, sessionId: state.sessionId };
  };
}

/** `partial 2/3`, with how many of the required files were read. */
export function proofText({ verdict, files, missing }: Proof): string {
  return `${verdict} ${files.length - missing.length}/${files.length}`;
}
