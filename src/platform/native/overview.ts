import type { FrontMatterValue } from "../../base/frontmatter.ts";
import {
  lastUpdated as lastByTypeScript,
  normalStatus,
  parseOverview as parseByTypeScript,
} from "../../projects/overview.ts";
import "./host.ts";

export type { Overview, ReadYaml } from "../../projects/overview.ts";
export { normalStatus, projectStatus } from "../../projects/overview.ts";

const KEYS = ["id", "project_id", "name", "project_name", "title", "status", "description", "created"];

/** In place of those in `src/projects/overview.ts`: see `quick-texts.c`. */
export const parseOverview: typeof parseByTypeScript = (text, readYaml = null) => {
  const values = host.quick?.frontValues(text, KEYS) ?? null;
  const name = values === null ? null : (words(values[2]) ?? words(values[3]) ?? words(values[4]));
  // Without a name the first heading is looked for.
  if (values === null || name === null) return parseByTypeScript(text, readYaml);
  const status = words(values[5]);
  return {
    id: words(values[0]) ?? words(values[1]),
    name,
    status: status === null ? null : normalStatus(status),
    description: words(values[6]),
    created: words(values[7]),
    fault: null,
  };
};

function words(value: FrontMatterValue | undefined): string | null {
  if (typeof value === "string") return value.trim() || null;
  return typeof value === "number" ? String(value) : null;
}

const UPDATED = ["last_updated"];

export const lastUpdated: typeof lastByTypeScript = (manifest, readYaml) => {
  const values = host.quick?.frontValues(manifest, UPDATED) ?? null;
  if (values === null) return lastByTypeScript(manifest, readYaml);
  const [value] = values;
  return typeof value === "string" ? value : null;
};
