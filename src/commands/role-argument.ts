import { err, ok, type Result } from "../base/result.ts";
import { suggest } from "../base/suggest.ts";
import { parseRole, type RoleName } from "../lifecycle/role.ts";
import { projectAbove } from "../stores/project-above.ts";
import type { CommandContext } from "./command-context.ts";
import { conflictText, identityConflict } from "./identity.ts";
import { knownRoles } from "./known-roles.ts";
import { lookedForRoles, lookedInto, rootOption } from "./looked-into.ts";
import { type FailedReport, failed, type Report, usage } from "./report.ts";

/** What every command is given that moves one role's machine. */
export interface RoleInput {
  readonly role: string | undefined;
  readonly takeOver: boolean;
}

export interface ChosenRole {
  readonly role: RoleName;
  /** Said on stderr where the role was not named in the command. */
  readonly notes: readonly string[];
}

/** The role that a command is for: its argument, else `HIVEMIND_ROLE`; a report where it is neither, or not to be trusted. */
export async function roleArgument(
  context: CommandContext,
  argument: string | undefined,
): Promise<Result<ChosenRole, Report>> {
  const name = argument ?? (context.env.HIVEMIND_ROLE || undefined);
  if (name === undefined) {
    // An agent that has forgotten everything has forgotten its role too.
    const known = listOfRoles(knownRoles(context));
    const hint = `Name the role: it is the first argument.${known === "" ? ` ${lookedForRoles(context)}` : ` Roles that exist: ${known}.`}`;
    return err(usage("No role is named and HIVEMIND_ROLE is not set.", hint));
  }
  const parsed = checkRole(context, name, argument === undefined ? " It comes from HIVEMIND_ROLE." : "");
  if (!parsed.ok) return parsed;
  if (argument !== undefined) return ok({ role: parsed.value, notes: [] });
  const conflict = await identityConflict(context, parsed.value);
  if (conflict !== null) {
    return err(
      failed({
        code: "role-conflict",
        message: conflictText(parsed.value, conflict),
        hint: "Name the role that you are: it is the first argument.",
      }),
    );
  }
  return ok({ role: parsed.value, notes: [`Role ${parsed.value}, from HIVEMIND_ROLE.`] });
}

/** Runs a command for its role. However it ends, it says where the role came from: a refusal may be about another's role. */
export async function forRole(
  context: CommandContext,
  argument: string | undefined,
  command: (role: RoleName) => Report | Promise<Report>,
): Promise<Report> {
  const chosen = await roleArgument(context, argument);
  if (!chosen.ok) return chosen.error;
  const report = await command(chosen.value.role);
  return { ...report, notes: [...chosen.value.notes, ...report.notes] };
}

/** `said` is a sentence about where the name comes from, where that is no argument. */
export function checkRole(context: CommandContext, name: string, said = ""): Result<RoleName, FailedReport> {
  const parsed = parseRole(name);
  if (parsed.ok) return parsed;
  // Only a name that is refused pays for listing the folders.
  const again = parseRole(name, knownRoles(context));
  const { message, hint } = again.ok ? { message: "", hint: "" } : again.error;
  return err(usage(`${message}${said}`, hint));
}

/** The way out where a role is not there: the role that was probably meant, and how this one is made. */
export function absentRoleHint(context: CommandContext, role: RoleName, make: "new" | "lifecycle.init"): string {
  const above = projectAbove(context.paths.root, role);
  // To make it anew would hide what the role wrote down.
  if (above !== null) return `The project that this one belongs to has it: add ${rootOption(above)} to the command.`;
  // A save of a new role has made its machine by now.
  const known = knownRoles(context).filter((name) => name !== role);
  const near = suggest(role, known);
  const how = `it: ${context.invokedAs} ${make} ${role}.`;
  if (near !== null) return `Did you mean "${near}"? Otherwise ${make === "new" ? "write" : "create"} ${how}`;
  const where = known.length === 0 ? `${lookedInto(context)} ` : "";
  return `${where}${make === "new" ? "Write" : "Create"} ${how}`;
}

/** The report of a command that needs the role's machine, where there is none. */
export function noMachine(context: CommandContext, role: RoleName, data: Record<string, unknown> = {}): FailedReport {
  const hint = absentRoleHint(context, role, "lifecycle.init");
  return failed({ code: "no-machine", message: `${role} has no machine.`, hint }, { data });
}

/** A sentence holds a screen's worth of names. */
const MOST_NAMED = 40;

function listOfRoles(roles: readonly RoleName[]): string {
  const more = roles.length - MOST_NAMED;
  return more > 0 ? `${roles.slice(0, MOST_NAMED).join(", ")} and ${more} more` : roles.join(", ");
}
