import type { RoleName } from "../../lifecycle/role.ts";
import type { CommandContext } from "../command-context.ts";
import { conflictText, identityConflict } from "../identity.ts";
import { ownerMismatch, succeedOwner } from "./succeed.ts";

/** Who a session is, as its start hook finds it. */
export interface SessionIdentity {
  /** The role to go on with; null where the terminal pane says another one, and nothing may be done to either. */
  readonly role: RoleName | null;
  /** A line each, for stderr. */
  readonly notes: readonly string[];
  /** What of it the agent must know before it does anything: the role is another session's, or another agent's. */
  readonly mismatch: string | null;
}

/** A session of `HIVEMIND_ROLE` begins: the role is checked against the pane, and passed on from its own predecessor. */
export async function beginSession(
  context: CommandContext,
  role: RoleName,
  start: { readonly sessionId: string | null; readonly source: string },
): Promise<SessionIdentity> {
  const mismatch = await paneMismatch(context, role);
  if (mismatch !== null) return { role: null, notes: [mismatch], mismatch };
  return { role, ...(await succeedOwner(context, role, start)) };
}

/** The same for one of the hook commands that come after the first: it changes nothing, and has no line for stderr. */
export async function lookAtSession(
  context: CommandContext,
  role: RoleName,
  start: { readonly sessionId: string | null; readonly source: string },
): Promise<SessionIdentity> {
  const mismatch = await paneMismatch(context, role);
  if (mismatch !== null) return { role: null, notes: [], mismatch };
  return { role, notes: [], mismatch: ownerMismatch(context, role, start) };
}

async function paneMismatch(context: CommandContext, role: RoleName): Promise<string | null> {
  const conflict = context.env.TMUX_PANE ? await identityConflict(context, role) : null;
  if (conflict === null) return null;
  const way = "The role of neither is taken: unset HIVEMIND_ROLE here, or set it to the role of this pane.";
  return `${conflictText(role, conflict)} ${way}`;
}
