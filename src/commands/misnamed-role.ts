import { parseRole } from "../lifecycle/role.ts";
import type { CommandContext } from "./command-context.ts";
import { knownRoles } from "./known-roles.ts";

/** What an agent is told whose `HIVEMIND_ROLE` is no role's name: what is wrong with it, which roles there are, and how it gets its memory. */
export function misnamedRole(context: CommandContext, name: string): string {
  const known = knownRoles(context);
  const parsed = parseRole(name, known);
  const why = parsed.ok ? "" : `${parsed.error.message} ${parsed.error.hint}`;
  const there = known.length === 0 ? "" : ` Roles that exist: ${known.slice(0, MOST_NAMED).join(", ")}.`;
  return `HIVEMIND_ROLE: ${why}${there} The agent names its role in full: ${context.invokedAs} recover <role>`;
}

/** A sentence among others, not a list. */
const MOST_NAMED = 8;
