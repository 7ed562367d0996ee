import { FIND_GLOBAL, FIND_NODE } from "./find-node.ts";

/** A hook's name among our commands, and what its script's comment says. */
const SCRIPTS = {
  "pre-compact": "PreCompact: saves what can be saved before the client forgets. Never stops a compaction.",
  "session-start": "SessionStart: tells a fresh, or a just compacted, agent what it needs to go on.",
  gate: "PreToolUse and PostToolUse: after a compaction, edits wait until the required files are read again.",
} as const;

export type HookScript = keyof typeof SCRIPTS;

export const HOOK_SCRIPTS: readonly HookScript[] = ["pre-compact", "session-start", "gate"];

export const WRITTEN_BY = "# Written by `context init`";

/** What is set up where nobody asks for more: the gate holds an agent back, so it is for those who want it. */
export const STANDARD_HOOKS: readonly HookScript[] = ["pre-compact", "session-start"];

/** What a script says where the package is gone and its hooks are not: shells say it in the person's language, if at all. */
export const DID_NOTHING = "the hook did nothing: agent-context is";

/**
 * `.claude/hooks/<hook>.sh`. It finds the program where `CONTEXT_PROGRAM` says, then in the project, then among the
 * project's packages, on the PATH, in the project that the script itself lies in, as a clone's that is registered for
 * others, in the lines of `init`, then where Node is kept, and exits 0 whatever happens: the client would take another code
 * for a veto. A folder is passed over, and a file that nobody may run: some shells take them for programs.
 */
export function hookScript(hook: HookScript): string {
  return `#!/bin/sh
# ${SCRIPTS[hook]}
${WRITTEN_BY}, which replaces it where it differs; \`context init --remove\` takes it away.
${BEGIN}root=\${CLAUDE_PROJECT_DIR:-$(dirname -- "$0")/../..}
${NOTHING_TO_DO[hook]}${FIND_NODE}${findIn(PLACES)}${FIND_BESIDE}${FIND_REGISTERED}${FIND_GLOBAL}${noProgram("in this project")}${BARE_NODE}${native(hook)}CLAUDE_PROJECT_DIR=$root "$context" ${hook} "$@"
exit 0
`;
}

const PLACES = `"\${CONTEXT_PROGRAM:-}" "$root/context" "$root/node_modules/.bin/context" context`;

/**
 * Lines that set `context` to the first word that names a program, by its path or on the PATH; else to nothing. TeX has a
 * `context` too, which stands beside its `mtxrun`: it is passed over, and the PATH looked through only where there is one.
 */
export function findIn(words: string): string {
  return `for context in ${words}; do
  case $context in
    */*) [ -f "$context" ] && [ -x "$context" ] && break ;;
    ?*)
      if ! command -v mtxrun >/dev/null; then command -v "$context" >/dev/null && break; else
        name=$context
        set -f
        IFS=:
        for folder in \${PATH:-}; do
          context=\${folder:-.}/$name
          [ -f "$context" ] && [ -x "$context" ] && ! [ -e "\${context%/*}/mtxrun" ] && break
          context=
        done
        set +f
        unset IFS
        [ -z "$context" ] || break
      fi ;;
  esac
  context=
done
`;
}

/** Ends a script that has found none; `where` is the first place where it looked. */
export function noProgram(where: string): string {
  return `if [ -z "$context" ]; then
  echo 'context: ${DID_NOTHING} neither ${where} nor on the PATH.' >&2
${LEAVE}fi
`;
}

/** The project that the script lies in, whatever links it was started through. A shell that was given a bare name has no slash in it. */
const FIND_BESIDE = `if [ -z "$context" ]; then
  case $0 in */*) self=$0 ;; *) self=./$0 ;; esac
  while [ -h "$self" ]; do
    link=$(PATH="\${PATH:+$PATH:}/usr/bin:/bin" readlink "$self")
    case $link in /*) self=$link ;; *) self=\${self%/*}/$link ;; esac
  done
  for context in "\${self%/*}/../../context" "\${self%/*}/../../node_modules/.bin/context"; do
    [ -f "$context" ] && [ -x "$context" ] && break
    context=
  done
fi
`;

/**
 * Where the program lies on this machine only, the lines that `init` wrote say so, and whoever runs the script by hand, or has
 * it run by another tool, leaves that out. A path with a quote or a backslash in it is not found. A shell itself
 * takes minutes for a file of one long line.
 */
const FIND_REGISTERED = `if [ -z "$context" ] && [ -f "$root/.claude/settings.local.json" ]; then
  context=$(LC_ALL=C grep -o "CONTEXT_PROGRAM='/[^']*" "$root/.claude/settings.local.json" 2>/dev/null | head -n 1)
  context=\${context#*\\'}
  [ -f "$context" ] && [ -x "$context" ] || context=
fi
`;

/**
 * `NODE_EXTRA_CA_CERTS` makes every start of Node 20 nearly three times as long. What `NODE_OPTIONS` has Node load writes to the
 * standard output that the client reads, waits for a debugger or is not there, and limits of memory make compiled code useless.
 */
export const BARE_NODE = "unset NODE_EXTRA_CA_CERTS NODE_OPTIONS\n";

/**
 * The native program of a package of the project, where one was built together with the package's bundles. A launcher looks
 * for its own. Node runs where it cannot be started (126, 127) or dies of a fault of its own: it reads standard input last,
 * and once it has done so it gives what it read to Node itself.
 */
function native(hook: HookScript): string {
  return `dist=$root/node_modules/agent-context/dist
if [ "$context" = "$root/node_modules/.bin/context" ] && [ "\${CONTEXT_NATIVE:-}" != 0 ] &&
  { read -r build <"$dist/bundle/build-id"; } 2>/dev/null && native=$dist/native/context-$build &&
  [ -s "$native" ] && [ -x "$native" ]; then
  CONTEXT_NATIVE_SCRIPT=$context CLAUDE_PROJECT_DIR=$root "$native" ${hook} "$@"
  case $? in 126 | 127 | 13[234569]) ;; *) exit 0 ;; esac
fi
`;
}

/**
 * The payload is taken off the client's hands by a process that the client does not wait for: a pipe closed unread is shown to
 * the person as an error of the hook. An input that never ends is not read for ever.
 */
export const TAKE_PAYLOAD = "{ head -c 99999999 <&3 >/dev/null 3<&- & } 2>/dev/null 3<&0";

/** Ends a script before Node starts. */
export const LEAVE = `  ${TAKE_PAYLOAD}
  exit 0
`;

/**
 * How a script begins. It ends with 0 also where the system starts no process any more: dash ends with 2 then, a veto. And every
 * hook is silent where it is switched off, but for `context doctor`, which asks it who it is.
 */
export const BEGIN = `trap 'exit 0' 0
if [ "\${CONTEXT_DISABLED:-}" = 1 ] && [ -z "\${CONTEXT_PROBE:-}" ]; then
${LEAVE}fi
`;

/** Where no session has files to read there is nothing to do. The program takes CONTEXT_ROOT before the client's word. */
const NOTHING_PENDING = `if ! [ -e "\${CONTEXT_ROOT:-$root}/session/.cache/gate.pending" ]; then
${LEAVE}fi
`;

/**
 * What gives PreCompact something to do where nobody has a role: settings, the standard folders of a workspace, and what an
 * earlier compaction left. A test holds the folders to the standard layout; another layout needs settings.
 */
const PRE_COMPACT_MARKS = [
  "context.yaml",
  "02-projects",
  "00-system",
  "session/.cache/precompact_state.json",
  "session/.cache/precompact_state.used.json",
];

/** A link to nowhere, and a folder that cannot be looked into, are for the program to report. */
const PRE_COMPACT_TESTS = [
  `[ $# -eq 0 ]`,
  `[ -z "\${HIVEMIND_ROLE:-}\${CONTEXT_ROOT:-}\${CONTEXT_PROBE:-}" ]`,
  `[ -d "$root/." ]`,
  ...PRE_COMPACT_MARKS.map((mark) => `! [ -e "$root/${mark}" ] && ! [ -h "$root/${mark}" ]`),
];

/** Without options: with `--guidance` the transcript may hold something for the summariser. */
const NOTHING_TO_SAVE = `if ${PRE_COMPACT_TESTS.join(" &&\n  ")}; then
  echo '{}'
${LEAVE}fi
`;

/** What lets a script end before Node starts, having said what the program would have said. */
const NOTHING_TO_DO = {
  "pre-compact": NOTHING_TO_SAVE,
  "session-start": "",
  gate: NOTHING_PENDING,
} as const satisfies Record<HookScript, string>;

/** A person may have put some lines before the comment, such as `set -x`; one far below was copied into a script of theirs. */
const HEAD_LINES = 9;

/**
 * Whether a script was written by this program, by this version or an earlier one: the comment at its head says what it is
 * for; where a person has changed that line, who wrote it.
 */
export function isOurScript(hook: HookScript, text: string): boolean {
  const written = HOOK_SCRIPTS.find((name) => headOf(text).includes(`# ${SCRIPTS[name]}`));
  return written === undefined ? isWrittenByUs(text) : written === hook;
}

/** Whether this program wrote a script, whatever that is for. */
export function isWrittenByUs(text: string): boolean {
  return headOf(text).some((line) => line.startsWith(WRITTEN_BY));
}

function headOf(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/, HEAD_LINES);
}
