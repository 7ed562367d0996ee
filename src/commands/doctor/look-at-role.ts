import type { DoctorFacts, SettingsLevel } from "../../doctor/facts.ts";
import { parseRole } from "../../lifecycle/role.ts";
import { isFolder } from "../../platform/stat-of.ts";
import { contextFilePath, shownPath } from "../../stores/paths.ts";
import type { CommandContext } from "../command-context.ts";
import { knownRoles } from "../known-roles.ts";
import { lostContextHint } from "../lost-context.ts";
import { roleExists } from "../role-exists.ts";
import { projectOfRole } from "../role-roots.ts";

/** What is wrong with the role that the hooks are told; null where they are told none, or one that is there. `levels` are those that the client takes. */
export async function lookAtRole(
  context: CommandContext,
  levels: readonly SettingsLevel[],
): Promise<DoctorFacts["role"]> {
  const { paths, env } = context;
  const name = env.HIVEMIND_ROLE || null;
  // Where nothing is set up for roles, a variable of the user's is for other projects.
  if (name === null || !isFolder(paths.agents)) return null;
  const file = levels.findLast((level) => level.env.HIVEMIND_ROLE !== undefined)?.shown ?? null;
  const parsed = parseRole(name, knownRoles(context));
  if (!parsed.ok) return { file, ...parsed.error };
  const role = parsed.value;
  if (roleExists(paths, role) || projectOfRole(context) !== null) return null;
  const path = shownPath(paths, contextFilePath(paths, role));
  const hint = await lostContextHint(context, { role, path, missing: true, isKnown: false });
  return { file, message: `The role ${role} has no context file: a start has nothing to give it.`, hint };
}
