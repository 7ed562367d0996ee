import type { HookScript } from "../install/hook-scripts.ts";
import type { Place } from "./finding.ts";

/**
 * Where the client reads hooks from; each one after overrides those before, and hooks of all of them run. `main` is the local
 * file of the main checkout, or of the repository around the project.
 */
export type Level = "plugin" | "user" | "project" | "local" | "main" | "managed";

/** What the client does not take in a settings file, as in "found a number, expected a string". */
export interface FormFault {
  readonly place: Place;
  readonly found: string;
  readonly expected: string;
}

/** A hook of ours that some file registers. */
export interface HookEntry {
  readonly level: Level;
  readonly place: Place;
  readonly event: string;
  readonly hook: HookScript;
  /** As the client runs it. */
  readonly command: string;
  /** The words behind the hook's name. */
  readonly words: readonly string[];
  /** Whether the line does nothing but start our hook. */
  readonly plain: boolean;
  /** Null where it runs at every start of the event. */
  readonly matcher: string | null;
  /** Seconds; null where it has none that is a number above 0. */
  readonly timeout: number | null;
  /** What its entry has that makes the client go on without its answer; null where nothing does. */
  readonly unheard: string | null;
  readonly machinePath: boolean;
  /** What keeps the client from taking it; null where nothing does. */
  readonly fault: FormFault | null;
  /** Absolute paths in the command at which there is nothing. */
  readonly gone: readonly string[];
}

/** A file of settings, or of a plugin's hooks, as it stands. */
export interface SettingsLevel {
  readonly level: Level;
  /** As a person reads it. */
  readonly shown: string;
  readonly problem: { readonly place: Place; readonly message: string; readonly hint: string } | null;
  /** What makes the client drop the whole file; `way` is an order without its full stop. */
  readonly dropped: (FormFault & { readonly way: string }) | null;
  /** Null where the file does not say. */
  readonly disableAllHooks: boolean | null;
  readonly managedHooksOnly: boolean;
  /** Variables that the client puts into the environment of the hooks, over those that it was started with. */
  readonly env: Readonly<Record<string, string>>;
  readonly hooks: readonly HookEntry[];
  /** What the client leaves out of the file, but for hooks of ours. */
  readonly leftOut: readonly (FormFault & { readonly event: string })[];
  /** Events that the file names and a client of 2.0.76 does not know. */
  readonly newEvents: readonly { readonly name: string; readonly place: Place }[];
  /** Entries that call this program with a command that it does not have. */
  readonly unknownVerbs: readonly { readonly verb: string; readonly event: string; readonly place: Place }[];
}

/** A hook that is to be registered. */
export interface ExpectedHook {
  readonly event: string;
  readonly hook: HookScript;
  readonly words: readonly string[];
  /** Seconds. */
  readonly timeout: number;
}

/** What `init` would do about one file. */
export interface PlannedChange {
  readonly action: "create" | "change" | "delete" | "make-runnable" | "create-folder" | "delete-folder";
  readonly shown: string;
  readonly kind: "script" | "settings" | "folder";
}

/** A registered command, run as the client runs it, and what came back. */
export interface Probe {
  readonly entry: HookEntry;
  /** What the payload said: a start's source, a compaction's trigger, a tool's name. */
  readonly occasion: string;
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** The limit that it was given, in milliseconds. */
  readonly limitMs: number;
  readonly ms: number;
  readonly stdout: string;
  readonly stderr: string;
  /** What the program said of itself; null where it did not. */
  readonly program: { readonly version: string; readonly path: string; readonly node: string } | null;
}

/** A run of a hook of ours that a transcript records. */
export interface RecordedRun {
  readonly transcript: string;
  /** As the client calls it, such as `SessionStart:compact`. */
  readonly name: string;
  readonly command: string;
  /** Milliseconds; null where the client did not write it down. */
  readonly ms: number | null;
  /** Milliseconds since the epoch; null where the record has no time. */
  readonly at: number | null;
  readonly outcome: "success" | "failed";
  /** The text for the model that it printed; null where it printed none. */
  readonly text: string | null;
  /** What the client passed on of that text. */
  readonly seen: "whole" | "cut" | "none";
}

export interface SessionFacts {
  /** The project's transcripts that were looked at, newest first. */
  readonly transcripts: readonly string[];
  /** When the newest session began, in milliseconds since the epoch. */
  readonly newestStart: { readonly at: number; readonly transcript: string } | null;
  /** When a hook of ours ran last, by the transcripts and by what it left behind. */
  readonly lastRun: number | null;
  /** When the newest file that registers the hooks was written. */
  readonly registeredAt: number | null;
  readonly runs: readonly RecordedRun[];
  /** Compactions that our hook saw end, and whose transcript holds no text of ours behind them. */
  readonly unseenCompactions: readonly string[];
  readonly loop: { readonly transcript: string; readonly compactions: number; readonly minutes: number } | null;
}

export interface StateFacts {
  readonly setAside: readonly string[];
  readonly staleLocks: readonly { readonly shown: string; readonly owner: string }[];
  readonly leftovers: readonly string[];
  /** `way` is an order without its full stop; `%` stands for all folders that it is about. */
  readonly unwritable: readonly { readonly shown: string; readonly message: string; readonly way: string }[];
  readonly machines: readonly {
    readonly role: string;
    readonly shown: string;
    readonly problem: string | null;
    /** What to do about the problem; null where the role's recovery sets the file aside. */
    readonly way: string | null;
    readonly stuck: { readonly state: string; readonly since: string } | null;
    readonly hasContext: boolean;
    /** What takes it away, an order in the middle of a sentence. */
    readonly removal: string;
  }[];
  /** What is wrong with the state that PreCompact left. */
  readonly precompact: { readonly shown: string; readonly message: string } | null;
  readonly config: readonly string[];
  readonly invalidContexts: readonly string[];
  readonly contexts: number;
  /** Files that git would take along. */
  readonly unignored: readonly { readonly shown: string; readonly kind: "cache" | "local" }[];
  /** What makes git leave a context file out of a commit, and what can be left out instead of it; null where nothing does. */
  readonly ignored: {
    readonly shown: string;
    readonly place: Place;
    readonly pattern: string;
    readonly instead: readonly string[];
  } | null;
}

/** The server that several hosts share for the machines, if there is one. */
export interface StoreFacts {
  /** Whether `CONTEXT_STORE` names one. */
  readonly named: boolean;
  /** Its address as anybody may see it. */
  readonly shown: string;
  /** Why it cannot be used. */
  readonly trouble: {
    readonly kind: "address" | "unnamed" | "library" | "certificate" | "refused" | "unreachable";
    readonly message: string;
    readonly hint: string;
  } | null;
  /** Files of steps that were noted for it. */
  readonly waiting: readonly string[];
  /** Its machines, where every one of them was saved at a commit that this repository does not have. */
  readonly foreign: readonly { readonly role: string; readonly commit: string }[];
  /** The rule by which it deletes machines when its memory is full; null where it deletes none, or does not tell. */
  readonly evicts: string | null;
  /** Whether a restart of the server loses them; false where it does not tell. */
  readonly forgets: boolean;
}

/** Everything that the checks judge. */
export interface DoctorFacts {
  readonly root: string;
  readonly version: string;
  /** How this program is started from the project's root. */
  readonly invokedAs: string;
  /** The command that sets up what is looked at here: the project, or all projects where the hooks are registered for these. */
  readonly init: string;
  readonly levels: readonly SettingsLevel[];
  /** Plugins of ours that are switched on; `files` is false where they are not to be found. */
  readonly plugin: { readonly name: string; readonly enabledBy: Place; readonly files: boolean } | null;
  /** Files whose hooks of ours can be taken out by `--fix`, as the plugin registers them. */
  readonly redundant: readonly string[];
  /** Where the client has not noted that it trusts the folder, and hooks of the project are for that reason not run. */
  readonly trust: { readonly place: Place } | null;
  readonly disabledByEnv: boolean;
  /** What is wrong with the role that the hooks are told, and the settings file that says it, where one does. */
  readonly role: { readonly file: string | null; readonly message: string; readonly hint: string } | null;
  readonly expected: readonly ExpectedHook[];
  /** Null where it cannot be worked out; then `blocked` says why. */
  readonly plan: readonly PlannedChange[] | null;
  readonly blocked: { readonly message: string; readonly hint: string } | null;
  /** Of the `node` that the hooks start; null where they find none. The version is "" where it says none, and `says` what it says instead. */
  readonly node: { readonly path: string; readonly version: string; readonly says: string } | null;
  /** The native program that was built; null where none was. `problem` says why it is not used, as the end of a sentence that begins with the path. */
  readonly native: { readonly path: string; readonly problem: string | null } | null;
  readonly probes: readonly Probe[];
  /** Why hooks were not run, and the way out. */
  readonly unrun: readonly { readonly message: string; readonly hint: string }[];
  readonly sessions: SessionFacts;
  readonly store: StoreFacts;
  readonly state: StateFacts;
}
