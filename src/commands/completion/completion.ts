import { dirname, join } from "node:path";
import { suggest } from "../../base/suggest.ts";
import { isRunnable } from "../../platform/on-path.ts";
import { loadConfig } from "../../stores/config-store.ts";
import { listProjectIds } from "../../stores/project-store.ts";
import type { CommandContext } from "../command-context.ts";
import { knownRoles } from "../known-roles.ts";
import { done, type Report, usage } from "../report.ts";
import { bashCompletion } from "./bash.ts";
import { fishCompletion } from "./fish.ts";
import { type CompletionTable, SHELLS, type Shell } from "./table.ts";
import { zshCompletion } from "./zsh.ts";

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } satisfies Record<
  Shell,
  (table: CompletionTable, program: string) => string
>;

/** `completion <shell>`: its script. The scripts ask for `roles` and `projects` in the same way. */
export async function completion(context: CommandContext, table: CompletionTable, what: string): Promise<Report> {
  const shell = SHELLS.find((name) => name === what);
  if (shell !== undefined) {
    const script = SCRIPTS[shell](table, programOf(context));
    return done(script, { shell, script });
  }
  if (what === "roles") return names(knownRoles(context));
  if (what === "projects") return names(listProjectIds(context.paths, (await loadConfig(context.paths)).value));
  const near = suggest(what, SHELLS);
  const hint = near === null ? "Expected bash, zsh or fish." : `Did you mean "${near}"?`;
  return usage(`${JSON.stringify(what.slice(0, 80))} is no shell that has a completion.`, hint);
}

/** What the script starts wherever it is used; where that is gone, the one on the PATH. */
function programOf({ installation }: CommandContext): string {
  const launcher = join(dirname(dirname(installation)), "context");
  return isRunnable(launcher) ? launcher : installation;
}

function names(list: readonly string[]): Report {
  return done(list.map((name) => `${name}\n`).join(""), { names: list });
}
