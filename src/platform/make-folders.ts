import { accessSync, existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { errnoOf } from "./fs-error.ts";
import { giveFolderToOwner } from "./give-to-owner.ts";

/**
 * Makes a folder, with those above it; throws where it cannot be made, or where something else has its name. Not by Node's
 * `recursive`: in Node 20 that goes on for ever where the system says ENOENT in a folder that exists, as in /proc.
 */
export function makeFolders(path: string, mode = 0o777): void {
  // There where `path` is a folder, and only there.
  const inside = `${path}/.`;
  for (let hasParent = dirname(path) === path; !existsSync(inside); hasParent = true) {
    try {
      mkdirSync(path, { mode });
      giveFolderToOwner(path);
    } catch (error) {
      const code = errnoOf(error);
      if (code === "ENOENT" && !hasParent) makeFolders(dirname(path), mode);
      // Another process made it meanwhile, unless this says what is wrong with it.
      else if (code === "EEXIST") accessSync(inside);
      else throw error;
    }
  }
}
