import { invariant } from "../../base/invariant.ts";
import type { CommandContext } from "../command-context.ts";
import { done, type Report } from "../report.ts";
import { roleArgument } from "../role-argument.ts";
import { step } from "./step.ts";

/** `lifecycle.init <role>`: a machine in `active`, unless there is one. */
export async function lifecycleInit(context: CommandContext, argument: string | undefined): Promise<Report> {
  const chosen = await roleArgument(context, argument);
  if (!chosen.ok) return chosen.error;
  const { role } = chosen.value;
  const result = await step(
    context,
    role,
    {
      by: "lifecycle.init",
      // Whoever sets a role up is not yet the one who works in it.
      sessionId: null,
      create: true,
      unstick: false,
      owner: "look",
      broken: "stop",
    },
    () => ({ events: [], value: null }),
  );
  if (!result.ok) return result.error;
  invariant(result.value !== null, "a step that creates has a machine");
  const { created, after, notes } = result.value;
  const text = created
    ? `${role}: active. The machine is created.\n`
    : `${role}: ${after.state}. The machine is already there; nothing is changed.\n`;
  return done(text, { role, state: after.state, created }, [...chosen.value.notes, ...notes]);
}
