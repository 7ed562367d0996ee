import { existsSync } from "node:fs";
import type { RoleName } from "../lifecycle/role.ts";
import { inRoot, type ProjectPaths, skillPaths } from "./paths.ts";

/** Where the role's instructions for the agent are, relative to the root; where they are expected if they are nowhere. */
export function skillPath(paths: ProjectPaths, role: RoleName): string {
  const [own, client] = skillPaths(role);
  return !existsSync(inRoot(paths, own)) && existsSync(inRoot(paths, client)) ? client : own;
}
