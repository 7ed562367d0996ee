import "./host.ts";

/** In place of `../sleep.ts`: the engine has no thread whose waiting another one ends. */
export const sleepSync: typeof import("../sleep.ts").sleepSync = (milliseconds) => host.sleep(milliseconds);
