import { heldWorld } from "../platform/native/world.ts";
import { main } from "./main.ts";

/** A hash of the bundles, put in by the build. */
declare const BUILD_ID: string;

/** What the native program runs; see `platform/native/`. */
async function run(): Promise<void> {
  const { world, end } = heldWorld();
  end(await main({ ...world, build: BUILD_ID }));
}

void run();
