import { existsSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { isObject, parseJson } from "../../base/json-value.ts";
import { FIND_GLOBAL, FIND_NODE } from "../../install/find-node.ts";
import { isWrittenByUs } from "../../install/hook-scripts.ts";
import { placeInUserScript, USER_SCRIPT } from "../../install/user-script.ts";
import { findOnPath, isRunnable } from "../../platform/on-path.ts";
import { readText } from "../../platform/read-text.ts";
import { run } from "../../platform/run.ts";
import type { World } from "../../platform/world.ts";
import { readSetupFile, realPathOf, userHooks } from "../../stores/setup-file.ts";

/** How a hook finds this program. */
export interface ProgramPlace {
  /** Only `machine` needs a path that another machine does not have; hooks can do nothing with `none`. */
  readonly kind: "launcher" | "package" | "global" | "machine" | "none";
  readonly path: string;
  /** The end of a sentence. */
  readonly why: string;
}

export interface ProgramQuery {
  readonly world: World;
  /** Null for hooks of all projects: then nothing in a project counts. */
  readonly root: string | null;
  /** What this program answers to `--version`. */
  readonly version: string;
}

/** Where `npx`, `pnpm dlx`, `yarn dlx` and `bunx` put what they run once. */
const CACHE = /[\\/](?:_npx|pnpm[\\/]dlx|dlx-\d+|bunx-[^\\/]+)[\\/]/;

/** Where Yarn's Plug'n'Play leaves packages that do not ask to be unpacked, as this one does. */
const ARCHIVE = /\.zip[\\/]/;

/** Looks for the program in the order in which the hook scripts do. */
export async function findProgram({ world, root, version }: ProgramQuery): Promise<ProgramPlace> {
  const program = realPathOf(world.program) ?? world.program;
  const home = dirname(dirname(program));
  const launcher = join(home, "context");
  const own = isRunnable(launcher) ? launcher : program;
  const machine = (why: string): ProgramPlace => ({ kind: "machine", path: own, why });

  if (root !== null) {
    const inProject = join(root, "context");
    if (isRunnable(inProject)) {
      const real = realPathOf(inProject) ?? inProject;
      const ours = real === realPathOf(launcher) || isClone(dirname(real), version);
      if (!ours) return machine("./context in this project is another program");
      return { kind: "launcher", path: inProject, why: "the project holds the launcher ./context" };
    }
    const installed = join(root, "node_modules", ".bin", "context");
    const isPackage = existsSync(join(root, "node_modules", "agent-context", "package.json"));
    if (isRunnable(installed)) {
      if (!isPackage && realPathOf(installed) !== program) return machine("node_modules/.bin/context is another one");
      return { kind: "package", path: installed, why: "the project has the package agent-context" };
    }
  }
  if (CACHE.test(program)) return { kind: "none", path: program, why: "it runs from a cache that is emptied" };
  if (ARCHIVE.test(program))
    return { kind: "none", path: program, why: "Yarn alone starts it there; yarn unplug agent-context takes it out" };
  const onPath = findOnPath("context", world.env.PATH ?? "");
  if (onPath === null) {
    const found = await foundByHooks(world);
    if (found !== "" && realPathOf(found) === program)
      return { kind: "global", path: found, why: "npm installed it for all projects" };
    return machine("no program context is on the PATH");
  }
  const installed = home.split(sep).includes("node_modules");
  const same = realPathOf(onPath) === program || realPathOf(onPath) === realPathOf(launcher);
  // A package manager's own starter is no link to the program: only its answer tells.
  if (same || (installed && (await answers(onPath, version, world)))) {
    return { kind: "global", path: onPath, why: "context is on the PATH" };
  }
  return machine(`the context on the PATH is another one, ${onPath}`);
}

/**
 * The program that hooks of all projects start as they are set up: it stays theirs while it is there, whoever asks, which may be
 * a project's own. `other` is what they would be set up with anew.
 */
export async function programOfUser(world: World, other: ProgramPlace): Promise<ProgramPlace> {
  const { path: folder, root } = userHooks(world.env);
  const script = readSetupFile({ path: join(folder, USER_SCRIPT), root });
  const text = script.ok ? (script.value?.text ?? "") : "";
  const place = isWrittenByUs(text) ? placeInUserScript(text) : undefined;
  const why = "the script names it";
  if (place === null) {
    const path = findOnPath("context", world.env.PATH ?? "") ?? (await foundByHooks(world));
    return path === "" ? other : { kind: "global", path, why };
  }
  return place !== undefined && isRunnable(place) ? { kind: "machine", path: place, why } : other;
}

/**
 * Whether this program's package lies in a folder. What lies in a project is not asked by running it: it may have come with a
 * clone that nobody trusts yet.
 */
function isClone(folder: string, version: string): boolean {
  const file = readText(join(folder, "package.json"), PACKAGE_MAX_BYTES);
  const value = file.ok ? parseJson(file.value.text) : null;
  return isObject(value) && value.name === "agent-context" && value.version === version;
}

const PACKAGE_MAX_BYTES = 65_536;

/** What hook scripts find beside the versions of Node; empty where that is nothing. */
async function foundByHooks({ cwd, env }: World): Promise<string> {
  const asked = `${FIND_NODE}context=\n${FIND_GLOBAL}echo "$context"`;
  return (await run("/bin/sh", ["-c", asked], { cwd, env })).stdout.trim();
}

async function answers(file: string, version: string, { cwd, env }: World): Promise<boolean> {
  const { exitCode, stdout } = await run(file, ["--version"], { cwd, env });
  return exitCode === 0 && stdout.trim() === version;
}
