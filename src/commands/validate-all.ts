import { join } from "node:path";
import { printableLine } from "../base/printable.ts";
import { valueOr } from "../base/result.ts";
import { parseContextFile } from "../context-file/parse.ts";
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
  const strays = names.value.filter((name) => roleOfContextFile(name) === null);
  const roleIn = (stray: string): string | null => {
    const file = read(stray);
    return file.ok ? (parseContextFile(file.value.text).data.role?.name ?? null) : null;
  };
  return { ...report, notes: [...report.notes, ...strayNotes(strays, names.value, roleIn)] };
}

/** What to do about files whose name is no role's: a role is asked for by its own name, and `Tester.context.md` is nobody's. */
function strayNotes(
  strays: readonly string[],
  names: readonly string[],
  roleIn: (stray: string) => string | null,
): readonly string[] {
  const copies = new Map<string, string[]>();
  const others: string[] = [];
  for (const stray of strays) {
    const own = names.find((name) => isCopyOf(stray, name, roleIn));
    const found = own === undefined ? others : (copies.get(own) ?? []);
    found.push(printableLine(stray));
    if (own !== undefined) copies.set(own, found);
  }
  return [
    ...[...copies].map(([own, found]) => {
      const [it, copy] = found.length === 1 ? ["it", "it is a copy"] : ["them", "they are copies"];
      return `Bring what is new in ${found.join(", ")} over into ${own}, then delete ${it}: ${copy}, as a sync makes one, and no role reads ${it}.`;
    }),
    ...(others.length === 0 ? [] : [`Rename ${others.join(", ")}: no role can have that name, and none reads it.`]),
  ];
}

/** What stands behind a role's name in that of a copy: `tester (1).context.md`, `tester.sync-conflict-….context.md`. */
const COPY = /^(?: |\.sync-conflict-)/;
/** With a host's name, `tester-DESKTOP-1.context.md`. A person may have meant a role by it, as by `api-V2`: the text says whose it is. */
const OF_HOST = /^-[A-Z][A-Z0-9-]+\./;

function isCopyOf(stray: string, name: string, roleIn: (stray: string) => string | null): boolean {
  const role = roleOfContextFile(name);
  if (role === null || !stray.startsWith(role)) return false;
  const behind = stray.slice(role.length);
  return COPY.test(behind) || (OF_HOST.test(behind) && roleIn(stray) === role);
}
