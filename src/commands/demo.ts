import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isArray, isObject, parseJson, stringAt } from "../base/json-value.ts";
import { shellQuote } from "../base/shell-word.ts";
import { hookScript } from "../install/hook-scripts.ts";
import { makeFolders } from "../platform/make-folders.ts";
import { run } from "../platform/run.ts";
import { inScratch } from "../platform/scratch.ts";
import type { World } from "../platform/world.ts";
import { done, failed, type Report } from "./report.ts";

const ROLE = "oosh-expert";

/** What the agent of the example wrote down while it still remembered. */
const EXAMPLE = `# OOSH Expert Agent — Session Context

**Updated**: 2026-02-03T12:15Z
**Role**: ${ROLE} (implementation & architecture)
**Pane**: 0.4 in cursorOrchestrator

## Recovery Steps
1. Read this file
2. Read \`.claude/agents/${ROLE}/SKILL.md\`
3. Check with the orchestrator for the next task

## Completed Work
### Task 8: Agent navigation by name (DONE — commit c2c326f)
- Part A: tree output
- Part B: registry

## Pending
- Task 10: session ids for agents that were not resumed

## Key Files
- \`hiveMind\` — registry at line 30
`;

interface Step {
  readonly title: string;
  /** As a person would type it. */
  readonly shown: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly input?: string;
  /** The state after it, or the demo has failed. */
  readonly state: string;
}

const PAYLOAD = {
  session_id: "b9ff7b48-ef86-4ef0-86d3-7835c69ec06b",
  hook_event_name: "PreCompact",
  trigger: "manual",
  custom_instructions: null,
};

const STEPS: readonly Step[] = [
  command("A role is set up: its machine begins in active.", ["lifecycle.init", ROLE], "active"),
  command("The agent has written its context file; is it good?", ["validate", ROLE], "active"),
  command("The agent saves.", ["lifecycle.save", ROLE], "saved"),
  {
    title: "The client is about to compact and runs the PreCompact hook, with its payload on standard input.",
    shown: `HIVEMIND_ROLE=${ROLE} .claude/hooks/pre-compact.sh --guidance < payload.json`,
    file: "sh",
    args: [".claude/hooks/pre-compact.sh", "--guidance"],
    input: JSON.stringify(PAYLOAD),
    state: "compacting",
  },
  command("The conversation is gone. The agent knows one command.", ["recover", ROLE], "active"),
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
    const options = step.input === undefined ? { cwd: root, env } : { cwd: root, env, input: step.input };
    const ran = await run(step.file, step.args, options);
    const status = await run("./context", ["lifecycle.status", ROLE, "--json"], { cwd: root, env });
    const state = stateIn(status.stdout);
    // Programs that are waited for hold everything up: a signal is heard now.
    await new Promise(setImmediate);
    text += `\n${index + 1}. ${step.title}\n\n   $ ${step.shown}\n${indent(ran.stdout + ran.stderr)}\n   state: ${state}\n`;
    states[step.shown] = state;
    if (ran.exitCode !== 0 || state !== step.state) {
      return failed(
        {
          code: "demo-failed",
          message: `Step ${index + 1} ended with exit code ${ran.exitCode} in state "${state}", expected 0 and "${step.state}".`,
          hint: "Name another folder in TMPDIR; if that changes nothing, please report it with the output above.",
        },
        { parts: [{ kind: "text", text }] },
      );
    }
  }
  return done(`${text}\nThe round is complete: nothing that was saved is lost.\n`, { states });
}

function prepare(root: string, world: World): void {
  makeFolders(join(root, "session", "agents"));
  makeFolders(join(root, ".claude", "hooks"));
  writeFileSync(join(root, "session", "agents", `${ROLE}.context.md`), EXAMPLE);
  writeFileSync(join(root, "hiveMind"), "");
  for (const hook of ["pre-compact", "session-start"] as const) {
    writeFileSync(join(root, ".claude", "hooks", `${hook}.sh`), hookScript(hook), { mode: 0o755 });
  }
  const quoted = [world.interpreter, world.program].map(shellQuote).join(" ");
  writeFileSync(join(root, "context"), `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 });
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
