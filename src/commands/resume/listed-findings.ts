import { posix } from "node:path";
import type { Diagnostic } from "../../base/diagnostic.ts";
import type { ProjectId } from "../../base/project-id.ts";
import { suggest } from "../../base/suggest.ts";
import type { Config } from "../../config/config.ts";
import { listedPaths } from "../../resume/listed-paths.ts";
import { shownValue } from "../../resume/manifest-finding.ts";
import { type ListedFile, lookAtFile } from "../../stores/listed-file.ts";
import { listProjectFiles } from "../../stores/project-store.ts";
import type { CommandContext } from "../command-context.ts";

/** A warning for each listed file that an agent could not load, with the place in the manifest. */
export function listedFindings(
  { paths }: CommandContext,
  config: Config,
  id: ProjectId,
  text: string,
): readonly Diagnostic[] {
  let there: readonly string[] | null = null;
  return listedPaths(text).flatMap(({ listed, start, end }): Diagnostic[] => {
    const file = lookAtFile(paths, config, id, listed);
    if (file.state === "present") return [];
    there ??= listProjectFiles(paths, config, id);
    const message = `${shownValue(listed)} ${file.reason ?? "does not exist"}: it is not loaded.`;
    return [{ code: "manifest-file", severity: "warning", message, start, end, hint: wayOut(file, there) }];
  });
}

function wayOut(file: ListedFile, there: readonly string[]): string {
  if (file.state === "missing" && /[*?]/.test(file.listed))
    return "Name each file: a pattern is taken for a file's name.";
  const inside = file.state === "unreadable" ? there.find((name) => name.startsWith(`${file.path}/`)) : undefined;
  if (inside !== undefined) return `Name the files in it, such as ${inside}.`;
  const near = file.state === "missing" ? nearest(file, there) : null;
  return near === null ? "Name a text of the project, or take it out of the list." : `Did you mean ${near}?`;
}

/** The file of that name in another folder, where there is one; else one that is written nearly so. */
function nearest({ path }: ListedFile, there: readonly string[]): string | null {
  if (path === null) return null;
  const name = posix.basename(path).toLowerCase().replace(/#.*/, "").slice(0, 200);
  const moved = there.find((file) => posix.basename(file).toLowerCase() === name);
  // With a folder's long name before them any two names are near each other: these have to be so alone.
  const near = there.slice(0, 500).filter((file) => suggest(name, [posix.basename(file)]) !== null);
  return moved ?? suggest(path.slice(0, 200), near);
}
