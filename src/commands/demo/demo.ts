import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isArray, isObject, parseJson, stringAt } from "../../base/json-value.ts";
import { plural } from "../../base/plural.ts";
import { shellQuote } from "../../base/shell-word.ts";
import { hookScript } from "../../install/hook-scripts.ts";
import { makeFolders } from "../../platform/make-folders.ts";
import { run } from "../../platform/run.ts";
import { inScratch } from "../../platform/scratch.ts";
import type { World } from "../../platform/world.ts";
import { done, failed, type Report } from "../report.ts";
import { exampleFiles, examplePayload, PROJECT, ROLE } from "./example.ts";

interface Step {
  readonly title: string;
  /** As a person would type it. */
  readonly shown: string;
  readonly file: string;
  readonly args: readonly string[];
  /** What the client tells the hook beside where it is. */
  readonly event?: object;
  /** What a person is shown of its output; without it all. */
  readonly view?: (stdout: string) => string;
  /** What its output holds, and the state after it, or the demo has failed. */
  readonly holds?: string;
  readonly state: string;
}

const STEPS: readonly Step[] = [
  command("A role is set up: its machine begins in active.", ["lifecycle.init", ROLE], "active"),
  command("The agent has written its context file; is it good?", ["validate", ROLE], "active"),
  command("The agent saves.", ["lifecycle.save", ROLE], "saved"),
  {
    title:
      "The client is about to compact and runs the PreCompact hook: what it prints tells the summariser what to keep.",
    shown: `HIVEMIND_ROLE=${ROLE} .claude/hooks/pre-compact.sh --guidance < payload.json`,
    file: "sh",
    args: [".claude/hooks/pre-compact.sh", "--guidance"],
    event: { hook_event_name: "PreCompact", trigger: "auto", custom_instructions: null },
    holds: PROJECT,
    state: "compacting",
  },
  {
    title:
      "The conversation is gone. The client runs the SessionStart hook: the text in its answer is what the agent reads first.",
    shown: `HIVEMIND_ROLE=${ROLE} .claude/hooks/session-start.sh < payload.json`,
    file: "sh",
    args: [".claude/hooks/session-start.sh"],
    event: { hook_event_name: "SessionStart", source: "compact" },
    view: beginning,
    holds: PROJECT,
    state: "recovering",
  },
  command(
    "It is told to run one command, which also says what has changed since the save.",
    ["recover", ROLE],
    "active",
  ),
  command("What happened, in order.", ["lifecycle.history", ROLE], "active"),
  command("The same as a page, for whoever runs many agents.", ["report"], "active"),
];

function command(title: string, args: readonly string[], state: string): Step {
  return { title, shown: `./context ${args.join(" ")}`, file: "./context", args, state };
}

/** `demo`: the whole round on an example, with real processes, real files and their real output. */
export async function demo(world: World): Promise<Report> {
  const played = await inScratch("context demo é ", (root) => play(world, root));
  return played.ok ? played.value : failed({ code: "unwritable", ...played.error });
}

async function play(world: World, root: string): Promise<Report> {
  prepare(root, world);
  const env = {
    PATH: world.env.PATH,
    HOME: world.env.HOME,
    CLAUDE_PROJECT_DIR: root,
    HIVEMIND_ROLE: ROLE,
  };
  let text = `A temporary project: ${root}\n`;
  const states: Record<string, string> = {};
  for (const [index, step] of STEPS.entries()) {
    const { event, view = (stdout) => stdout } = step;
    const options = event === undefined ? { cwd: root, env } : { cwd: root, env, input: examplePayload(root, event) };
    const ran = await run(step.file, step.args, options);
    const status = await run("./context", ["lifecycle.status", ROLE, "--json"], { cwd: root, env });
    const state = stateIn(status.stdout);
    // Programs that are waited for hold everything up: a signal is heard now.
    await new Promise(setImmediate);
    text += `\n${index + 1}. ${step.title}\n\n   $ ${step.shown}\n${indent(view(ran.stdout) + ran.stderr)}\n   state: ${state}\n`;
    states[step.shown] = state;
    const lacks = step.holds !== undefined && !ran.stdout.includes(step.holds);
    if (ran.exitCode !== 0 || state !== step.state || lacks) {
      return failed(
        {
          code: "demo-failed",
          message: `Step ${index + 1} ended with exit code ${ran.exitCode} in state "${state}"${lacks ? ` and does not name ${step.holds}` : ""}, expected 0 and "${step.state}".`,
          hint: "Name another folder in TMPDIR; if that changes nothing, please report it with the output above.",
        },
        { parts: [{ kind: "text", text }] },
      );
    }
  }
  return done(`${text}\nThe round is complete: nothing that was saved is lost.\n`, { states });
}

function prepare(root: string, world: World): void {
  for (const [path, text] of Object.entries(exampleFiles(root))) {
    makeFolders(join(root, dirname(path)));
    writeFileSync(join(root, path), text);
  }
  makeFolders(join(root, ".claude", "hooks"));
  for (const hook of ["pre-compact", "session-start"] as const) {
    writeFileSync(join(root, ".claude", "hooks", `${hook}.sh`), hookScript(hook), { mode: 0o755 });
  }
  const quoted = [world.interpreter, world.program].map(shellQuote).join(" ");
  writeFileSync(join(root, "context"), `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 });
}

/** Enough of a document to see how it begins. */
const SHOWN_LINES = 24;

/** How the text begins that the client passes on to the agent. */
function beginning(answer: string): string {
  const value = parseJson(answer);
  const output = isObject(value) && isObject(value.hookSpecificOutput) ? value.hookSpecificOutput : {};
  const lines = (stringAt(output, "additionalContext") ?? answer).split("\n");
  const more = lines.length - SHOWN_LINES;
  return `${lines.slice(0, SHOWN_LINES).join("\n")}\n${more > 0 ? `[${plural(more, "more line")}]\n` : ""}`;
}

function stateIn(json: string): string {
  const value = parseJson(json);
  const roles = isObject(value) && isArray(value.roles) ? value.roles : [];
  const [first] = roles;
  return (isObject(first) ? stringAt(first, "state") : null) ?? "unknown";
}

function indent(text: string): string {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => `   ${line}`.trimEnd())
    .join("\n");
}
