import { oneLine } from "./clean-text.ts";
import type { ShellCall } from "./command-text.ts";
import { type Call, isRejected, placeOf, type TrailContext } from "./context.ts";
import { cut } from "./cut.ts";
import { pathOf } from "./file-work.ts";
import type { Failure } from "./model.ts";
import { outcomeOf, testCommand } from "./test-outcome.ts";

interface OpenFailure {
  readonly call: Call;
  readonly what: string;
  readonly times: number;
  /** What must succeed for it to be answered. */
  readonly waitingFor: Set<string>;
}

/** A call of the main line: a shell call with its reading, or any other. */
export type ReadCall = { readonly call: Call; readonly shell: ShellCall | null };

/** Commands and editing calls whose last outcome is a failure, newest first. Looking for what is not there is no failure. */
export function failures(calls: readonly ReadCall[], context: TrailContext): readonly Failure[] {
  const open = new Map<string, OpenFailure>();
  for (const { call, shell } of calls) {
    const keys = shell?.keys ?? [keyOfCall(call, context)];
    const outcome = shell === null ? call.outcome : outcomeOf(shell);
    if (outcome === "ok") {
      for (const key of provedBy(call, shell, context)) {
        for (const [name, failure] of open) {
          if (failure.waitingFor.delete(key) && failure.waitingFor.size === 0) open.delete(name);
        }
      }
    } else if (outcome === "failed" && !isRejected(call) && (shell !== null || TOOLS_OF_WORK.test(call.name))) {
      const name = keys.join("\n");
      const times = (open.get(name)?.times ?? 0) + 1;
      open.delete(name);
      open.set(name, { call, what: shell?.text ?? wordsFor(call, context), times, waitingFor: new Set(keys) });
    }
  }
  return [...open.values()].reverse().map(({ call, what, times }) => ({
    ...placeOf(call),
    what: context.clean(oneLine(what), 300),
    tool: context.clean(call.name, 80),
    times,
    says: tellingLines(context.clean(call.result, LONGEST_RESULT)),
  }));
}

// Reading, searching and asking fail as a matter of course; a call of another tool that failed left work undone.
const TOOLS_OF_WORK = /^(?:Write|Edit|MultiEdit|NotebookEdit|Task|Agent|mcp__.{1,200})$/;
const LONGEST_RESULT = 65_536;

function keyOfCall(call: Call, context: TrailContext): string {
  const path = pathOf(call);
  // A refused edit is answered by any edit of the file that went through.
  return path === null ? `tool ${call.name}` : `write ${context.resolve(path, context.cwdOf(call))}`;
}

function provedBy(call: Call, shell: ShellCall | null, context: TrailContext): readonly string[] {
  if (shell === null) return TOOLS_OF_WORK.test(call.name) ? [keyOfCall(call, context)] : [];
  const test = testCommand(shell);
  if (test?.outcome !== "passed") return shell.proved;
  return shell.keys;
}

function wordsFor(call: Call, context: TrailContext): string {
  const path = pathOf(call);
  return path === null ? call.name : `${call.name} ${context.shown(context.resolve(path, context.cwdOf(call)))}`;
}

/** The lines of a result that say what went wrong, in their order: at most three, else the last three. */
function tellingLines(result: string): string {
  const lines = result
    .replace(/<\/?tool_use_error>/g, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const code = lines[0] !== undefined && /^Exit code [0-9]{1,3}$/.test(lines[0]) ? [lines[0]] : [];
  const rest = lines.slice(code.length);
  const telling = rest.filter((line) => TELLING.test(line));
  const chosen = telling.length > 0 ? telling.slice(0, 3) : rest.slice(-3);
  return cutLines([...code, ...chosen]);
}

function cutLines(lines: readonly string[]): string {
  return lines.map((line) => cut(line, 160)).join(" | ");
}

const TELLING = /error|fail|exception|cannot|can't|not found|no such|denied|refused|undefined|unexpected|panic|fatal/i;
