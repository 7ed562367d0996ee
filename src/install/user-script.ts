import { shellQuote } from "../base/shell-word.ts";
import { FIND_GLOBAL, FIND_NODE } from "./find-node.ts";
import { BARE_NODE, BEGIN, findIn, noProgram, WRITTEN_BY } from "./hook-scripts.ts";
import { simpleCommands } from "./simple-commands.ts";

/** Its name, in `hooks` beside the settings for all projects. */
export const USER_SCRIPT = "agent-context.sh";

/**
 * The PATH without what is a project's: one that begins with `node_modules/.bin`, or with the folder that `npx` or direnv puts
 * there, would have each project that is opened run a `context` of its own. The client names the folder without links, and the
 * PATH may name it by one: of those that hold a program of ours or Node, each folder above is looked at. A home folder is no project.
 */
const OWN_PATH = `project=\${CLAUDE_PROJECT_DIR:-.} own= theirs=
project=\${project%/}
is_theirs() {
  case $1 in "$project" | "$project"/*) return 0 ;; esac
  { [ -e "$1/context" ] || [ -e "$1/node" ]; } && in_project "$1"
}
in_project() {
  at=$1
  while [ -n "$at" ] && ! [ "$at" -ef "$project" ]; do at=\${at%/*}; done
  [ -n "$at" ]
}
case \${HOME:-/}/ in
  "$project"/*) project=/dev/null ;;
  /*) ! in_project "\${HOME:-/}" || project=/dev/null ;;
esac
set -f
IFS=:
for folder in \${PATH:-}; do
  case $folder in [!/]* | '') continue ;; esac
  if is_theirs "$folder"; then theirs=$theirs:$folder; else own=$own:$folder; fi
done
set +f
unset IFS
export PATH="\${own#:}"
`;

/** The only Node may be a project's, as devbox has it there. */
const THEIR_NODE = `PATH=$PATH$theirs
`;

/**
 * Starts the program for the hooks of all projects; it gets a hook's name and options. It looks where the program was when
 * it was set up (null: on the PATH), then on the PATH, then where Node is kept: a version manager keeps a program with the
 * version of Node that installed it. What lies in a project it does not run: nobody may trust that one yet. `folders` of
 * those above it were made for it: nothing else tells them, once they are empty, from those that a person made.
 */
export function userScript(program: string | null, folders: number): string {
  const places = [...(program === null ? [] : [shellQuote(program)]), "context"];
  return `#!/bin/sh
# Starts agent-context for the hooks of all projects.
${WRITTEN_BY}, which replaces it where it differs; \`context init --user --remove\` takes it away.
${folders === 0 ? "" : `${FOLDERS}${folders}\n`}${BEGIN}${OWN_PATH}${FIND_NODE}${findIn(places.join(" "))}${FIND_GLOBAL}${noProgram("where it was")}${THEIR_NODE}${BARE_NODE}"$context" "$@"
exit 0
`;
}

/** Where such a script looks first: a path, or null for the PATH; undefined where it does not say. */
export function placeInUserScript(script: string): string | null | undefined {
  const [, words] = /^for context in ([^\n]*); do$/m.exec(script) ?? [];
  const first = simpleCommands(words ?? "")[0]?.[0];
  return first === "context" ? null : first;
}

const FOLDERS = "# Folders that were made for it, and go with it where they are empty: ";

/** How many of the folders above such a script were made for it. */
export function foldersMadeFor(text: string): number {
  const line = text.split("\n").find((each) => each.startsWith(FOLDERS));
  return Number(line?.slice(FOLDERS.length) ?? 0) || 0;
}
