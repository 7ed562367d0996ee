import type { RoleName } from "../../lifecycle/role.ts";
import { type CommandContext, sessionOf } from "../command-context.ts";
import { done, type Report } from "../report.ts";
import { forRole, noMachine, type RoleInput } from "../role-argument.ts";
import { step } from "./step.ts";

/** `lifecycle.recover [role]`: from any state, and from a file that says none, to `active`. */
export function lifecycleRecover(context: CommandContext, input: RoleInput): Promise<Report> {
  return forRole(context, input.role, (role) => recoverRole(context, role, input.takeOver));
}

async function recoverRole(context: CommandContext, role: RoleName, takeOver: boolean): Promise<Report> {
  const result = await step(
    context,
    role,
    {
      by: "lifecycle.recover",
      sessionId: sessionOf(context),
      create: false,
      unstick: "say",
      owner: takeOver ? "take-over" : "look",
      broken: "restart-always",
    },
    () => ({ events: ["RECOVERED"], value: null }),
  );
  if (!result.ok) return result.error;
  if (result.value === null) return noMachine(context, role);
  const { created, before, after, notes } = result.value;
  // Nothing is made where there is no file, so a machine that is new replaces one that could not be read.
  const from = created ? null : before.state;
  return done(
    `${role}: ${from ?? "unreadable"} -> ${after.state}\n`,
    { role, from, state: after.state, revision: after.revision },
    notes,
  );
}
