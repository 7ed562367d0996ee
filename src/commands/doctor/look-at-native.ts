import { readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { valueOr } from "../../base/result.ts";
import type { DoctorFacts } from "../../doctor/facts.ts";
import { orNull } from "../../platform/fs-error.ts";
import { run } from "../../platform/run.ts";
import type { World } from "../../platform/world.ts";
import { listFolder } from "../../stores/list-folder.ts";
import type { CommandContext } from "../command-context.ts";

const NAME = /^context-([0-9a-f]{16})$/;

/** The native program beside the bundles of the program that looks, and whether it is of their build and runs. */
export async function lookAtNative({ env }: CommandContext, world: World): Promise<DoctorFacts["native"]> {
  const dist = folderOf(world.program);
  if (dist === null) return null;
  const builds = valueOr(listFolder(join(dist, "native")), []).flatMap((name) => NAME.exec(name)?.[1] ?? []);
  const wanted = orNull(() => readFileSync(join(dist, "bundle", "build-id"), "utf8").trim());
  const build = builds.find((each) => each === wanted) ?? builds[0];
  if (build === undefined) return null;
  const path = join(dist, "native", `context-${build}`);
  if (build !== wanted) return { path, problem: `is of another build, and this is ${wanted ?? "one without a name"}` };
  const { exitCode, stdout } = await run(path, ["--native-build"], { cwd: dist, env });
  return { path, problem: exitCode === 0 && stdout === `${build}\n` ? null : "does not run on this machine" };
}

/** `dist/` of the program's package; null where the program is not to be found. */
function folderOf(program: string): string | null {
  const real = orNull(() => realpathSync(program));
  return real === null ? null : join(dirname(dirname(real)), "dist");
}
