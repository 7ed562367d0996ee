/** In place of `../optimiser.ts`: the engine makes no code faster while it runs. */
export const setOptimising: typeof import("../optimiser.ts").setOptimising = () => false;

export const withoutOptimising: typeof import("../optimiser.ts").withoutOptimising = (work) => work();

export const stopOptimising: typeof import("../optimiser.ts").stopOptimising = () => {};

export const goOnOptimising: typeof import("../optimiser.ts").goOnOptimising = () => {};

export const optimising: typeof import("../optimiser.ts").optimising = (load) => load();
