import { paneRole } from "../lifecycle/pane-registry.ts";
import { isRoleName, type RoleName } from "../lifecycle/role.ts";
import { readText } from "../platform/read-text.ts";
import { ownPane, type TmuxPane } from "../platform/tmux.ts";
import type { CommandContext } from "./command-context.ts";
import { roleExists } from "./role-exists.ts";

export interface IdentityConflict {
  readonly role: string;
  /** Who says so, as the subject of a sentence. */
  readonly source: string;
}

const REGISTRY_MAX_BYTES = 1024 * 1024;

/**
 * Whether the terminal pane knows this agent under another role than the inherited `HIVEMIND_ROLE`: a tmux server hands
 * its own environment to every pane, so the variable alone can be another agent's.
 */
export async function identityConflict(context: CommandContext, role: RoleName): Promise<IdentityConflict | null> {
  if (!isInTmux(context)) return null;
  const pane = await ownPane(context.env);
  return pane === null ? null : paneConflict(context, role, pane);
}

/** Whether this process certainly is the role's own: its environment or its pane says so, and neither says otherwise. */
export async function isOwnRole(context: CommandContext, role: RoleName): Promise<boolean> {
  const inherited = context.env.HIVEMIND_ROLE || null;
  if (inherited !== null && inherited !== role) return false;
  const pane = isInTmux(context) ? await ownPane(context.env) : null;
  if (pane === null) return inherited !== null;
  if (paneConflict(context, role, pane) !== null) return false;
  return inherited !== null || pane.role === role || registeredRole(context, pane) === role;
}

function isInTmux({ env }: CommandContext): boolean {
  return Boolean(env.TMUX_PANE) && Boolean(env.TMUX);
}

function paneConflict(context: CommandContext, role: RoleName, pane: TmuxPane): IdentityConflict | null {
  if (pane.role !== null && pane.role !== role)
    return { role: pane.role, source: `the option @role of pane ${pane.address}` };
  const registered = registeredRole(context, pane);
  if (registered !== null) {
    return registered === role
      ? null
      : { role: registered, source: `${context.env.HIVEMIND_ROLES_FILE} for pane ${pane.address}` };
  }
  // A title is free text, and the client writes there too: it counts where it is exactly a role that exists.
  const { title } = pane;
  if (pane.role !== null || title === null || title === role || !isRoleName(title)) return null;
  return roleExists(context.paths, title) ? { role: title, source: `the title of pane ${pane.address}` } : null;
}

function registeredRole({ env }: CommandContext, pane: TmuxPane): string | null {
  const registry = env.HIVEMIND_ROLES_FILE ? readText(env.HIVEMIND_ROLES_FILE, REGISTRY_MAX_BYTES) : null;
  return registry?.ok ? paneRole(registry.value.text, pane.address) : null;
}

/** The conflict as a sentence that names both. */
export function conflictText(role: RoleName, { role: other, source }: IdentityConflict): string {
  return `HIVEMIND_ROLE says "${role}", ${source} says "${other}".`;
}
