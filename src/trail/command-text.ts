import { stringAt } from "../base/json-value.ts";
import { type PlacedCommand, shellCommands } from "../transcript/shell-commands.ts";
import type { BackgroundRun } from "./background.ts";
import { oneLine } from "./clean-text.ts";
import { answeredBy, doesNothing, FILTERS, keyOf, prepares } from "./command-key.ts";
import { type Call, isCalledOff, isInterrupted, isRejected, type TrailContext } from "./context.ts";
import { reportedExit } from "./exit-report.ts";
import type { CommandRun } from "./model.ts";
import type { TestWork } from "./open-work.ts";
import { runsTests } from "./test-command.ts";

/** A shell call, read once for all who ask about it. */
export interface ShellCall {
  /** With the result and the outcome that its run in the background had, where it went on there. */
  readonly call: Call;
  readonly outcome: CommandRun["outcome"];
  readonly text: string;
  readonly commands: readonly PlacedCommand[];
  /** Those that run tests, in order. */
  readonly tests: readonly TestWork[];
  /** One key for each command that does something; the same command in the same folder has the same key. */
  readonly keys: readonly string[];
  /** Those of which the call's success proves that they succeeded. */
  readonly proved: readonly string[];
  /** Whether it made a commit, as far as its words and its outcome tell. */
  readonly commits: boolean;
  /** Whether all that it does is to look: that it found nothing is no failure. */
  readonly looksOnly: boolean;
}

const SHELL_TOOLS: ReadonlySet<string> = new Set(["Bash", "PowerShell"]);

/** Whether the call runs a shell. */
export function isShellCall(call: Call): boolean {
  return SHELL_TOOLS.has(call.name);
}

/** `background`: how it went on after its result, for a call that did. */
export function shellCall(begun: Call, background: BackgroundRun | undefined, context: TrailContext): ShellCall {
  const text = stringAt(begun.input, "command") ?? "";
  const commands = shellCommands(text, context.cwdOf(begun), context);
  const settled = background === undefined ? begun : settledCall(begun, background);
  const { judged, failed } = reportedExit(commands, settled);
  const call: Call = failed ? { ...settled, outcome: "failed" } : settled;
  const stopped = background?.end === "stopped" || isCalledOff(call) || isInterrupted(call);
  const outcome: ShellCall["outcome"] = stopped ? "stopped" : isRejected(call) ? "rejected" : call.outcome;
  // The exit code of the whole tells that of a command with nothing but `&&` behind it.
  const decidesFrom = judged.findLastIndex(({ joint }) => joint !== "&&");
  const isProved = (at: number): boolean => at >= decidesFrom && judged[at]?.conditional === false;
  const doing = [...commands.entries()].filter(
    ([, command]) => !doesNothing(command) && !(command.joint === "|" && FILTERS.has(command.verb)),
  );
  const working = doing.filter(([, command]) => !prepares(command));
  const works = (working.length > 0 ? working : doing).map(([at, command]) => ({
    key: keyOf(command, context),
    command,
    isProved: isProved(at),
  }));
  const tests = works.filter(({ command }) => runsTests(command.verb, command.words));
  const commits = outcome === "ok" && commands.some(({ verb, words }) => verb === "git" && words.includes("commit"));
  const base = { call, outcome, text, commands, tests, commits };
  if (works.length > 0) {
    const keys = works.map(({ key }) => key);
    const proved = works.flatMap((work) => (work.isProved ? answeredBy(work.key) : []));
    return { ...base, keys, proved, looksOnly: false };
  }
  // Nothing in it does anything, such as `cd` alone: the whole of it succeeds or fails.
  const whole = [oneLine(text)];
  return { ...base, keys: whole, proved: whole, looksOnly: commands.some(({ verb }) => !MOVES.has(verb)) };
}

/** What changes nothing but the shell itself. */
const MOVES: ReadonlySet<string> = new Set([
  "",
  "cd",
  "pushd",
  "popd",
  "echo",
  "printf",
  "export",
  "set",
  "source",
  ".",
]);

function settledCall(call: Call, { end, says }: BackgroundRun): Call {
  return { ...call, outcome: end === null || end === "stopped" ? "in-flight" : end, result: says };
}
