import { CATALOGUE, type FindingCode } from "./catalogue.ts";

/** What is wrong, without the particulars, and what `--fix` does about it where there is something. */
type Texts = {
  readonly [Code in FindingCode]: (typeof CATALOGUE)[Code]["fixable"] extends true
    ? { readonly summary: string; readonly fix: string }
    : { readonly summary: string; readonly fix?: never };
};

const REGISTER = "registers the hooks as `init` does";

/** Each kind of finding as docs/doctor.md tells it. */
export const FINDING_TEXTS: Texts = {
  "settings-broken": { summary: "A settings file is not JSON, or does not have the shape of settings." },
  "settings-dropped": {
    summary:
      "A settings file holds a comment, a trailing comma, or another kind of value than a setting has: Claude Code drops the whole file.",
  },
  "hook-left-out": {
    summary: "A hook of ours lacks the form that the client takes: 2.1.332 leaves it out, 2.0.76 drops the whole file.",
    fix: REGISTER,
  },
  "other-left-out": {
    summary: "Somebody else's hook lacks that form: 2.1.332 leaves it out, and 2.0.76 drops the whole file.",
  },
  "event-unknown": {
    summary:
      "A file with hooks of ours names an event that older clients do not know: 2.0.76 and 2.1.50 drop the whole file.",
  },
  "hooks-disabled": { summary: "`disableAllHooks` is set: no hook runs." },
  "managed-hooks-only": { summary: "`allowManagedHooksOnly` is set by the administrator: only managed hooks run." },
  "plugin-missing": { summary: "The plugin is switched on and its files are not there." },
  "switched-off": {
    summary: "`CONTEXT_DISABLED=1` is in the environment or the settings' `env`: every hook is silent.",
  },
  "not-registered": { summary: "A hook is not registered at its event.", fix: REGISTER },
  misplaced: { summary: "A hook is registered at an event that is not its own, where it is of no use.", fix: REGISTER },
  "registered-twice": {
    summary: "A hook is registered in two places by different commands: both run.",
    fix: "takes the hooks out of the settings where the plugin registers them, and out of all but one of the project's files",
  },
  "registered-again": {
    summary: "A hook is registered in two places by the same command: the client runs it once.",
    fix: "as for `registered-twice`",
  },
  "matcher-narrow": { summary: "A matcher keeps the hook from a start or a compaction that it is needed at." },
  "answer-unheard": {
    summary:
      "An entry has `async`, `asyncRewake`, `if` or `shell`, with which Claude Code 2.1.332 does not wait for the hook's answer.",
  },
  "timeout-missing": { summary: "A hook has no time-out: one that stalls blocks the client.", fix: REGISTER },
  "timeout-short": {
    summary: "A time-out is less than half of what `init` sets.",
    fix: "sets it to that",
  },
  "timeout-long": { summary: "A time-out is longer than a minute.", fix: "sets it to what `init` sets" },
  "parts-differ": {
    summary: "The session-start parts are not the ones that `delivery.parts` asks for, each once.",
    fix: REGISTER,
  },
  "guidance-missing": {
    summary: "PreCompact is registered without `--guidance`: the summariser is told nothing.",
    fix: REGISTER,
  },
  "machine-path-shared": { summary: "A file that is shared names a path of this machine.", fix: REGISTER },
  "unknown-verb": { summary: "A hook calls a command that this version does not have.", fix: "removes the entry" },
  "registration-old": { summary: "The registration differs from what this version writes.", fix: REGISTER },
  "script-missing": { summary: "A hook script that a line starts is not there.", fix: "writes it" },
  "script-not-runnable": { summary: "A hook script has no run bit.", fix: "sets it" },
  "script-stale": { summary: "A hook script is not what this version writes.", fix: "rewrites it" },
  "script-twice": { summary: "A hook script of ours stands under both of its names.", fix: "deletes the second" },
  "program-gone": { summary: "A hook's command names a file that is not there.", fix: REGISTER },
  "node-missing": { summary: "The hooks find no `node`." },
  "node-old": { summary: "The `node` that the hooks start is older than version 20." },
  "setup-blocked": { summary: "What `init` would do cannot be worked out, so nothing in the setup can be repaired." },
  "hook-not-found": { summary: "The shell cannot find, or may not run, what a hook's command names.", fix: REGISTER },
  "hook-exit": { summary: "A hook ends with an exit code other than 0." },
  "hook-timed-out": { summary: "A hook does not end within its time-out: the client drops its answer." },
  "hook-not-run": { summary: "Hooks could not be run, so nobody knows what they answer." },
  untrusted: {
    summary:
      "The client has not been told to trust this folder, so its hooks are not run here. The client asks in a terminal, and runs them unasked with `-p`.",
  },
  "hook-slow": { summary: "A hook takes more than half of its time-out." },
  "hook-did-nothing": {
    summary: "The hook's program refuses its options, or reports a fault of its own.",
    fix: REGISTER,
  },
  "hook-silent": { summary: "No part of session-start says anything at a fresh start." },
  "answer-broken": { summary: "A hook's answer does not have the one shape that the client takes." },
  "answer-too-long": { summary: "A hook's answer is longer than the client passes on." },
  "other-version": { summary: "A hook runs a version of this program other than the one that looks." },
  "native-unused": {
    summary: "A native program was built and none is used: it is of another build, or does not run on this machine.",
  },
  "not-fired": { summary: "Sessions have begun long after the hooks last ran." },
  "failed-in-session": { summary: "A transcript records that a hook of ours failed or was cut off." },
  "text-not-seen": { summary: "A hook ran, and its text is not in the transcript." },
  "text-cut": { summary: "A hook ran, and the client passed on less than its whole text." },
  "compaction-loop": { summary: "Compaction follows compaction, with no prompt by a person between them." },
  "store-address": { summary: "`CONTEXT_STORE` names no store." },
  "store-unnamed": { summary: "Nothing names the project in the store." },
  "store-library-missing": { summary: "The package that speaks with the store is not installed." },
  "store-certificate": {
    summary: "The store's certificate is not trusted, or a file that `CONTEXT_STORE_CA` or its like names holds none.",
  },
  "store-refused": { summary: "The store refuses the password, or a command that is needed." },
  "store-unreachable": { summary: "The store does not answer." },
  "store-notes-wait": { summary: "Steps that hooks noted for the store have not been passed on yet." },
  "store-other-project": {
    summary:
      "No role in the store was saved at a commit of this repository: another project may have the same name there.",
  },
  "store-forgets": { summary: "The store's server may delete the machines, or lose them when it is restarted." },
  "set-aside": { summary: "A file could not be read and was kept aside." },
  "machine-unreadable": { summary: "A role's state file cannot be read." },
  "state-unreadable": { summary: "The state that PreCompact leaves for the next start cannot be read." },
  "stale-lock": { summary: "A lock's owner has ended.", fix: "takes the lock over and releases it" },
  leftovers: { summary: "Writers that were killed left temporary files.", fix: "removes them" },
  "role-stuck": { summary: "A role has been for more than ten minutes in a state that it should only pass through." },
  "folder-unwritable": { summary: "A folder that the hooks write to, or a role's history or lock, cannot be written." },
  "cache-not-ignored": {
    summary: "Git would commit a cache that names paths of this machine.",
    fix: "puts a `.gitignore` into the cache folder",
  },
  "local-not-ignored": {
    summary: "Git would commit settings of this machine, or state files that name its paths.",
  },
  "contexts-ignored": {
    summary:
      "A `.gitignore`, or git's ignore file for all projects, leaves context files out of commits: what roles know is on this machine alone. What `.git/info/exclude` leaves out is not reported.",
  },
  "config-invalid": { summary: "context.yaml holds unknown keys or values." },
  "context-files-invalid": { summary: "Context files have errors: a recovery from them is worth less." },
  "role-unknown": {
    summary:
      "`HIVEMIND_ROLE`, of the environment or the settings' `env`, is not a role's name, or names a role that does not exist.",
  },
  "recover-impossible": { summary: "A role has a state and no context file: `recover` has nothing to give." },
  "agents-folder-missing": { summary: "There is no folder for the roles' context files.", fix: "creates it" },
};

/** Every code, in the catalogue's order. */
export const FINDING_CODES: readonly FindingCode[] = Object.keys(CATALOGUE).filter(isFindingCode);

function isFindingCode(text: string): text is FindingCode {
  return Object.hasOwn(CATALOGUE, text);
}
