import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ProjectId } from "../base/project-id.ts";
import type { Config } from "../config/config.ts";
import { UNSEEN } from "../gate/coverage.ts";
import type { Purpose, Required } from "../gate/state.ts";
import type { RoleName } from "../lifecycle/role.ts";
import { realPathInside } from "../platform/contain.ts";
import { isFolder } from "../platform/stat-of.ts";
import { fileKeys } from "../stores/gate-keys.ts";
import { lookAtFile } from "../stores/listed-file.ts";
import { findManifest } from "../stores/manifest-store.ts";
import { contextFilePath, inRoot } from "../stores/paths.ts";
import { projectFolder } from "../stores/project-store.ts";
import { skillPath } from "../stores/role-skill.ts";
import type { CommandContext } from "./command-context.ts";

/** Absolute paths of what a role reads after a compaction: its context file, its skill, the architecture; what is there of them. */
export function roleReading(context: CommandContext, role: RoleName, architecture: string): readonly string[] {
  const { paths } = context;
  return [contextFilePath(paths, role), inRoot(paths, skillPath(paths, role)), inRoot(paths, architecture)].filter(
    // Nobody can read a folder.
    (path) => realPathInside(paths.root, path) !== null && existsSync(path) && !isFolder(path),
  );
}

/** Absolute paths of a manifest's `files_to_load` that can be read; none where there is no manifest. */
export async function projectReading(
  context: CommandContext,
  config: Config,
  id: ProjectId,
): Promise<readonly string[]> {
  const found = findManifest(context.paths, config, id);
  if (!found.ok || found.value === null) return [];
  const { file, legacy } = found.value;
  const { startManifest } = await import("../resume/parse-manifest.ts");
  const read = startManifest(file.text, legacy);
  const folder = projectFolder(context.paths, config, id);
  return (read?.files_to_load ?? []).flatMap((listed) => {
    const { state, path } = lookAtFile(context.paths, config, id, listed);
    return state === "present" && path !== null ? [join(folder, path)] : [];
  });
}

/** Each file once, under its key, with what it is for. */
export function requiredFiles(
  context: CommandContext,
  wanted: Readonly<Record<Purpose, readonly string[]>>,
): readonly (Required & { readonly absolutePath: string })[] {
  const keyOf = fileKeys(context.paths, context.env);
  const files = new Map<string, Required & { readonly absolutePath: string }>();
  for (const purpose of ["role", "project"] as const) {
    for (const absolutePath of wanted[purpose]) {
      const path = keyOf(absolutePath, null);
      const known = files.get(path);
      const purposes = known === undefined ? [purpose] : [...new Set([...known.purposes, purpose])];
      files.set(path, {
        path,
        absolutePath: known?.absolutePath ?? absolutePath,
        purposes,
        given: UNSEEN,
        read: UNSEEN,
      });
    }
  }
  return [...files.values()];
}
