#!/bin/sh
# PreToolUse and PostToolUse: after a compaction, edits wait until the required files are read again.
# Written by `context init`, which replaces it where it differs; `context init --remove` takes it away.
if [ "${CONTEXT_DISABLED:-}" = 1 ] && [ -z "${CONTEXT_PROBE:-}" ]; then
  { cat <&3 >/dev/null 3<&- & } 2>/dev/null 3<&0
  exit 0
fi
root=${CLAUDE_PROJECT_DIR:-$(dirname -- "$0")/../..}
if ! [ -e "$root/session/.cache/gate.pending" ]; then
  { cat <&3 >/dev/null 3<&- & } 2>/dev/null 3<&0
  exit 0
fi
for context in "${CONTEXT_PROGRAM:-}" "$root/context" "$root/node_modules/.bin/context" context; do
  [ ! -d "$context" ] && command -v "$context" >/dev/null && break
done
unset NODE_EXTRA_CA_CERTS
CLAUDE_PROJECT_DIR=$root "$context" gate "$@"
exit 0
