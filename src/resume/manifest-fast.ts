import { type FrontMatterValue, scanFrontMatter, splitFrontMatter, yamlHazard } from "../base/frontmatter.ts";
import { isProjectId, type ProjectId } from "../base/project-id.ts";
import { type ManifestPhase, PHASES } from "./phases.ts";
import { isTimestamp } from "./timestamp.ts";

/** What a start needs of a manifest. A whole `Manifest` fits. */
export interface ManifestCore {
  readonly project_id: ProjectId;
  readonly project_name: string;
  readonly current_phase: ManifestPhase;
  readonly next_action: string;
  readonly files_to_load: readonly string[];
  readonly last_updated: string;
  readonly current_section?: number | undefined;
  readonly current_task?: number | undefined;
}

/**
 * The manifest where it is written plainly and nothing in these keys is amiss, as most are; null for any other, which
 * `parseManifest` reads. Loads neither a YAML parser nor a schema library, which a hook would pay for at every start.
 */
export function readManifestFast(text: string): ManifestCore | null {
  const parts = splitFrontMatter(text);
  const values = parts.kind === "found" && yamlHazard(parts.raw) === null ? scanFrontMatter(parts.raw) : null;
  if (values === null) return null;
  const id = values.get("project_id");
  const name = values.get("project_name");
  const phase = PHASES.find((candidate) => candidate === values.get("current_phase"));
  const action = values.get("next_action");
  const files = textsOf(values.get("files_to_load"));
  const updated = values.get("last_updated");
  const section = countOf(values.get("current_section"));
  const task = countOf(values.get("current_task"));
  const version = values.get("resume_schema_version");
  if (typeof version !== "string" || !/^[0-9]+(?:\.[0-9]+)*$/.test(version)) return null;
  if (typeof id !== "string" || !isProjectId(id) || typeof name !== "string" || name === "") return null;
  if (phase === undefined || typeof action !== "string" || files === null) return null;
  if (typeof updated !== "string" || !isTimestamp(updated) || section === null || task === null) return null;
  return {
    project_id: id,
    project_name: name,
    current_phase: phase,
    next_action: action,
    files_to_load: files,
    last_updated: updated,
    ...(section === undefined ? {} : { current_section: section }),
    ...(task === undefined ? {} : { current_task: task }),
  };
}

function textsOf(value: FrontMatterValue | undefined): readonly string[] | null {
  if (!Array.isArray(value)) return null;
  const texts: string[] = [];
  for (const item of value) {
    if (typeof item !== "string" || item === "") return null;
    texts.push(item);
  }
  return texts;
}

/** Undefined where it is absent, null where it is no count. */
function countOf(value: FrontMatterValue | undefined): number | undefined | null {
  if (value === undefined) return undefined;
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
