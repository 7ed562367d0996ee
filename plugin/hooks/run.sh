#!/bin/sh
# Runs a hook with the plugin's own program, in projects that have something for it.
trap 'exit 0' 0
if [ "${CONTEXT_DISABLED:-}" = 1 ] && [ -z "${CONTEXT_PROBE:-}" ]; then
  { head -c 99999999 <&3 >/dev/null 3<&- & } 2>/dev/null 3<&0
  exit 0
fi
root=${CONTEXT_ROOT:-${CLAUDE_PROJECT_DIR:-.}}
if [ -z "${HIVEMIND_ROLE:-}" ] && ! [ -e "$root/session/agents" ] && ! [ -e "$root/02-projects" ] && ! [ -e "$root/00-system" ] && ! [ -e "$root/03-skills" ] && ! [ -e "$root/context.yaml" ]; then
  { head -c 99999999 <&3 >/dev/null 3<&- & } 2>/dev/null 3<&0
  exit 0
fi
unset NODE_EXTRA_CA_CERTS NODE_OPTIONS
case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
sh "$here/../bin/context" "$@"
exit 0
