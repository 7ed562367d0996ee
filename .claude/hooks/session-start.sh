#!/bin/sh
# SessionStart: tells a fresh, or a just compacted, agent what it needs to go on.
# Written by `context init`, which replaces it where it differs; `context init --remove` takes it away.
root=${CLAUDE_PROJECT_DIR:-$(dirname -- "$0")/../..}
for context in "${CONTEXT_PROGRAM:-}" "$root/context" "$root/node_modules/.bin/context" context; do
  [ ! -d "$context" ] && command -v "$context" >/dev/null && break
done
unset NODE_EXTRA_CA_CERTS
CLAUDE_PROJECT_DIR=$root "$context" session-start "$@"
exit 0
