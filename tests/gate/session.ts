import { appendFileSync } from "node:fs";
import { expect } from "vitest";
import { makeAcme, manifestText } from "../helpers/acme-project.ts";
import type { Ran, RunOptions } from "../helpers/run-program.ts";
import { SessionLog } from "../helpers/session-log.ts";
import type { Workspace } from "../helpers/workspace.ts";

export const SESSION = "5e551041-0000-4000-8000-000000000001";
export const PENDING = "session/.cache/gate.pending";
export const PLAN = "02-projects/24-demo/01-planning/03-plan.md";
export const STEPS_FILE = "02-projects/24-demo/01-planning/04-steps.md";
export const ROLE = "oosh-expert";
export const SKILL = `.claude/agents/${ROLE}/SKILL.md`;

export interface Compacted {
  readonly workspace: Workspace;
  readonly transcript: string;
  /** Appends records as the client does. */
  readonly append: (write: (log: SessionLog) => void) => void;
  /** Runs `gate` with a payload; the session's own unless it says otherwise. */
  readonly gate: (payload: object, options?: Partial<RunOptions>) => Ran;
  readonly edit: (more?: object) => Ran;
  readonly read: (path: string, more?: object) => Ran;
  readonly state: () => Record<string, unknown>;
}

export interface CompactedOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly prepare?: (workspace: Workspace) => void;
  readonly files?: readonly string[];
  /** No mark of the compaction in the transcript. */
  readonly unmarked?: boolean;
}

const FILES = ["01-planning/01-overview.md", "01-planning/04-steps.md", "01-planning/03-plan.md"];

/** A session in project 24-demo that was just compacted, our start hook included: of its three files, the plan is not in the document. */
export function makeCompacted(options: CompactedOptions = {}): Compacted {
  const { env = {}, files = FILES } = options;
  const workspace = makeAcme();
  workspace.write("02-projects/24-demo/01-planning/resume-context.md", manifestText("24-demo", files));
  options.prepare?.(workspace);
  const { root } = workspace;
  const before = new SessionLog(root)
    .prompt("continue project 24")
    .call("Skill", { skill: "execute-project", args: "24-demo" })
    .read(`${root}/${PLAN}`)
    .edit(`${root}/${STEPS_FILE}`);
  const transcript = workspace.write(`client/${SESSION}.jsonl`, before.text());
  const append = (write: (log: SessionLog) => void) => {
    const log = new SessionLog(root);
    write(log);
    appendFileSync(transcript, log.text());
  };
  const common = { session_id: SESSION, transcript_path: transcript, cwd: root };
  const start = workspace.context("session-start --part 1/4", {
    env,
    input: JSON.stringify({ ...common, hook_event_name: "SessionStart", source: "compact" }),
  });
  expect(start).toMatchObject({ code: 0, stderr: "" });
  if (options.unmarked !== true) append((log) => log.compacted());
  const gate = (payload: object, more: Partial<RunOptions> = {}) =>
    workspace.context("gate", { env, input: JSON.stringify({ ...common, ...payload }), ...more });
  return {
    workspace,
    transcript,
    append,
    gate,
    edit: (more = {}) =>
      gate({
        hook_event_name: "PreToolUse",
        tool_name: "Edit",
        tool_input: { file_path: `${root}/src.txt`, old_string: "a", new_string: "b" },
        ...more,
      }),
    read: (path, more = {}) =>
      gate({
        hook_event_name: "PostToolUse",
        tool_name: "Read",
        tool_input: { file_path: path },
        tool_response: {
          type: "text",
          file: { filePath: path, content: "…", startLine: 1, numLines: 4, totalLines: 4 },
        },
        ...more,
      }),
    state: () => JSON.parse(workspace.read(`session/.cache/gate/${SESSION}.json`)),
  };
}

/** The reason of a denial; fails where there is none. */
export function reasonOf(ran: Ran): string {
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  const answer: unknown = JSON.parse(ran.stdout);
  expect(answer).toEqual({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: expect.any(String),
    },
  });
  const { hookSpecificOutput }: { hookSpecificOutput?: { permissionDecisionReason?: string } } = Object(answer);
  return hookSpecificOutput?.permissionDecisionReason ?? "";
}

/** Lets the call go its usual way, without a word. */
export const PASSES = { code: 0, stdout: "", stderr: "" };
