#!/bin/sh
# PreCompact: saves what can be saved before the client forgets. Never stops a compaction.
# Written by `context init`, which replaces it where it differs; `context init --remove` takes it away.
trap 'exit 0' 0
if [ "${CONTEXT_DISABLED:-}" = 1 ] && [ -z "${CONTEXT_PROBE:-}" ]; then
  { head -c 99999999 <&3 >/dev/null 3<&- & } 2>/dev/null 3<&0
  exit 0
fi
root=${CLAUDE_PROJECT_DIR:-$(dirname -- "$0")/../..}
if [ $# -eq 0 ] &&
  [ -z "${HIVEMIND_ROLE:-}${CONTEXT_ROOT:-}${CONTEXT_PROBE:-}" ] &&
  [ -d "$root/." ] &&
  ! [ -e "$root/context.yaml" ] && ! [ -h "$root/context.yaml" ] &&
  ! [ -e "$root/02-projects" ] && ! [ -h "$root/02-projects" ] &&
  ! [ -e "$root/00-system" ] && ! [ -h "$root/00-system" ] &&
  ! [ -e "$root/session/.cache/precompact_state.json" ] && ! [ -h "$root/session/.cache/precompact_state.json" ] &&
  ! [ -e "$root/session/.cache/precompact_state.used.json" ] && ! [ -h "$root/session/.cache/precompact_state.used.json" ]; then
  echo '{}'
  { head -c 99999999 <&3 >/dev/null 3<&- & } 2>/dev/null 3<&0
  exit 0
fi
# A client that a desktop started has not the PATH of a terminal. Of several the last is taken, which is the newest.
look_for() {
  found= HOME=${HOME:-}
  for folder in "$HOME/.local/bin" "$HOME/.npm-global/bin" \
    /usr/bin /snap/bin /opt/local/bin /home/linuxbrew/.linuxbrew/bin /opt/homebrew/bin /usr/local/bin \
    /opt/homebrew/opt/node@[2-9][0-9]/bin /usr/local/opt/node@[2-9][0-9]/bin \
    "$HOME/.volta/bin" "$HOME"/.nodenv/versions/[2-9][0-9].*/bin \
    "$HOME"/.asdf/installs/nodejs/[2-9][0-9].*/bin "$HOME"/.local/share/mise/installs/node/[2-9][0-9].*/bin \
    "$HOME"/.local/share/fnm/node-versions/v[2-9][0-9].*/installation/bin \
    "$HOME/Library/Application Support"/fnm/node-versions/v[2-9][0-9].*/installation/bin \
    "$HOME"/.fnm/node-versions/v[2-9][0-9].*/installation/bin "$HOME"/.local/share/nvm/v[2-9][0-9].*/bin \
    "$HOME"/.config/nvm/versions/node/v[2-9][0-9].*/bin "$HOME"/.nvm/versions/node/v[2-9][0-9].*/bin; do
    [ -x "$folder/$1" ] && found=$folder/$1
  done
  [ -n "$found" ]
}
if [ -n "${CONTEXT_NODE:-}" ]; then
  export PATH="${CONTEXT_NODE%/*}${PATH:+:$PATH}"
elif ! command -v node >/dev/null 2>&1; then
  look_for node && export PATH="${found%/*}:${PATH:-/usr/bin:/bin}"
fi
for context in "${CONTEXT_PROGRAM:-}" "$root/context" "$root/node_modules/.bin/context" context; do
  case $context in
    */*) [ -f "$context" ] && [ -x "$context" ] && break ;;
    ?*)
      if ! command -v mtxrun >/dev/null; then command -v "$context" >/dev/null && break; else
        name=$context
        set -f
        IFS=:
        for folder in ${PATH:-}; do
          context=${folder:-.}/$name
          [ -f "$context" ] && [ -x "$context" ] && ! [ -e "${context%/*}/mtxrun" ] && break
          context=
        done
        set +f
        unset IFS
        [ -z "$context" ] || break
      fi ;;
  esac
  context=
done
if [ -z "$context" ]; then
  case $0 in */*) self=$0 ;; *) self=./$0 ;; esac
  while [ -h "$self" ]; do
    link=$(PATH="${PATH:+$PATH:}/usr/bin:/bin" readlink "$self")
    case $link in /*) self=$link ;; *) self=${self%/*}/$link ;; esac
  done
  for context in "${self%/*}/../../context" "${self%/*}/../../node_modules/.bin/context"; do
    [ -f "$context" ] && [ -x "$context" ] && break
    context=
  done
fi
if [ -z "$context" ] && [ -f "$root/.claude/settings.local.json" ]; then
  context=$(LC_ALL=C grep -o "CONTEXT_PROGRAM='/[^']*" "$root/.claude/settings.local.json" 2>/dev/null | head -n 1)
  context=${context#*\'}
  [ -f "$context" ] && [ -x "$context" ] || context=
fi
[ -n "$context" ] || ! look_for ../lib/node_modules/agent-context/bin/context.js || context=$found
if [ -z "$context" ]; then
  echo 'context: the hook did nothing: agent-context is neither in this project nor on the PATH.' >&2
  { head -c 99999999 <&3 >/dev/null 3<&- & } 2>/dev/null 3<&0
  exit 0
fi
unset NODE_EXTRA_CA_CERTS NODE_OPTIONS
dist=$root/node_modules/agent-context/dist
if [ "$context" = "$root/node_modules/.bin/context" ] && [ "${CONTEXT_NATIVE:-}" != 0 ] &&
  { read -r build <"$dist/bundle/build-id"; } 2>/dev/null && native=$dist/native/context-$build &&
  [ -s "$native" ] && [ -x "$native" ]; then
  CONTEXT_NATIVE_SCRIPT=$context CLAUDE_PROJECT_DIR=$root "$native" pre-compact "$@"
  case $? in 126 | 127 | 13[234569]) ;; *) exit 0 ;; esac
fi
CLAUDE_PROJECT_DIR=$root "$context" pre-compact "$@"
exit 0
