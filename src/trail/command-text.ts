import { stringAt } from "../transcript/json-value.ts";
import { type PlacedCommand, shellCommands } from "../transcript/shell-commands.ts";
import { oneLine } from "./clean-text.ts";
import type { Call, TrailContext } from "./context.ts";

/** A shell call, read once for all who ask about it. */
export interface ShellCall {
  readonly call: Call;
  readonly text: string;
  readonly commands: readonly PlacedCommand[];
  /** One key for each command that does something; the same command in the same folder has the same key. */
  readonly keys: readonly string[];
  /** Those of which the call's success proves that they succeeded. */
  readonly proved: readonly string[];
}

const SHELL_TOOLS: ReadonlySet<string> = new Set(["Bash", "PowerShell"]);

export function isShellCall(call: Call): boolean {
  return SHELL_TOOLS.has(call.name);
}

export function shellCall(call: Call, context: TrailContext): ShellCall {
  const text = stringAt(call.input, "command") ?? "";
  const commands = shellCommands(text, context.cwdOf(call), context);
  const keys: string[] = [];
  const proved: string[] = [];
  for (const [at, command] of commands.entries()) {
    if (command.verb === "" || IDLE.has(command.verb) || (command.joint === "|" && FILTERS.has(command.verb))) continue;
    const key = keyOf(command, context);
    keys.push(key);
    if (decides(commands, at)) proved.push(key);
  }
  if (keys.length > 0) return { call, text, commands, keys, proved };
  // Nothing in it does anything, such as `cd` alone: the whole of it succeeds or fails.
  const whole = [oneLine(text)];
  return { call, text, commands, keys: whole, proved: whole };
}

export function keyOf({ base, words }: PlacedCommand, context: TrailContext): string {
  return `${context.resolve(".", base)} ${words.join(" ")}`;
}

/** Whether the exit code of the whole tells that of the command at `at`: nothing but `&&` behind it. */
export function decides(commands: readonly PlacedCommand[], at: number): boolean {
  if (commands[at]?.conditional === true) return false;
  return commands.slice(at + 1).every(({ joint }) => joint === "&&");
}

const IDLE: ReadonlySet<string> = new Set([
  "cd",
  "pushd",
  "popd",
  "echo",
  "printf",
  "true",
  "sleep",
  "export",
  "set",
  "source",
  ".",
]);
const FILTERS: ReadonlySet<string> = new Set([
  "tail",
  "head",
  "grep",
  "tee",
  "cat",
  "less",
  "sort",
  "uniq",
  "wc",
  "sed",
  "awk",
]);
