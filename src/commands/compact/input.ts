import { parseDuration } from "../../base/duration.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { askFault } from "../../config/ask-fault.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import { contextFilePath, shownPath } from "../../stores/paths.ts";
import type { CommandContext } from "../command-context.ts";
import { failed, type Report, usage } from "../report.ts";

export interface CompactInput {
  readonly role: string | undefined;
  /** `%4` or `session:window.pane`. */
  readonly pane: string | undefined;
  /** Of the tmux server, where it is not the one that tmux itself would take. */
  readonly socket: string | undefined;
  readonly saveTimeout: string | undefined;
  readonly compactTimeout: string | undefined;
  /** Ask for a save although the role is saved. */
  readonly ask: boolean;
  readonly dryRun: boolean;
  readonly anyScreen: boolean;
  readonly leaveCopyMode: boolean;
}

export interface Limits {
  readonly saveMs: number;
  readonly compactMs: number;
}

/** As long as `saving` may last before it is stuck. */
const SAVE_TIMEOUT = "10m";
/** A summary of a full context takes a model two to three minutes; the end of its turn comes before. */
const COMPACT_TIMEOUT = "10m";

/** How long to wait, in milliseconds; a usage error where a time is none. */
export function readLimits(input: CompactInput): Result<Limits, Report> {
  const save = parseDuration(input.saveTimeout ?? SAVE_TIMEOUT);
  if (!save.ok) return err(usage(`--save-timeout: ${save.error}, found ${JSON.stringify(input.saveTimeout)}.`));
  const compact = parseDuration(input.compactTimeout ?? COMPACT_TIMEOUT);
  if (!compact.ok)
    return err(usage(`--compact-timeout: ${compact.error}, found ${JSON.stringify(input.compactTimeout)}.`));
  return ok({ saveMs: save.value, compactMs: compact.value });
}

/** The configured sentence, filled in; what it becomes is held to the same as what is configured. */
export function askLine(context: CommandContext, role: RoleName, ask: string): Result<string, Report> {
  const values: Readonly<Record<string, string>> = {
    role,
    file: shownPath(context.paths, contextFilePath(context.paths, role)),
    save: `${context.invokedAs} lifecycle.save ${role}`,
  };
  const line = ask.replace(/\{(role|file|save)\}/g, (_all, name: string) => values[name] ?? "").trim();
  const fault = askFault(line);
  if (fault === null) return ok(line);
  const hint = "Mend compact.ask in context.yaml.";
  return err(failed({ code: "bad-sentence", message: `The sentence for the agent cannot be typed: ${fault}.`, hint }));
}
