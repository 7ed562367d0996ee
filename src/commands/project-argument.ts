import { isProjectId, PROJECT_ID_RULE, type ProjectId } from "../base/project-id.ts";
import { err, ok, type Result } from "../base/result.ts";
import { suggest } from "../base/suggest.ts";
import type { Config } from "../config/config.ts";
import { shownPath } from "../stores/paths.ts";
import { listProjectIds, projectsFolder } from "../stores/project-store.ts";
import type { CommandContext } from "./command-context.ts";
import { lookedInto } from "./looked-into.ts";
import { failed, type Report, usage } from "./report.ts";

/** The project that a command is for: an id, or its number alone where one project has it. */
export function projectArgument(context: CommandContext, config: Config, argument: string): Result<ProjectId, Report> {
  const ids = listProjectIds(context.paths, config);
  const exact = ids.find((id) => id === argument);
  if (exact !== undefined) return ok(exact);
  const isNumber = /^[0-9]{1,10}$/.test(argument);
  const byNumber = isNumber ? numbered(ids, argument) : [];
  const [only] = byNumber;
  if (byNumber.length === 1 && only !== undefined) return ok(only);
  const folder = shownPath(context.paths, projectsFolder(context.paths, config));
  const near = suggest(argument, ids);
  const hint =
    near === null
      ? ids.length === 0
        ? lookedInto(context)
        : `Projects there: ${ids.join(", ")}.`
      : `Did you mean "${near}"?`;
  if (isNumber) {
    const many = byNumber.length > 1;
    const message = many ? `${byNumber.length} projects have` : `No project in ${folder} has`;
    const which = many ? `Name one of them: ${byNumber.join(", ")}.` : hint;
    return err(usage(`${message} the number ${argument}.`, which));
  }
  if (!isProjectId(argument)) {
    return err(usage(`${JSON.stringify(argument.slice(0, 80))} is no project id: ${PROJECT_ID_RULE}.`, hint));
  }
  return err(failed({ code: "project-missing", message: `${folder} has no project ${argument}.`, hint }));
}

/** Who says 7 means 07-demo, unless there is a 7-demo. */
function numbered(ids: readonly ProjectId[], number: string): readonly ProjectId[] {
  const same = ids.filter((id) => id.startsWith(`${number}-`));
  return same.length > 0 ? same : ids.filter((id) => Number(id.slice(0, id.indexOf("-"))) === Number(number));
}
