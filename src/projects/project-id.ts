import { isProjectId, PROJECT_ID_RULE, type ProjectId } from "../base/project-id.ts";
import { err, ok, type Result } from "../base/result.ts";
import { suggest } from "../base/suggest.ts";

export interface ProjectIdError {
  readonly message: string;
  readonly hint: string;
}

const SHOWN = 80;

/** Checks a project's id; `known` are projects that exist, for the suggestion. */
export function parseProjectId(name: string, known: Iterable<string> = []): Result<ProjectId, ProjectIdError> {
  if (isProjectId(name)) return ok(name);
  const near = nearest(name.slice(0, SHOWN), [...known]);
  const shown = JSON.stringify(name.length > SHOWN ? `${name.slice(0, SHOWN - 3)}...` : name);
  return err({
    message: `Project ${shown} is not a project id.`,
    hint: `A project id is ${PROJECT_ID_RULE}.${near === null ? "" : ` Did you mean "${near}"?`}`,
  });
}

/** `24`, `demo` and `24 Demo` are meant as `24-demo` where only one project fits. */
function nearest(name: string, known: readonly string[]): string | null {
  const wanted = folded(name);
  if (wanted === "") return null;
  const fitting = known.filter((id) => {
    const candidate = folded(id);
    return candidate === wanted || candidate.startsWith(`${wanted}-`) || candidate.endsWith(`-${wanted}`);
  });
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return only;
  return suggest(name, known) ?? (isProjectId(wanted) ? wanted : null);
}

function folded(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
