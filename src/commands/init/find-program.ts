import { existsSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { findOnPath, isRunnable } from "../../platform/on-path.ts";
import { run } from "../../platform/run.ts";
import type { World } from "../../platform/world.ts";
import { realPathOf } from "../../stores/setup-file.ts";

/** How a hook finds this program. */
export interface ProgramPlace {
  /** Only `machine` needs a path that another machine does not have; a `cache` will not be there for long. */
  readonly kind: "launcher" | "package" | "global" | "machine" | "cache";
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
      const ours = realPathOf(inProject) === realPathOf(launcher) || (await answers(inProject, version, root, world));
      if (!ours) return machine("./context in this project is another program");
      return { kind: "launcher", path: inProject, why: "the project holds the launcher ./context" };
    }
    const installed = join(root, "node_modules", ".bin", "context");
    const isPackage = existsSync(join(root, "node_modules", "agent-context", "package.json"));
    if (isRunnable(installed)) {
      const ours = isPackage || realPathOf(installed) === program || (await answers(installed, version, root, world));
      if (!ours) return machine("node_modules/.bin/context is another one");
      return { kind: "package", path: installed, why: "the project has the package agent-context" };
    }
  }
  if (CACHE.test(program)) return { kind: "cache", path: program, why: "it runs from a cache that is emptied" };
  const onPath = findOnPath("context", world.env.PATH ?? "");
  if (onPath === null) return machine("no program context is on the PATH");
  const installed = home.split(sep).includes("node_modules");
  const same = realPathOf(onPath) === program || realPathOf(onPath) === realPathOf(launcher);
  // A package manager's own starter is no link to the program: only its answer tells.
  if (same || (installed && (await answers(onPath, version, world.cwd, world)))) {
    return { kind: "global", path: onPath, why: "context is on the PATH" };
  }
  return machine(`the context on the PATH is another one, ${onPath}`);
}

async function answers(file: string, version: string, cwd: string, world: World): Promise<boolean> {
  const { exitCode, stdout } = await run(file, ["--version"], { cwd, env: world.env });
  return exitCode === 0 && stdout.trim() === version;
}
