import { rmSync } from "node:fs";
import { expect } from "vitest";
import { addProject, addSession, makeAcme, preCompactPayload } from "../../helpers/acme-project.ts";
import { contextText } from "../../helpers/context-text.ts";
import { saveRole } from "../../helpers/have-machines.ts";
import type { Ran } from "../../helpers/run-program.ts";
import { startPayload } from "../../helpers/session-start.ts";
import type { Workspace } from "../../helpers/workspace.ts";

export const ROLE = "oosh-expert";

/** One way in: what is typed, what comes on stdin, and whether the client is behind it. */
export interface Command {
  readonly words: readonly string[];
  readonly input?: (workspace: Workspace) => string;
  /** Accepts what a hook may print; absent for a person's command. */
  readonly hook?: (stdout: string) => void;
  /** Makes it so that there is something to do. */
  readonly prepare?: (workspace: Workspace) => void;
  /** What writes the same files once more, where that is another command line. */
  readonly again?: readonly string[];
}

const payload = (workspace: Workspace) =>
  preCompactPayload(workspace, workspace.path("client/2.1.332/execution.jsonl"));
const edit = (workspace: Workspace) =>
  JSON.stringify({
    session_id: "5e551041-0000-4000-8000-000000000001",
    hook_event_name: "PreToolUse",
    tool_name: "Edit",
    tool_input: { file_path: workspace.path("a.md") },
    cwd: workspace.root,
  });

export function oneAnswer(stdout: string): void {
  if (stdout !== "") expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: {} });
}

/** Every hook, and every command that writes state. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  "pre-compact": { words: ["pre-compact"], input: payload, hook: (stdout) => expect(stdout).toBe("{}\n") },
  "pre-compact --guidance": {
    words: ["pre-compact", "--guidance"],
    input: payload,
    hook: (stdout) => expect(stdout.length).toBeLessThanOrEqual(2001),
  },
  "session-start": {
    words: ["session-start"],
    input: (w) => startPayload(w),
    hook: oneAnswer,
    prepare: (w) => rmSync(w.path("session/.cache/skills.json"), { force: true }),
  },
  "session-start, compact": {
    words: ["session-start"],
    input: (w) => startPayload(w, { source: "compact", transcript: w.path("client/2.1.332/execution.jsonl") }),
    hook: oneAnswer,
    prepare: (w) => rmSync(w.path("session/.cache/skills.json"), { force: true }),
  },
  gate: { words: ["gate"], input: edit, hook: oneAnswer },
  "lifecycle.init": { words: ["lifecycle.init", "oosh-tester"] },
  "lifecycle.save": { words: ["lifecycle.save", ROLE] },
  "lifecycle.pre.compact": { words: ["lifecycle.pre.compact", ROLE] },
  "lifecycle.recover": { words: ["lifecycle.recover", ROLE] },
  recover: { words: ["recover", ROLE] },
  new: { words: ["new", "oosh-writer"], again: ["new", "oosh-writer", "--force"] },
  "validate --fix": {
    words: ["validate", "--fix", ROLE],
    prepare: (w) => w.role(ROLE, contextText().replace("**Updated**:", "**updated**:")),
  },
  "resume.update": { words: ["resume.update", "24-demo"], prepare: (w) => addProject(w, "24-demo") },
  "resume.migrate": {
    words: ["resume.migrate", "27-xml-context"],
    prepare: (w) => {
      const name = "02-projects/27-xml-context/01-planning";
      if (!w.exists(`${name}/resume-context.md`)) return;
      w.write(`${name}/_resume.md`, w.read(`${name}/resume-context.md`));
      for (const other of ["resume-context.md", "_resume.md.bak"]) rmSync(w.path(`${name}/${other}`), { force: true });
    },
  },
  init: {
    words: ["init", "--yes"],
    // Written anew, each of them.
    prepare: (w) => {
      for (const name of ["pre-compact.sh", "session-start.sh"])
        rmSync(w.path(`.claude/hooks/${name}`), { force: true });
      for (const name of ["settings.json", "settings.local.json"]) w.write(`.claude/${name}`, "{}\n");
    },
  },
};

/** A project in the middle of its work. */
export function makeProject(command: Command): Workspace {
  const workspace = makeAcme();
  addSession(workspace, "execution");
  saveRole(workspace, ROLE);
  command.prepare?.(workspace);
  return workspace;
}

/** No signal, no fault of ours, no stack; of a hook one valid answer and exit code 0. */
export function expectManners(ran: Ran, command: Command, what: string): void {
  expect(ran.signal, what).toBeNull();
  expect(ran.stderr, what).not.toMatch(/fault of (?:ours|this program)|\n {4}at /);
  if (command.hook === undefined) {
    expect([0, 1, 4], `${what}: ${ran.stderr}`).toContain(ran.code);
    return;
  }
  expect(ran.code, what).toBe(0);
  for (const line of ran.stderr.split("\n").filter((text) => text !== "")) expect(line, what).toMatch(/^context: /);
  command.hook(ran.stdout);
}
