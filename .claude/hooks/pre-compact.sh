#!/bin/sh
# PreCompact: saves what can be saved before the client forgets. Never stops a compaction.
root=${CLAUDE_PROJECT_DIR:-$(dirname -- "$0")/../..}
for context in "$root/context" "$root/node_modules/.bin/context" context; do command -v "$context" >/dev/null && break; done
unset NODE_EXTRA_CA_CERTS
CLAUDE_PROJECT_DIR=$root "$context" pre-compact "$@"
exit 0
