import type { RoleName } from "../lifecycle/role.ts";
import { listContextFiles, roleOfContextFile } from "../stores/context-file-store.ts";
import { listMachines } from "../stores/machine-store.ts";
import type { CommandContext } from "./command-context.ts";

/** Roles that have a context file or a machine, in byte order. */
export function knownRoles(context: CommandContext): readonly RoleName[] {
  const roles = new Set<RoleName>();
  const files = listContextFiles(context.paths);
  for (const name of files.ok ? files.value : []) {
    const role = roleOfContextFile(name);
    if (role !== null) roles.add(role);
  }
  const machines = listMachines(context.paths);
  for (const role of machines.ok ? machines.value : []) roles.add(role);
  return [...roles].sort();
}
