import { beforeEach, expect, test } from "vitest";
import { entry } from "../../src/cli/entries/lifecycle-wait.ts";
import type { Invocation } from "../../src/cli/invocation.ts";
import type { Output, World } from "../../src/platform/world.ts";
import { remove } from "../platform/scripts.ts";
import { NOW, project, role, stepOnward } from "../stores/projects.ts";

let root = "";
beforeEach(() => {
  const paths = project();
  root = paths.root;
  stepOnward(paths, role());
  return () => remove(root);
});

/** `lifecycle.wait`, and a signal that comes when the answer is being printed. */
async function waitFor(state: string): Promise<number | undefined> {
  const quiet: Output = { write: () => undefined, isTerminal: () => false, isGone: () => false, failure: () => null };
  const interrupts: Output = { ...quiet, write: () => void process.emit("SIGTERM") };
  const place = { argv: [], program: "/context", interpreter: process.execPath, env: {}, cwd: root, now: () => NOW };
  const world: World = { ...place, stdout: interrupts, stderr: quiet };
  const globals = { root, json: true, quiet: false, verbose: false, color: false };
  const options = { for: state, timeout: "0" };
  const invocation: Invocation = { command: "lifecycle.wait", positionals: [role()], options, globals };
  return entry["lifecycle.wait"]?.(world, invocation);
}

test("who was told that the state is reached does not hear of a signal that comes then", async () => {
  expect(await waitFor("saving")).toBe(0);
});

test("any other answer gives way to the signal", async () => {
  expect(await waitFor("saved")).toBe(143);
});
