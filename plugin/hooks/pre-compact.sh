#!/bin/sh
# PreCompact: saves what can be saved before the client forgets. Never stops a compaction.
# Written by `context init`, which replaces it where it differs; `context init --remove` takes it away.
root=${CLAUDE_PROJECT_DIR:-$(dirname -- "$0")/../..}
for context in "${CONTEXT_PROGRAM:-}" "$root/context" "$root/node_modules/.bin/context" context; do
  [ ! -d "$context" ] && command -v "$context" >/dev/null && break
done
unset NODE_EXTRA_CA_CERTS
CLAUDE_PROJECT_DIR=$root "$context" pre-compact "$@"
exit 0
