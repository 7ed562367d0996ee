import { valueOr } from "../base/result.ts";
import type { RoleName } from "../lifecycle/role.ts";
import { listContextFiles, roleOfContextFile } from "../stores/context-file-store.ts";
import { listMachines } from "../stores/machine-store.ts";
import type { CommandContext } from "./command-context.ts";

/** Roles that have a context file or a machine, in byte order. */
export function knownRoles(context: CommandContext): readonly RoleName[] {
  const roles = new Set<RoleName>();
  for (const name of valueOr(listContextFiles(context.paths), [])) {
    const role = roleOfContextFile(name);
    if (role !== null) roles.add(role);
  }
  for (const role of valueOr(listMachines(context.paths), [])) roles.add(role);
  return [...roles].sort();
}
