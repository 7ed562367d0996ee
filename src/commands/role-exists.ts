import { existsSync } from "node:fs";
import type { RoleName } from "../lifecycle/role.ts";
import { contextFilePath, machinePath, type ProjectPaths } from "../stores/paths.ts";

/** Whether the role has a context file or a machine. */
export function roleExists(paths: ProjectPaths, role: RoleName): boolean {
  return existsSync(contextFilePath(paths, role)) || existsSync(machinePath(paths, role));
}
