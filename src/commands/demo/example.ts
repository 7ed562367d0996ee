export const ROLE = "oosh-expert";
export const PROJECT = "24-agent-navigation";
const PLANNING = `02-projects/${PROJECT}/01-planning`;
const SESSION_ID = "b9ff7b48-ef86-4ef0-86d3-7835c69ec06b";

/** Where the client keeps what was said, as its payloads name it. */
const TRANSCRIPT = `client/${SESSION_ID}.jsonl`;

/** What the agent wrote down while it still remembered. */
const CONTEXT_FILE = `# OOSH Expert Agent — Session Context

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

const OVERVIEW = `---
project_id: ${PROJECT}
name: Agent navigation
status: IN_PROGRESS
---

# Agent navigation

Find an agent by its name, wherever it runs.
`;

const STEPS = `# Steps

## Phase 1: Plan
- [x] Write the overview

## Phase 2: Build
- [x] Agent navigation by name
- [ ] Session ids for agents that were not resumed
- [ ] Document the registry
`;

const MANIFEST = `---
resume_schema_version: "1.0"
last_updated: "2026-02-03T12:00:00Z"
project_id: "${PROJECT}"
project_name: "Agent navigation"
current_phase: execution
next_action: execute-project
files_to_load:
  - 01-planning/01-overview.md
  - 01-planning/04-steps.md
---

## Validation gate

- Which agents have no session id yet?
`;

/** The files of a project whose agent is at work, by their paths in it; `root` is its absolute path. */
export function exampleFiles(root: string): Readonly<Record<string, string>> {
  return {
    hiveMind: "",
    [`session/agents/${ROLE}.context.md`]: CONTEXT_FILE,
    [`${PLANNING}/01-overview.md`]: OVERVIEW,
    [`${PLANNING}/04-steps.md`]: STEPS,
    [`${PLANNING}/resume-context.md`]: MANIFEST,
    [TRANSCRIPT]: transcript(root),
  };
}

/** The payload with which the client runs a hook of `event`. */
export function examplePayload(root: string, event: object): string {
  return JSON.stringify({ session_id: SESSION_ID, transcript_path: `${root}/${TRANSCRIPT}`, cwd: root, ...event });
}

/** What was said and done, in the client's form. */
function transcript(root: string): string {
  const steps = `${root}/${PLANNING}/04-steps.md`;
  const edit = { old_string: "a", new_string: "b" };
  const failed = "Exit code 1\nregistry: agent tester has no session id";
  const messages: readonly (readonly ["user" | "assistant", unknown])[] = [
    ["user", "Give each agent a session id, also those that were never resumed."],
    ...call("t1", "Read", { file_path: steps }, { content: STEPS }),
    ...call("t2", "Edit", { file_path: `${root}/hiveMind`, ...edit }, { content: "The file has been updated." }),
    ...call("t3", "Edit", { file_path: steps, ...edit }, { content: "The file has been updated." }),
    ...call("t4", "Bash", { command: "./hiveMind test" }, { content: failed, is_error: true }),
  ];
  const uuid = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
  const rows = messages.map(([role, content], index) => ({
    parentUuid: index === 0 ? null : uuid(index - 1),
    isSidechain: false,
    cwd: root,
    sessionId: SESSION_ID,
    type: role,
    message: { role, content },
    uuid: uuid(index),
    timestamp: `2026-02-03T12:${String(index + 10)}:00.000Z`,
  }));
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

function call(
  id: string,
  name: string,
  input: object,
  result: object,
): readonly (readonly ["user" | "assistant", unknown])[] {
  return [
    ["assistant", [{ type: "tool_use", id, name, input }]],
    ["user", [{ type: "tool_result", tool_use_id: id, ...result }]],
  ];
}
