import { statSync } from "node:fs";
import "./host.ts";
import { Stats } from "./stats.ts";

/** What cannot be looked at is told about by `statSync`. */
export const quickStat: typeof import("../quick-stat.ts").quickStat = (path) => {
  const found = path.includes("\0") ? 0 : host.stat(path, true);
  return typeof found === "number" ? statSync(path, { throwIfNoEntry: false }) : new Stats(found);
};

export const isFile: typeof import("../quick-stat.ts").isFile = ({ mode }) => (mode & 0o170000) === 0o100000;
