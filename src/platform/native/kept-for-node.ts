import { ownProcess } from "../process-identity.ts";
import "./host.ts";

/**
 * In place of `../kept-for-node.ts`: what was done must not be done again by Node, which begins the command anew. At once,
 * since after a crash nothing more is asked.
 */
export const keepForNode: typeof import("../kept-for-node.ts").keepForNode = (text) => {
  const { pid, started } = ownProcess();
  host.keep("CONTEXT_KEPT_FOR_NODE", `${pid}/${started ?? ""} ${text()}`);
};

/** Nothing is handed over to this one. */
export const keptForNode: typeof import("../kept-for-node.ts").keptForNode = () => null;
