import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DoctorFacts } from "../../doctor/facts.ts";
import { errnoOf } from "../../platform/fs-error.ts";
import { run } from "../../platform/run.ts";
import type { World } from "../../platform/world.ts";
import type { CommandContext } from "../command-context.ts";

const NAME = /^context-([0-9a-f]{16})$/;

/** The native program beside the bundles of the program that looks, and whether it is of their build and runs. */
export async function lookAtNative({ env }: CommandContext, world: World): Promise<DoctorFacts["native"]> {
  const dist = folderOf(world.program);
  if (dist === null) return null;
  const builds = readFolder(join(dist, "native")).flatMap((name) => NAME.exec(name)?.[1] ?? []);
  const wanted = readBuild(join(dist, "bundle", "build-id"));
  const build = builds.find((each) => each === wanted) ?? builds[0];
  if (build === undefined) return null;
  const path = join(dist, "native", `context-${build}`);
  if (build !== wanted) return { path, problem: `is of another build, and this is ${wanted ?? "one without a name"}` };
  const { exitCode, stdout } = await run(path, ["--native-build"], { cwd: dist, env });
  return { path, problem: exitCode === 0 && stdout === `${build}\n` ? null : "does not run on this machine" };
}

/** `dist/` of the program's package; null where the program is not to be found. */
function folderOf(program: string): string | null {
  try {
    return join(dirname(dirname(realpathSync(program))), "dist");
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return null;
  }
}

function readFolder(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return [];
  }
}

function readBuild(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return null;
  }
}
