import { existsSync } from "node:fs";
import type { World } from "../platform/world.ts";
import { configPath, shownPath } from "../stores/paths.ts";
import { findRoot } from "../stores/root.ts";
import { isElsewhere, storePlace } from "../stores/store-place.ts";
import type { CommandContext } from "./command-context.ts";

/** What `--verbose` tells of a run before its result: what this program took for granted, and why. A line each. */
export function sayMore(context: CommandContext, world: World, root: string | undefined): readonly string[] {
  const { env, cwd, program } = world;
  const found = findRoot({ option: root, env, cwd, hook: false });
  return [
    `project: ${context.paths.root}${found.ok ? ` (${found.value.why})` : ""}`,
    `settings: ${existsSync(configPath(context.paths)) ? "context.yaml" : "the defaults, there is no context.yaml"}`,
    `machines: ${machinesPlace(context)}`,
    `program: ${program}, called as ${context.invokedAs}, under ${world.system ?? "an unknown system"}`,
  ];
}

/** A store's address without its user and password. */
function machinesPlace({ env, paths }: CommandContext): string {
  if (!isElsewhere(env))
    return `${shownPath(paths, paths.machines)}${env.CONFIG_PATH ? " (named by CONFIG_PATH)" : ""}`;
  const place = storePlace(env.CONTEXT_STORE ?? "");
  return place.ok ? `${place.value.shown} (named by CONTEXT_STORE)` : "CONTEXT_STORE, which names none";
}
