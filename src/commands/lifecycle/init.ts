import { invariant } from "../../base/invariant.ts";
import { printableLine } from "../../base/printable.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import { stuckReason } from "../../lifecycle/stuck.ts";
import { readMachine } from "../../stores/machine-store.ts";
import { type CommandContext, sessionOf } from "../command-context.ts";
import { isOwnRole } from "../identity.ts";
import { ownerPlace } from "../owner-place.ts";
import { done, type Report } from "../report.ts";
import { forRole } from "../role-argument.ts";
import { ownerLife } from "./owner-life.ts";
import type { OwnerFacts } from "./ownership.ts";
import { step } from "./step.ts";

/**
 * `lifecycle.init <role>`: a machine in `active`, unless there is one. Where this process certainly is the role's own, the
 * machine is its session's from the start; whoever sets other roles up does not become theirs.
 */
export function lifecycleInit(context: CommandContext, argument: string | undefined): Promise<Report> {
  return forRole(context, argument, (role) => initRole(context, role));
}

async function initRole(context: CommandContext, role: RoleName): Promise<Report> {
  const there = readMachine(context.paths, role);
  const isNew = there.ok && there.value === null;
  const owner = isNew && (await isOwnRole(context, role)) ? ownerHere(context) : null;
  const result = await step(
    context,
    role,
    {
      by: "lifecycle.init",
      sessionId: null,
      create: true,
      unstick: false,
      owner: "look",
      broken: "stop",
    },
    (record) => ({
      events: [],
      value: stuckReason(record, context.now(), ownerLife(record)) !== null,
      ...(owner === null ? {} : { facts: owner }),
    }),
  );
  if (!result.ok) return result.error;
  invariant(result.value !== null, "a step that creates has a machine");
  const { created, after, value: stuck } = result.value;
  const text = created
    ? `${role}: active. The machine is created${owner === null ? "" : whose(owner)}.\n`
    : `${role}: ${after.state}${stuck ? " (stuck)" : ""}. The machine is already there; nothing is changed.\n`;
  const { sessionId, ownerPane } = after;
  const data = { role, state: after.state, created, session_id: sessionId, pane: ownerPane?.split("@")[0] ?? null };
  const wayOut = `${role} is stuck in "${after.state}" since ${after.since}; ${context.invokedAs} lifecycle.repair ${role} frees it.`;
  return done(text, data, stuck ? [...result.value.notes, wayOut] : result.value.notes);
}

function ownerHere(context: CommandContext): OwnerFacts {
  const sessionId = sessionOf(context);
  const { process, pane } = ownerPlace(context);
  const ownedSince = sessionId === null ? null : context.now().toISOString();
  return { sessionId, ownedSince, ownerProcess: process, ownerPane: pane, ownerBefore: null };
}

/** ` for session 5e55 in pane %4`; nothing of what is not known. */
function whose({ sessionId, ownerPane }: OwnerFacts): string {
  const session = sessionId === null ? "" : ` for session ${printableLine(sessionId)}`;
  return ownerPane === null ? session : `${session} in pane ${ownerPane.split("@")[0]}`;
}
