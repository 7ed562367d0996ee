import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DEFAULT_CONFIG } from "../../src/config/default-config.ts";
import type { ProjectPaths } from "../../src/stores/paths.ts";

export const CONFIG = DEFAULT_CONFIG;

/** Writes a file of the project, with its folders; its whole path. */
export function put(paths: ProjectPaths, name: string, content: string | Uint8Array): string {
  const path = join(paths.root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}
