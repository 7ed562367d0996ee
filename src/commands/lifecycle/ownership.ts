import { isoText } from "../../base/iso-text.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import type { MachineRecord } from "../../lifecycle/snapshot.ts";
import type { CommandContext } from "../command-context.ts";
import { isSameProcess, type OwnerPlace } from "../owner-place.ts";
import { type FailedReport, failed } from "../report.ts";
import { ownerLife } from "./owner-life.ts";

/** What to do where the recorded owner is another session. `look` also leaves a role without an owner as it is. */
export type OwnerPolicy = "refuse" | "note" | "look" | "take-over";

export interface Claim {
  readonly sessionId: string | null;
  readonly place: OwnerPlace;
  /** How the client says that the session began (`clear`, `resume`, …); null in everything but its start hook. */
  readonly source: string | null;
  readonly policy: OwnerPolicy;
  /** The command by which this session takes the role, made where it is told: most steps tell nothing. */
  readonly takeOver: () => string;
  readonly now: Date;
}

/** Whose the role is, and where that session runs. */
export type OwnerFacts = Pick<MachineRecord, "sessionId" | "ownedSince" | "ownerProcess" | "ownerPane" | "ownerBefore">;

export interface Ownership {
  /** What to record; null where the owner stays as it is. */
  readonly facts: OwnerFacts | null;
  readonly notes: readonly string[];
  /** The session that owns the role, where it is not the one that asks. */
  readonly foreign: string | null;
}

/** The command that takes a role over, as a shell in the project's root runs it. */
export function takeOverCommand({ invokedAs }: Pick<CommandContext, "invokedAs">, role: RoleName): string {
  return `${invokedAs} lifecycle.save ${role} --take-over`;
}

/** A role belongs to the session that saved it first; another gets it as that one's successor, or by asking for it by name. */
export function ownership(record: MachineRecord, claim: Claim): Result<Ownership, FailedReport> {
  const { sessionId, place, policy } = claim;
  if (sessionId === null) return ok({ facts: null, notes: [], foreign: null });
  if (record.sessionId === sessionId) return ok({ facts: movedPlace(record, place), notes: [], foreign: null });
  const facts: OwnerFacts = {
    sessionId,
    ownedSince: isoText(claim.now),
    ownerProcess: place.process,
    ownerPane: place.pane,
    ownerBefore: null,
  };
  if (record.sessionId === null) return ok({ facts: policy === "look" ? null : facts, notes: [], foreign: null });
  const owner = `session ${record.sessionId}${record.ownedSince === null ? "" : ` since ${record.ownedSince}`}`;
  const proof = policy === "take-over" ? null : succession(record, { ...claim, sessionId });
  if (policy === "take-over" || proof !== null) {
    const why = proof === null ? "" : `, ${proof}`;
    const note = `${record.role} was owned by ${owner}${why}; session ${sessionId} takes it over.`;
    return ok({
      facts: { ...facts, ownerBefore: proof === null ? null : record.sessionId },
      notes: [note],
      foreign: null,
    });
  }
  const mismatch = `${record.role} is owned by ${owner}; this is session ${sessionId}.`;
  switch (policy) {
    case "note":
    case "look": {
      const notes = [`${mismatch} If the role is yours, run ${claim.takeOver()}; if it is not, leave it alone.`];
      return ok({ facts: null, notes, foreign: record.sessionId });
    }
    case "refuse": {
      const hint = "Use the role that is yours, or take this one with --take-over.";
      return err(failed({ code: "owned-by-another", message: mismatch, hint }));
    }
    default:
      return policy satisfies never;
  }
}

/** A session that goes on elsewhere: resumed in another pane, or by a client that was started anew. */
function movedPlace(record: MachineRecord, place: OwnerPlace): OwnerFacts | null {
  const ownerProcess = place.process ?? record.ownerProcess;
  const ownerPane = place.pane ?? record.ownerPane;
  if (ownerProcess === record.ownerProcess && ownerPane === record.ownerPane) return null;
  const { sessionId, ownedSince, ownerBefore } = record;
  return { sessionId, ownedSince, ownerProcess, ownerPane, ownerBefore };
}

/** Starts by which a client goes on as another session. A compaction keeps the session, and a plain start is anybody's. */
const CONTINUING: ReadonlySet<string> = new Set(["clear", "resume", "fork"]);

/**
 * Why a session is certainly the owner's successor, as the end of a sentence; null where that is not proved.
 *
 * A client runs one session at a time, so another one in the same process comes after the owner. Where no process is on
 * record, the same pane has to do, and only at a start that continues something: a client that runs inside another one's
 * shell has the same pane. An owner that has handed the role on does not get it back by itself: if both were at work,
 * the role would go to and fro.
 */
function succession(record: MachineRecord, claim: Claim & { readonly sessionId: string }): string | null {
  const { place, source } = claim;
  if (ownerLife(record) === "ended") return "whose client has ended";
  const continues = source !== null && CONTINUING.has(source);
  if (isSameProcess(record.ownerProcess, place.process)) {
    return continues || record.ownerBefore !== claim.sessionId ? "in the same client" : null;
  }
  const samePane = record.ownerProcess === null && record.ownerPane !== null && record.ownerPane === place.pane;
  return samePane && continues ? "in the same pane" : null;
}
