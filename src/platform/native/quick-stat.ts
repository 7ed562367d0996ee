import { statSync } from "node:fs";

export const quickStat: typeof import("../quick-stat.ts").quickStat = (path) =>
  statSync(path, { throwIfNoEntry: false });

export const isFile: typeof import("../quick-stat.ts").isFile = ({ mode }) => (mode & 0o170000) === 0o100000;
