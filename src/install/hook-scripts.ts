/** A hook's name among our commands, and what its script's comment says. */
const SCRIPTS = {
  "pre-compact": "PreCompact: saves what can be saved before the client forgets. Never stops a compaction.",
  "session-start": "SessionStart: tells a fresh, or a just compacted, agent what it needs to go on.",
} as const;

export type HookScript = keyof typeof SCRIPTS;

/**
 * `.claude/hooks/<hook>.sh`. It finds the program in the project, then among the project's packages, then on the PATH, and
 * exits 0 whatever happens: the client would take another code for a veto.
 */
export function hookScript(hook: HookScript): string {
  return `#!/bin/sh
# ${SCRIPTS[hook]}
root=\${CLAUDE_PROJECT_DIR:-$(dirname -- "$0")/../..}
for context in "$root/context" "$root/node_modules/.bin/context" context; do command -v "$context" >/dev/null && break; done
unset NODE_EXTRA_CA_CERTS
CLAUDE_PROJECT_DIR=$root "$context" ${hook} "$@"
exit 0
`;
}
