import type { Engine, StormOptions } from "./storm.ts";

/** Where one storm takes place, and what has to be taken down after it. */
export interface Place {
  readonly options: Pick<
    StormOptions,
    "root" | "store" | "engines" | "kills" | "oneName" | "clocks" | "weather" | "calm"
  >;
  readonly end: () => Promise<void> | void;
}

export interface Ground {
  readonly node: Engine;
  /** Null where it was not built. */
  readonly native: Engine | null;
}
