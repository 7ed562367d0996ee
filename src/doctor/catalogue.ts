/** `fail` makes the exit code 1; `warn` does not. */
export type Severity = "fail" | "warn";

interface Spec {
  readonly severity: Severity;
  /** What is wrong, without the particulars. */
  readonly summary: string;
  /** What `--fix` does about it; null where it is a person's to decide. */
  readonly fix: string | null;
}

const REGISTER = "registers the hooks as `init` does";

/** Every kind of finding, once: the report, its JSON Schema and docs/doctor.md are made from this table. */
export const CATALOGUE = {
  "settings-broken": {
    severity: "fail",
    summary: "A settings file is no JSON, or not of the shape of settings.",
    fix: null,
  },
  "settings-dropped": {
    severity: "fail",
    summary:
      "A settings file holds a comment, a trailing comma, or another kind of value than a setting has: Claude Code drops the whole file.",
    fix: null,
  },
  "hook-left-out": {
    severity: "fail",
    summary:
      "A hook of ours is not of the form that the client takes: 2.1.332 leaves it out, 2.0.76 drops the whole file.",
    fix: REGISTER,
  },
  "other-left-out": {
    severity: "warn",
    summary: "Somebody else's hook is not of that form: 2.1.332 leaves it out, and 2.0.76 drops the whole file.",
    fix: null,
  },
  "event-unknown": {
    severity: "warn",
    summary:
      "A file with hooks of ours names an event that older clients do not know: 2.0.76 and 2.1.50 drop the whole file.",
    fix: null,
  },
  "hooks-disabled": { severity: "fail", summary: "`disableAllHooks` is set: no hook runs.", fix: null },
  "managed-hooks-only": {
    severity: "fail",
    summary: "`allowManagedHooksOnly` is set by the administrator: only managed hooks run.",
    fix: null,
  },
  untrusted: {
    severity: "fail",
    summary: "The client has not been told to trust this folder: it runs no hook of it.",
    fix: null,
  },
  "plugin-missing": { severity: "fail", summary: "The plugin is switched on and its files are not there.", fix: null },
  "switched-off": {
    severity: "warn",
    summary: "`CONTEXT_DISABLED=1` is in the environment: every hook is silent.",
    fix: null,
  },
  "not-registered": { severity: "fail", summary: "A hook is not registered at its event.", fix: REGISTER },
  "registered-twice": {
    severity: "fail",
    summary: "A hook is registered in two places by different commands: both run.",
    fix: "takes the hooks out of the settings where the plugin registers them, and out of all but one of the project's files",
  },
  "registered-again": {
    severity: "warn",
    summary: "A hook is registered in two places by the same command: the client runs it once.",
    fix: "as for `registered-twice`",
  },
  "matcher-narrow": {
    severity: "fail",
    summary: "A matcher keeps the hook from a start or a compaction that it is needed at.",
    fix: null,
  },
  "timeout-missing": {
    severity: "warn",
    summary: "A hook has no time-out: one that stalls blocks the client.",
    fix: REGISTER,
  },
  "timeout-short": {
    severity: "warn",
    summary: "A time-out is less than half of what the hook is given by `init`.",
    fix: "sets it to that figure",
  },
  "timeout-long": {
    severity: "warn",
    summary: "A time-out is longer than a minute.",
    fix: "sets it to the figure of `init`",
  },
  "parts-differ": {
    severity: "fail",
    summary: "The session-start parts are not those that `delivery.parts` asks for, each once.",
    fix: REGISTER,
  },
  "guidance-missing": {
    severity: "warn",
    summary: "PreCompact is registered without `--guidance`: the summariser is told nothing.",
    fix: REGISTER,
  },
  "machine-path-shared": {
    severity: "warn",
    summary: "A file that is shared names a path of this machine.",
    fix: REGISTER,
  },
  "unknown-verb": {
    severity: "fail",
    summary: "A hook calls a command that this version does not have.",
    fix: "removes the entry",
  },
  "registration-old": {
    severity: "warn",
    summary: "The registration differs from what this version writes.",
    fix: REGISTER,
  },
  "script-missing": { severity: "fail", summary: "A hook script is not there.", fix: "writes it" },
  "script-not-runnable": { severity: "fail", summary: "A hook script has no run bit.", fix: "sets it" },
  "script-stale": {
    severity: "warn",
    summary: "A hook script is not what this version writes.",
    fix: "writes it anew",
  },
  "script-twice": {
    severity: "warn",
    summary: "A hook script of ours stands under both of its names.",
    fix: "deletes the second",
  },
  "program-gone": { severity: "warn", summary: "A hook's command names a file that is not there.", fix: REGISTER },
  "node-missing": { severity: "fail", summary: "The hooks find no `node`.", fix: null },
  "node-old": { severity: "fail", summary: "The `node` that the hooks start is older than version 20.", fix: null },
  "setup-blocked": {
    severity: "warn",
    summary: "What `init` would do cannot be worked out, so nothing of the setup can be mended.",
    fix: null,
  },
  "hook-not-found": {
    severity: "fail",
    summary: "The shell cannot find, or may not run, what a hook's command names.",
    fix: REGISTER,
  },
  "hook-exit": { severity: "fail", summary: "A hook ends with another exit code than 0.", fix: null },
  "hook-timed-out": {
    severity: "fail",
    summary: "A hook does not end within its time-out: the client drops what it says.",
    fix: null,
  },
  "hook-slow": { severity: "warn", summary: "A hook takes more than half of its time-out.", fix: null },
  "hook-did-nothing": {
    severity: "fail",
    summary: "The hook's program refuses its options, or reports a fault of its own.",
    fix: REGISTER,
  },
  "hook-silent": { severity: "fail", summary: "No part of session-start says anything at a fresh start.", fix: null },
  "answer-broken": {
    severity: "fail",
    summary: "A hook's answer is not of the one shape that the client takes.",
    fix: null,
  },
  "answer-too-long": { severity: "fail", summary: "A hook's answer is longer than the client passes on.", fix: null },
  "other-version": {
    severity: "warn",
    summary: "A hook runs another version of this program than the one that looks.",
    fix: null,
  },
  "native-unused": {
    severity: "warn",
    summary: "A native program was built and none is used: it is of another build, or does not run on this machine.",
    fix: null,
  },
  "not-fired": { severity: "warn", summary: "Sessions have begun long after the hooks ran last.", fix: null },
  "failed-in-session": {
    severity: "warn",
    summary: "A transcript records that a hook of ours failed or was cut off.",
    fix: null,
  },
  "text-not-seen": { severity: "warn", summary: "A hook ran, and its text is not in the transcript.", fix: null },
  "text-cut": {
    severity: "warn",
    summary: "A hook ran, and the client passed on less than its whole text.",
    fix: null,
  },
  "compaction-loop": {
    severity: "warn",
    summary: "Compaction follows compaction, with no prompt by a person between them.",
    fix: null,
  },
  "store-address": { severity: "fail", summary: "`CONTEXT_STORE` names no store.", fix: null },
  "store-unnamed": { severity: "fail", summary: "Nothing names the project in the store.", fix: null },
  "store-library-missing": {
    severity: "fail",
    summary: "The package that speaks with the store is not installed.",
    fix: null,
  },
  "store-certificate": {
    severity: "fail",
    summary: "The store's certificate is not trusted, or a file that `CONTEXT_STORE_CA` or its like names is none.",
    fix: null,
  },
  "store-refused": {
    severity: "fail",
    summary: "The store refuses the password, or what has to be asked of it.",
    fix: null,
  },
  "store-unreachable": { severity: "fail", summary: "The store does not answer.", fix: null },
  "store-notes-wait": { severity: "warn", summary: "Steps that hooks noted for the store wait to be told.", fix: null },
  "store-other-project": {
    severity: "warn",
    summary:
      "No role in the store was saved at a commit of this repository: another project may have the same name there.",
    fix: null,
  },
  "store-forgets": {
    severity: "warn",
    summary: "The store's server may delete the machines, or loses them when it is started again.",
    fix: null,
  },
  "set-aside": { severity: "warn", summary: "A file could not be read and was kept aside.", fix: null },
  "machine-unreadable": { severity: "fail", summary: "A role's state file cannot be read.", fix: null },
  "state-unreadable": {
    severity: "warn",
    summary: "The state that PreCompact leaves for the next start cannot be read.",
    fix: null,
  },
  "stale-lock": { severity: "warn", summary: "A lock's owner has ended.", fix: "takes the lock over and releases it" },
  leftovers: { severity: "warn", summary: "Writers that were killed left temporary files.", fix: "removes them" },
  "role-stuck": {
    severity: "warn",
    summary: "A role has stood in a state that it only passes through for more than ten minutes.",
    fix: null,
  },
  "folder-unwritable": { severity: "fail", summary: "A folder that the hooks write to cannot be written.", fix: null },
  "cache-not-ignored": {
    severity: "warn",
    summary: "Git would take along a cache that names paths of this machine.",
    fix: "puts a `.gitignore` into the cache folder",
  },
  "local-not-ignored": {
    severity: "warn",
    summary: "Git would take along settings of this machine, or state files that name its paths.",
    fix: null,
  },
  "config-invalid": { severity: "warn", summary: "context.yaml holds what is not known.", fix: null },
  "context-files-invalid": {
    severity: "warn",
    summary: "Context files have errors: a recovery from them is worth less.",
    fix: null,
  },
  "recover-impossible": {
    severity: "warn",
    summary: "A role has a state and no context file: `recover` has nothing to give.",
    fix: null,
  },
  "agents-folder-missing": {
    severity: "warn",
    summary: "There is no folder for the roles' context files.",
    fix: "makes it",
  },
} as const satisfies Record<string, Spec>;

export type FindingCode = keyof typeof CATALOGUE;

export const FINDING_CODES: readonly FindingCode[] = Object.keys(CATALOGUE).filter(isFindingCode);

function isFindingCode(text: string): text is FindingCode {
  return Object.hasOwn(CATALOGUE, text);
}
