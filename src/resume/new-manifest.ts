import { defaultFiles } from "./default-files.ts";
import { DEFAULT_GATE } from "./gate.ts";
import { RESUME_SCHEMA_VERSION } from "./manifest.ts";
import type { ManifestValues } from "./manifest-values.ts";
import { writeScalar } from "./yaml-scalar.ts";

export interface NewManifest {
  /** The project's folder, which is its id. */
  readonly folderName: string;
  readonly name: string;
  /** Relative to the project, with `/`. */
  readonly existingFiles: readonly string[];
  /** What the steps say; empty where there are none. */
  readonly values: ManifestValues;
  /** ISO 8601. */
  readonly now: string;
}

/** A whole manifest for a project that has none: its planning files are the ones to load, and the usual gate asks for them. */
export function newManifest({ folderName, name, existingFiles, values, now }: NewManifest): string {
  const quoted = (text: string): string => writeScalar(text, "double");
  const { current_section, current_task, progress } = values;
  const lines = [
    "---",
    `resume_schema_version: ${quoted(RESUME_SCHEMA_VERSION)}`,
    `last_updated: ${quoted(now)}`,
    `project_id: ${quoted(folderName)}`,
    `project_name: ${quoted(name)}`,
    `current_phase: ${values.current_phase ?? "planning"}`,
    `next_action: ${values.next_action ?? "plan-project"}`,
    "files_to_load:",
    ...defaultFiles(existingFiles).map((file) => `  - ${writeScalar(file, "plain")}`),
    ...(current_section === undefined ? [] : [`current_section: ${current_section}`]),
    ...(current_task === undefined ? [] : [`current_task: ${current_task}`]),
    ...(progress === undefined ? [] : [`progress: ${quoted(progress)}`]),
    "---",
    "",
  ];
  return `${lines.join("\n")}\n${DEFAULT_GATE}`;
}
