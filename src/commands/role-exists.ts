import { existsSync } from "node:fs";
import type { RoleName } from "../lifecycle/role.ts";
import { contextFilePath, machinePath, type ProjectPaths } from "../stores/paths.ts";

/** Whether the role has a context file or a machine. */
export function roleExists(paths: ProjectPaths, role: RoleName): boolean {
  if (existsSync(contextFilePath(paths, role))) return true;
  if (paths.shared === undefined) return existsSync(machinePath(paths, role));
  const machine = paths.shared.read(role);
  return machine.ok && machine.value !== null;
}
