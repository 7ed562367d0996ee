import { FIND_NODE } from "./find-node.ts";
import { BARE_NODE, BEGIN, LEAVE } from "./hook-scripts.ts";
import { wantedHooks } from "./our-hooks.ts";
import { hookGroup } from "./settings-edit.ts";

/** The plugin's `hooks/hooks.json`: what `init` registers. The client puts its folder in before a shell sees the line. */
export function pluginHooks(parts: number): object {
  // By `sh`: a marketplace's copy may have lost the right to be run.
  const hooks = wantedHooks(parts, (hook) => `sh "\${CLAUDE_PLUGIN_ROOT}/hooks/run.sh" ${hook}`);
  const events = new Set(hooks.map(({ event }) => event));
  return {
    description: "Saves before a compaction and brings everything back after it.",
    hooks: Object.fromEntries(
      [...events].map((event) => [event, [hookGroup(hooks.filter((hook) => hook.event === event))]]),
    ),
  };
}

/**
 * The plugin's `hooks/run.sh`. A plugin is there in all projects of a person, so where a project holds none of `marks` and
 * no role is at work, it ends before Node starts and leaves no file behind. It exits 0 whatever happens: the client would
 * take another code for a veto.
 */
export function pluginHookScript(marks: readonly string[]): string {
  const tests = marks.map((mark) => `! [ -e "$root/${mark}" ]`).join(" && ");
  return `#!/bin/sh
# Runs a hook with the plugin's own program, in projects that have something for it.
${BEGIN}root=\${CONTEXT_ROOT:-\${CLAUDE_PROJECT_DIR:-.}}
if [ -z "\${HIVEMIND_ROLE:-}" ] && ${tests}; then
${LEAVE}fi
${BARE_NODE}case $0 in */*) here=\${0%/*} ;; *) here=. ;; esac
sh "$here/../bin/context" "$@"
exit 0
`;
}

/** The plugin's `bin/context`: its own program, which says of itself how it is started. */
export function pluginLauncher(): string {
  return `#!/bin/sh
# Runs the plugin's own copy of the command line, whatever the project has installed.
case $0 in */*) here=\${0%/*} ;; *) here=. ;; esac
here=$(CDPATH='' cd -- "$here/.." && pwd -P) || exit 70
${FIND_NODE}if ! command -v node >/dev/null 2>&1; then
  echo "context: node is not on the PATH; version 20 or later is needed. CONTEXT_NODE may name it: /path/to/node" >&2
  exit 70
fi
# It makes every start of Node 20 nearly three times as long, and nothing that is started here reads it.
unset NODE_EXTRA_CA_CERTS
CONTEXT_INVOKED_AS="\\"$here/bin/context\\"" exec node "$here/program/context.cjs" "$@"
`;
}
