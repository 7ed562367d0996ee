import { processWorld } from "../process-world.ts";
import type { Output, World } from "../world.ts";
import "./host.ts";

export interface HeldWorld {
  readonly world: World;
  /** Writes what was held back, asks what the exit code is after that, and says how the process is to end. */
  readonly end: (codeOf: (real: World) => number) => void;
}

/** This process as a world whose output waits for the end: until then Node can still do the whole in its place. */
export function heldWorld(): HeldWorld {
  const real = processWorld();
  const held: (() => void)[] = [];
  const holding = (output: Output): Output => ({
    ...output,
    write: (text) => {
      held.push(() => output.write(text));
    },
  });
  const fault = (): never => host.handOver();
  return {
    world: { ...real, stdout: holding(real.stdout), stderr: holding(real.stderr), fault },
    end: (codeOf) => {
      for (const write of held) write();
      globalThis.exitCode = codeOf(real);
    },
  };
}
