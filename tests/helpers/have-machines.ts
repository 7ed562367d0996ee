import { chmodSync } from "node:fs";
import { expect } from "vitest";
import { MACHINES, type Workspace } from "./workspace.ts";

/** What commands left where machines are kept, by a name for what they did. */
const left = new Map<string, readonly (readonly [path: string, text: string])[]>();

/**
 * Has a project without machines those that `make` makes with the program: made once, and copied after that, with the times of
 * the first. They name no place.
 */
export function haveMachines(workspace: Workspace, name: string, make: () => void): void {
  const files = left.get(name);
  if (files !== undefined) {
    for (const [path, text] of files) chmodSync(workspace.write(path, text), 0o600);
    chmodSync(workspace.path(MACHINES), 0o700);
    return;
  }
  expect(workspace.list(MACHINES)).toEqual([]);
  make();
  const paths = workspace.list(MACHINES).map((file) => `${MACHINES}/${file}`);
  left.set(
    name,
    paths.map((path) => [path, workspace.read(path)]),
  );
}

/** A role with a valid context file, as the first save leaves it. */
export function saveRole(workspace: Workspace, role = "oosh-expert"): void {
  workspace.role(role);
  haveMachines(workspace, `saved ${role}`, () => {
    expect(workspace.context(["lifecycle.save", role])).toMatchObject({ code: 0 });
  });
}
