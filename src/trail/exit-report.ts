import type { PlacedCommand } from "../transcript/shell-commands.ts";
import type { Call } from "./context.ts";

export interface ExitReport {
  /** The commands up to the one whose exit code is told. */
  readonly judged: readonly PlacedCommand[];
  /** Whether the result tells an exit code other than 0. */
  readonly failed: boolean;
}

/** What `…; echo "exit: $?"` says of the commands in front of it: the exit code of the whole is the echo's own. */
export function reportedExit(commands: readonly PlacedCommand[], call: Call): ExitReport {
  const untold = { judged: commands, failed: false };
  const last = commands.at(-1);
  if (call.outcome !== "ok" || last === undefined || !REPORTING.has(last.verb) || last.joint !== ";") return untold;
  const said = last.words.slice(1).join(" ");
  const variable = EXIT_CODE.exec(said);
  if (variable === null) return untold;
  const lead = said.slice(0, variable.index).replace(/^.*\\n/s, "");
  const line = call.result
    .split("\n")
    .findLast((text) => text.startsWith(lead) && /^[0-9]/.test(text.slice(lead.length)));
  if (line === undefined) return untold;
  const rest = commands.slice(0, -1);
  const ofPipe = /pipestatus/i.test(variable[0]);
  const pipe = rest.findLastIndex(({ joint }) => joint !== "|");
  const code = Number.parseInt(line.slice(lead.length), 10);
  return { judged: ofPipe ? rest.slice(0, pipe + 1) : rest, failed: code !== 0 };
}

const REPORTING: ReadonlySet<string> = new Set(["echo", "printf"]);
const EXIT_CODE = /\$(?:\?|\{\?\}|\{?pipestatus\[[01]\]\}?)/i;
