import { mark, NUMBERS } from "../platform/file-marks.ts";
import { type ProjectPaths, roleFiles } from "./paths.ts";

/** What the files of roles were known by, looked at before any of them was read. */
export interface RoleMarks {
  /** Role by role, of its machine and then of its context file. */
  readonly values: Float64Array;
  /** Numbers of each role: half as many where the context files were left alone. */
  readonly stride: number;
}

/** Numbers of a role whose files were both looked at. */
export const BOTH = 2 * NUMBERS;

/** Looks at the machines of roles, and at their context files too unless they are left alone. */
export function markRoles(paths: ProjectPaths, roles: readonly string[], contextFiles: boolean): RoleMarks {
  const stride = contextFiles ? BOTH : NUMBERS;
  const values = new Float64Array(roles.length * stride);
  const files = roleFiles(paths);
  for (let index = 0; index < roles.length; index++) {
    const role = roles[index];
    if (role === undefined) break;
    mark(files.machine(role), values, index * stride);
    if (contextFiles) mark(files.context(role), values, index * stride + NUMBERS);
  }
  return { values, stride };
}

/** Whether the files of all the roles are what they were; looks no further than the first that is not. */
export function rolesUnchanged(paths: ProjectPaths, roles: readonly string[], before: RoleMarks): boolean {
  const { values, stride } = before;
  if (values.length !== roles.length * stride) return false;
  const files = roleFiles(paths);
  const now = new Float64Array(stride);
  for (let index = 0; index < roles.length; index++) {
    const role = roles[index];
    if (role === undefined) return false;
    mark(files.machine(role), now, 0);
    if (stride === BOTH) mark(files.context(role), now, NUMBERS);
    const first = index * stride;
    for (let at = 0; at < stride; at++) if (now[at] !== values[first + at]) return false;
  }
  return true;
}
