/** A hook's name among our commands, and what its script's comment says. */
const SCRIPTS = {
  "pre-compact": "PreCompact: saves what can be saved before the client forgets. Never stops a compaction.",
  "session-start": "SessionStart: tells a fresh, or a just compacted, agent what it needs to go on.",
  gate: "PreToolUse and PostToolUse: after a compaction, edits wait until the required files are read again.",
} as const;

export type HookScript = keyof typeof SCRIPTS;

export const HOOK_SCRIPTS: readonly HookScript[] = ["pre-compact", "session-start", "gate"];

/** What is set up where nobody asks for more: the gate holds an agent back, so it is for those who want it. */
export const STANDARD_HOOKS: readonly HookScript[] = ["pre-compact", "session-start"];

/**
 * `.claude/hooks/<hook>.sh`. It finds the program where `CONTEXT_PROGRAM` says, then in the project, then among the
 * project's packages, then on the PATH, and exits 0 whatever happens: the client would take another code for a veto. A
 * folder is passed over: some shells take one for a program.
 */
export function hookScript(hook: HookScript): string {
  return `#!/bin/sh
# ${SCRIPTS[hook]}
# Written by \`context init\`, which replaces it where it differs; \`context init --remove\` takes it away.
root=\${CLAUDE_PROJECT_DIR:-$(dirname -- "$0")/../..}
${hook === "gate" ? NOTHING_PENDING : ""}for context in "\${CONTEXT_PROGRAM:-}" "$root/context" "$root/node_modules/.bin/context" context; do
  [ ! -d "$context" ] && command -v "$context" >/dev/null && break
done
unset NODE_EXTRA_CA_CERTS
CLAUDE_PROJECT_DIR=$root "$context" ${hook} "$@"
exit 0
`;
}

/**
 * Ends a script before Node starts. The payload is taken off the client's hands by a process that the client does not wait
 * for: a pipe closed unread is shown to the person as an error of the hook.
 */
export const LEAVE = `  { cat <&3 >/dev/null 3<&- & } 2>/dev/null 3<&0
  exit 0
`;

/** Where no session has files to read there is nothing to do. */
const NOTHING_PENDING = `if ! [ -e "$root/session/.cache/gate.pending" ]; then
${LEAVE}fi
`;

/** Whether a script was written by this program, by this version or an earlier one: its second line says what it is for. */
export function isOurScript(hook: HookScript, text: string): boolean {
  return text.split(/\r\n|\r|\n/, 2)[1] === `# ${SCRIPTS[hook]}`;
}
