import { join } from "node:path";
import { printableLine } from "../base/printable.ts";
import { valueOr } from "../base/result.ts";
import { contextFileReader, listContextFiles, roleOfContextFile } from "../stores/context-file-store.ts";
import { listMachines } from "../stores/machine-store.ts";
import { shownPath } from "../stores/paths.ts";
import type { CommandContext } from "./command-context.ts";
import { folderUnreadable } from "./folder-unreadable.ts";
import { lookedForRoles } from "./looked-into.ts";
import { done, type Report } from "./report.ts";
import { lastRecovery, validateFile } from "./validate.ts";
import { validationReport } from "./validation-report.ts";

export interface ValidateAllInput {
  readonly fix: boolean;
  readonly strict: boolean;
}

/** `validate.all`: every context file of the project. */
export function validateAll(context: CommandContext, input: ValidateAllInput): Report {
  const folder = shownPath(context.paths, context.paths.agents);
  const names = listContextFiles(context.paths);
  if (!names.ok) return folderUnreadable(context.paths, names.error);
  if (names.value.length === 0)
    return done(`No context files in ${folder}.\n`, { files: [], invalid: 0, errors: 0, warnings: 0 }, [
      lookedForRoles(context),
    ]);
  const read = contextFileReader(context.paths);
  const withMachine = new Set<string>(valueOr(listMachines(context.paths), []));
  const results = names.value.map((name) => {
    const path = join(context.paths.agents, name);
    const role = roleOfContextFile(name);
    const recovered = role !== null && withMachine.has(role) ? lastRecovery(context, role) : null;
    return validateFile(context, path, read(name), role, recovered, input.fix);
  });
  const validateAll = `${context.invokedAs} validate.all${input.strict ? " --strict" : ""}`;
  const ways = { again: validateAll, fix: `${validateAll} --fix`, anew: null };
  const report = validationReport(results, input.strict, { ways, verdictOf: null });
  const strays = names.value.filter((name) => roleOfContextFile(name) === null).map(printableLine);
  if (strays.length === 0) return report;
  // `Tester.context.md` is nobody's: a role is asked for by its own name.
  return {
    ...report,
    notes: [...report.notes, `Rename ${strays.join(", ")}: no role can have that name, and none reads it.`],
  };
}
