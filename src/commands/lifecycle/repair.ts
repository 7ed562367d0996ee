import type { RoleName } from "../../lifecycle/role.ts";
import { stuckReason } from "../../lifecycle/stuck.ts";
import { type CommandContext, sessionOf } from "../command-context.ts";
import { done, type Report } from "../report.ts";
import { forRole, noMachine, type RoleInput } from "../role-argument.ts";
import { ownerLife } from "./owner-life.ts";
import { step } from "./step.ts";

/** `lifecycle.repair [role]`: a role that is stuck, or whose state cannot be read, back to `active`; any other one stays as it is. */
export function lifecycleRepair(context: CommandContext, input: RoleInput): Promise<Report> {
  return forRole(context, input.role, (role) => repairRole(context, role, input.takeOver));
}

async function repairRole(context: CommandContext, role: RoleName, takeOver: boolean): Promise<Report> {
  const result = await step(
    context,
    role,
    {
      by: "lifecycle.repair",
      sessionId: sessionOf(context),
      create: false,
      unstick: false,
      owner: takeOver ? "take-over" : "look",
      broken: "restart-always",
    },
    (record) => {
      const stuck = stuckReason(record, context.now(), ownerLife(record)) !== null;
      return { events: stuck ? ["RECOVERED"] : [], value: stuck };
    },
  );
  if (!result.ok) return result.error;
  if (result.value === null) return noMachine(context, role);
  const { created, before, after, notes, value: stuck } = result.value;
  // Nothing is made where there is no file, so a machine that is new replaces one that could not be read.
  const from = created ? null : before.state;
  const data = { role, from, state: after.state, repaired: created || stuck };
  if (created) return done(`${role}: unreadable -> ${after.state}\n`, data, notes);
  if (!stuck) return done(`${role}: ${after.state}. It is not stuck; nothing is changed.\n`, data, notes);
  return done(`${role}: ${from} -> ${after.state}. It was stuck since ${before.since}.\n`, data, notes);
}
