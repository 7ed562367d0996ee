import { heldWorld } from "../platform/native/held-world.ts";
import { splitCommand } from "./invocation.ts";
import { codeOfWritten } from "./lost-output.ts";
import { main } from "./main.ts";

/** A hash of the bundles, put in by the build. */
declare const BUILD_ID: string;

/** What the native program runs; see `platform/native/`. */
async function run(): Promise<void> {
  const { world, end } = heldWorld();
  const code = await main({ ...world, build: BUILD_ID });
  const isHook = splitCommand(world.argv)?.spec.hookAnswer !== undefined;
  end((real) => (isHook ? code : codeOfWritten(real, code)));
}

void run();
