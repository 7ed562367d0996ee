import { chmodSync } from "node:fs";
import { expect } from "vitest";
import { MACHINES, type Workspace } from "./workspace.ts";

/** What `lifecycle.save` leaves of a role, by its path: it names no place, so that one save serves for many projects. */
const saved = new Map<string, ReadonlyMap<string, string>>();

/** A role with a valid context file, as the first save leaves it; its times are those of the first project that asked. */
export function saveRole(workspace: Workspace, role = "oosh-expert"): void {
  workspace.role(role);
  const files = saved.get(role);
  if (files === undefined) {
    expect(workspace.list(MACHINES)).toEqual([]);
    expect(workspace.context(["lifecycle.save", role])).toMatchObject({ code: 0 });
    const paths = workspace.list(MACHINES).map((name) => `${MACHINES}/${name}`);
    saved.set(role, new Map(paths.map((path) => [path, workspace.read(path)])));
    return;
  }
  for (const [path, text] of files) chmodSync(workspace.write(path, text), 0o600);
  chmodSync(workspace.path(MACHINES), 0o700);
}
