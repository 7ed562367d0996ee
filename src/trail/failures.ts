import { withoutHereBodies } from "../transcript/shell-quotes.ts";
import { callEffects } from "./call-effects.ts";
import { writeKey } from "./command-key.ts";
import type { ShellCall } from "./command-text.ts";
import { type Call, isCalledOff, isRejected, placeOf, type TrailContext } from "./context.ts";
import { pathOf } from "./file-work.ts";
import type { Failure } from "./model.ts";
import { openWork } from "./open-work.ts";
import { tellingLines } from "./telling-lines.ts";
import { outcomeOf, testCommand } from "./test-outcome.ts";

/** A call of the main line: a shell call with its reading, or any other. */
export type ReadCall = { readonly call: Call; readonly shell: ShellCall | null };

/** Commands and editing calls whose last outcome is a failure, newest first. Looking for what is not there is no failure. */
export function failures(calls: readonly ReadCall[], context: TrailContext): readonly Failure[] {
  const work = openWork();
  for (const { call, shell } of calls) {
    if (shell === null) {
      if (!TOOLS_OF_WORK.test(call.name)) continue;
      const key = keyOfCall(call, context);
      if (call.outcome === "ok") work.answer(key);
      else if (call.outcome === "failed" && !isRejected(call) && !isCalledOff(call))
        work.fail({ call, what: wordsFor(call, context), keys: [key] });
      continue;
    }
    if (work.waitsForFiles()) for (const key of changedFiles(shell, call, context)) work.answer(key);
    const outcome = outcomeOf(shell);
    const test = testCommand(shell);
    if (outcome === "ok") {
      for (const key of test?.outcome === "passed" ? shell.keys : shell.proved) work.answer(key);
      if (test?.outcome === "passed") for (const { command } of test.runs) work.passed(command);
    } else if (outcome === "failed" && !shell.looksOnly && !isDoneAlready(shell)) {
      const what = withoutHereBodies(shell.text);
      work.fail({ call: shell.call, what, keys: shell.keys, tests: test?.runs ?? [] });
      // Git's line: what failed stands behind the commit, such as a push.
      if (/^\[.{1,250} [0-9a-f]{7,64}\] /m.test(call.result))
        for (const key of shell.keys) if (key.endsWith(" git commit")) work.answer(key);
    }
  }
  return work.open().map(({ call, what, times }) => ({
    ...placeOf(call),
    what: context.cleanLine(what, 300),
    tool: context.clean(call.name, 80),
    times,
    says: tellingLines(context.clean(call.result, LONGEST_RESULT)),
  }));
}

/** Whether a commit failed since all was committed. */
function isDoneAlready({ keys, call }: ShellCall): boolean {
  return keys.every((key) => key.endsWith(" git commit")) && /^nothing to commit/m.test(call.result);
}

// Reading, searching and asking fail as a matter of course; a call of another tool that failed left work undone.
const TOOLS_OF_WORK = /^(?:Write|Edit|MultiEdit|NotebookEdit|Task|Agent|mcp__.{1,200})$/;
const LONGEST_RESULT = 65_536;

function keyOfCall(call: Call, context: TrailContext): string {
  const path = pathOf(call);
  // A refused edit is answered by any edit of the file that went through.
  return path === null ? `tool ${call.name}` : writeKey(context.resolve(path, context.cwdOf(call)));
}

/** Keys of the files that a shell call wrote or took away: what an edit could not do is done, or not wanted any more. */
function changedFiles(shell: ShellCall, call: Call, context: TrailContext): readonly string[] {
  return callEffects(shell, call, context.cwdOf(call)).flatMap(({ kind, path, to, base }) => {
    const paths = kind === "restore" ? [] : to === null ? [path] : [path, to];
    return paths.map((each) => writeKey(context.resolve(each, base)));
  });
}

function wordsFor(call: Call, context: TrailContext): string {
  const path = pathOf(call);
  return path === null ? call.name : `${call.name} ${context.shown(context.resolve(path, context.cwdOf(call)))}`;
}
