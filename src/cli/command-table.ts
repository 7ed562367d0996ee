/** An option as its help shows it; `value` names what follows it. */
export interface OptionSpec {
  readonly long: string;
  readonly short?: string;
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly summary: string;
}

export interface ArgumentSpec {
  readonly name: string;
  readonly required: boolean;
  readonly variadic: boolean;
  readonly summary: string;
}

export interface CommandSpec {
  /** Canonical, dotted. */
  readonly name: string;
  readonly summary: string;
  readonly arguments: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  /** Arguments after the program's name; one or two, the contract says: what ends a help is what a reader takes away. */
  readonly examples: readonly [string] | readonly [string, string];
  /** Exit codes beside 0, 2 and 70, and what they mean here. */
  readonly exits: readonly (readonly [code: number, meaning: string])[];
  /** The empty answer of a command that the client runs as a hook: it is given, with exit code 0, whatever goes wrong. */
  readonly hookAnswer?: string;
  /** The flag with which that answer is no text at all. */
  readonly silentWith?: string;
}

/** What every command takes. */
export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  { long: "root", short: "C", value: "dir", summary: "the project's root folder" },
  { long: "json", summary: "one JSON value on stdout, for errors too" },
  { long: "quiet", short: "q", summary: "say less on stderr" },
  {
    long: "verbose",
    short: "v",
    summary: "say on stderr what is assumed: project, settings, machines, program",
  },
  { long: "no-color", summary: "no colours; NO_COLOR and TERM=dumb mean the same" },
];

const ROLE: ArgumentSpec = { name: "role", required: true, variadic: false, summary: "the role, such as oosh-expert" };
const ROLE_OR_ENV: ArgumentSpec = { ...ROLE, required: false, summary: "the role; HIVEMIND_ROLE by default" };
const PROJECT: ArgumentSpec = {
  name: "project",
  required: false,
  variadic: false,
  summary: "the project's id, such as 24-demo, or its number",
};
const TAKE_OVER: OptionSpec = { long: "take-over", summary: "make this session the role's owner" };
const RECONNECT: OptionSpec = {
  long: "reconnect",
  value: "time",
  summary: "how long to try to reach the server of the machines again once it is lost; 10m by default",
};
const FIX: OptionSpec = { long: "fix", summary: "apply the safe fixes and report what is left" };
const STRICT: OptionSpec = { long: "strict", summary: "warnings make a file invalid too" };
const FORMAT: OptionSpec = {
  long: "format",
  value: "format",
  choices: ["pretty", "json", "github", "sarif"],
  summary: "how findings are printed",
};

/** Every command, once: the help, the parser and the dispatcher are made from this table. */
export const COMMANDS = [
  {
    name: "validate",
    summary: "check context files: findings with their place and the way out",
    arguments: [{ name: "target", required: true, variadic: true, summary: "a file, a role, or - for standard input" }],
    options: [FIX, STRICT, FORMAT],
    examples: ["validate oosh-expert", "validate --fix session/agents/oosh-expert.context.md"],
    exits: [[1, "a file is invalid or cannot be read"]],
  },
  {
    name: "validate.all",
    summary: "check every context file of the project",
    arguments: [],
    options: [FIX, STRICT, FORMAT],
    examples: ["validate.all", "validate.all --format github"],
    exits: [[1, "a file is invalid, or the folder cannot be read"]],
  },
  {
    name: "schema",
    summary: "print what a context file must hold",
    arguments: [],
    options: [],
    examples: ["schema", "schema --json"],
    exits: [],
  },
  {
    name: "new",
    summary: "write a valid context file from a template",
    arguments: [ROLE_OR_ENV],
    options: [
      { long: "description", value: "text", summary: "what the role does, in a few words" },
      { long: "pane", value: "pane", summary: "where the agent runs; found automatically inside tmux" },
      { long: "force", summary: "replace a file that is there" },
    ],
    examples: ['new oosh-expert --description "implementation & architecture"'],
    exits: [[1, "the file is already there, or cannot be written"]],
  },
  {
    name: "lifecycle.init",
    summary: "create the role's machine in active",
    arguments: [ROLE_OR_ENV],
    options: [],
    examples: ["lifecycle.init oosh-expert"],
    exits: [
      [1, "the state cannot be read or written"],
      [4, "another process held the state too long, or the store cannot be reached"],
    ],
  },
  {
    name: "lifecycle.save",
    summary: "validate the context file and mark the role saved",
    arguments: [ROLE_OR_ENV],
    options: [TAKE_OVER],
    examples: ["lifecycle.save oosh-expert"],
    exits: [
      [1, "the context file is not valid: the role stays in saving; or the role is another session's, or compacting"],
      [4, "another process held the state too long, or the store cannot be reached"],
    ],
  },
  {
    name: "lifecycle.status",
    summary: "show where each role stands, and the state of its context file",
    arguments: [{ ...ROLE, required: false, summary: "one role only" }],
    options: [
      {
        long: "filter",
        value: "clauses",
        summary: "only roles that fit, as in state=saved,stuck role=web-* owner=none: a word of each clause",
      },
      {
        long: "watch",
        summary:
          "redraw on change until q; with --json, or not on a terminal, print one line per transition until Ctrl-C",
      },
      RECONNECT,
      { long: "brief", summary: "the machines alone: context files are not looked at" },
      { long: "unsaved", summary: "with the files changed since the save, from the owner's transcript" },
    ],
    examples: ["lifecycle.status oosh-expert --json", "lifecycle.status --filter state=saved,stuck"],
    exits: [
      [1, "the role has no machine, or its state cannot be read"],
      [4, "the store of the machines cannot be reached"],
      [130, "interrupted, with --watch"],
    ],
  },
  {
    name: "lifecycle.pre.compact",
    summary: "check before /compact: a valid context file is marked saved",
    arguments: [ROLE_OR_ENV],
    options: [TAKE_OVER],
    examples: ["lifecycle.pre.compact oosh-expert"],
    exits: [
      [1, "the context file is not valid, or the role is another session's, or compacting"],
      [4, "another process held the state too long, or the store cannot be reached"],
    ],
  },
  {
    name: "lifecycle.recover",
    summary: "bring the machine back to active, from any state",
    arguments: [ROLE_OR_ENV],
    options: [TAKE_OVER],
    examples: ["lifecycle.recover oosh-expert"],
    exits: [
      [1, "the role has no machine"],
      [4, "another process held the state too long, or the store cannot be reached"],
    ],
  },
  {
    name: "lifecycle.repair",
    summary: "bring a role back to active that is stuck or cannot be read, and no other",
    arguments: [ROLE_OR_ENV],
    options: [TAKE_OVER],
    examples: ["lifecycle.repair oosh-expert"],
    exits: [
      [1, "the role has no machine"],
      [4, "another process held the state too long, or the store cannot be reached"],
    ],
  },
  {
    name: "lifecycle.wait",
    summary: "block until roles are in a state, or were in it since the waiting began",
    arguments: [{ ...ROLE, variadic: true, summary: "roles; one that has no machine yet is waited for" }],
    options: [
      {
        long: "for",
        value: "states",
        summary: "active, saving, saved, compacting or recovering; several, with commas between, mean any of them",
      },
      { long: "timeout", value: "time", summary: "500ms, 60s, 5m, 2h; 60s by default; 0 looks once" },
      RECONNECT,
      { long: "all", summary: "every role has to get there: the default" },
      { long: "any", summary: "one role is enough" },
    ],
    examples: ["lifecycle.wait oosh-expert --for saved", "lifecycle.wait tester scrum-master --for saved --timeout 5m"],
    exits: [
      [1, "the state of a role cannot be read"],
      [3, "the time is over"],
      [4, "the store of the machines cannot be reached"],
      [130, "interrupted"],
    ],
  },
  {
    name: "lifecycle.compact",
    summary: "the whole round for an agent in a tmux pane: ask it to save, wait, type /compact, wait until it is back",
    arguments: [ROLE_OR_ENV],
    options: [
      { long: "pane", value: "pane", summary: "%4 or session:window.pane; otherwise it is looked for" },
      { long: "socket", value: "path", summary: "the tmux server's socket, if it is not the usual one" },
      { long: "ask", summary: "ask for a save even if the role is saved" },
      { long: "save-timeout", value: "time", summary: "how long the save may take; 10m by default" },
      { long: "compact-timeout", value: "time", summary: "how long the rest may take; 10m by default" },
      { long: "leave-copy-mode", summary: "bring a pane back from copy mode, instead of leaving it alone" },
      { long: "any-screen", summary: "type even if no input line of the client can be seen" },
      { long: "dry-run", summary: "show the pane and the keys, and type nothing" },
    ],
    examples: ["lifecycle.compact oosh-expert --dry-run", "lifecycle.compact oosh-expert --save-timeout 5m"],
    exits: [
      [1, "no pane is known or it is not the role's agent, the role is compacting or stuck, or tmux is not there"],
      [3, "the time is over; which step's is said"],
      [4, "another one has the agent's pane in hand, or the store of the machines cannot be reached"],
      [130, "interrupted"],
    ],
  },
  {
    name: "lifecycle.history",
    summary: "list the role's transitions, oldest first",
    arguments: [ROLE_OR_ENV],
    options: [
      { long: "since", value: "when", summary: "only what was done since: 24h, 30d, 2026-02-03, 2026-02-03T12:15Z" },
      { long: "limit", value: "n", summary: "only the newest n transitions" },
    ],
    examples: ["lifecycle.history oosh-expert", "lifecycle.history oosh-expert --since 7d --limit 20 --json"],
    exits: [
      [1, "the role has no machine"],
      [4, "the store of the machines cannot be reached"],
    ],
  },
  {
    name: "lifecycle.graph",
    summary: "draw the machine with the role's state marked, or with --gantt a day of all roles, as Mermaid",
    arguments: [{ ...ROLE_OR_ENV, summary: "the role; HIVEMIND_ROLE by default, all roles with --gantt" }],
    options: [
      { long: "gantt", summary: "what roles did in the last 24 hours, one section per role" },
      { long: "day", value: "day", summary: "with --gantt: that day of UTC, such as 2026-02-03" },
      { long: "since", value: "when", summary: "with --gantt: from then on: 24h, 7d, 2026-02-03, 2026-02-03T12:15Z" },
    ],
    examples: ["lifecycle.graph oosh-expert > machine.mmd", "lifecycle.graph --gantt --day 2026-02-03"],
    exits: [
      [1, "the role has no machine, or its state cannot be read"],
      [4, "the store of the machines cannot be reached"],
    ],
  },
  {
    name: "lifecycle.export",
    summary: "write every machine and its history as one document, wherever they are kept",
    arguments: [],
    options: [{ long: "out", value: "file", summary: "the file to write; standard output by default, or with -" }],
    examples: ["lifecycle.export --out machines.json"],
    exits: [
      [1, "a machine cannot be read, or the file cannot be written"],
      [4, "the store of the machines cannot be reached"],
    ],
  },
  {
    name: "lifecycle.import",
    summary: "take over the machines of such a document, all of them or none",
    arguments: [{ name: "file", required: true, variadic: false, summary: "what lifecycle.export wrote; - for stdin" }],
    options: [{ long: "force", summary: "replace machines that are newer, or went another way" }],
    examples: ["lifecycle.import machines.json", "lifecycle.import - < machines.json"],
    exits: [
      [1, "the file is no export, or a machine here is newer or another one"],
      [4, "another process held the state too long, or the store cannot be reached"],
    ],
  },
  {
    name: "report",
    summary: "write one HTML page of all roles: states, timelines, compactions, saves",
    arguments: [],
    options: [
      {
        long: "out",
        value: "file",
        summary: "the file to write; session/.cache/report.html by default, - for stdout",
      },
      { long: "since", value: "when", summary: "how far back: 24h, 30d (the default), 2026-02-03" },
      {
        long: "now",
        value: "time",
        summary: "as of this time, or newest: as of the newest event, so that the same files give the same bytes",
      },
      { long: "force", summary: "replace a file that is no report" },
    ],
    examples: ["report --out fleet.html --since 7d", "report --out - --now newest > fleet.html"],
    exits: [
      [1, "the file is there and is no report, or cannot be written"],
      [4, "the store of the machines cannot be reached"],
    ],
  },
  {
    name: "recover",
    summary: "print all that the role wrote down, then bring its machine back to active",
    arguments: [ROLE_OR_ENV],
    options: [
      TAKE_OVER,
      {
        long: "transcript",
        value: "file",
        summary: "tell what was done from this transcript, not from the last session's",
      },
      { long: "check", summary: "tell which required files were read since the compaction, and print nothing else" },
      { long: "project", value: "id", summary: "with --check: a project's files, not a role's" },
    ],
    examples: ["recover oosh-expert", "recover --check oosh-expert"],
    exits: [
      [1, "the context file is missing; with --check: the recovery is partial or ignored, or cannot be told"],
      [4, "another process held the state too long, or the store cannot be reached"],
    ],
  },
  {
    name: "pre-compact",
    summary: "hook: what the client runs before it compacts; the payload comes on stdin",
    arguments: [],
    options: [
      { long: "guidance", summary: "print text for the summariser instead of {}" },
      { long: "require-saved", summary: "stop a manual compaction while the role is not saved (exit 2)" },
    ],
    examples: ["pre-compact --guidance < payload.json"],
    exits: [],
    hookAnswer: "{}\n",
    silentWith: "--guidance",
  },
  {
    name: "session-start",
    summary: "hook: what a fresh or a just compacted agent reads first; the payload comes on stdin",
    arguments: [],
    options: [
      { long: "part", value: "k/n", summary: "only that part of the document, if it is split over n hook entries" },
      { long: "print", summary: "the whole document, or the part, as bare XML, for people" },
    ],
    examples: ["session-start --part 1/4 < payload.json", "session-start --print < payload.json"],
    exits: [],
    hookAnswer: "",
  },
  {
    name: "gate",
    summary: "hook: after a compaction, denies edits until the required files are read; the payload comes on stdin",
    arguments: [],
    options: [{ long: "skip", summary: "open the gate even if files are unread, and say which; reads no payload" }],
    examples: ["gate < payload.json", "gate --skip"],
    exits: [],
    hookAnswer: "",
  },
  {
    name: "explain",
    summary: "show what session-start would inject now: each section, kept or cut, and why",
    arguments: [],
    options: [
      { long: "source", value: "source", summary: "as if the client said so: startup, resume, clear, compact or fork" },
      { long: "transcript", value: "file", summary: "as if this were the session's transcript" },
    ],
    examples: ["explain", "explain --source compact --transcript session.jsonl --json"],
    exits: [],
  },
  {
    name: "projects",
    summary: "list the projects: status, phase, progress, current task",
    arguments: [],
    options: [],
    examples: ["projects", "projects --json"],
    exits: [],
  },
  {
    name: "skills",
    summary: "list the skills by category, and what is wrong with their files",
    arguments: [],
    options: [],
    examples: ["skills", "skills --json"],
    exits: [],
  },
  {
    name: "resume.new",
    summary: "write a manifest from a project's planning files; never overwrites",
    arguments: [{ ...PROJECT, required: true }],
    options: [],
    examples: ["resume.new 24-demo"],
    exits: [
      [1, "the project has a manifest already, or it cannot be written"],
      [4, "another process held the manifest too long"],
    ],
  },
  {
    name: "resume.show",
    summary: "show a project's manifest and whether its files are there",
    arguments: [{ ...PROJECT, summary: "the project's id or number; every project by default" }],
    options: [],
    examples: ["resume.show 24-demo"],
    exits: [[1, "there is no manifest, or it does not parse"]],
  },
  {
    name: "resume.update",
    summary: "bring a manifest up to date with the steps file; every other byte stays",
    arguments: [{ ...PROJECT, required: true }],
    options: [],
    examples: ["resume.update 24-demo"],
    exits: [
      [1, "there is no manifest or no steps file, or it cannot be changed safely"],
      [4, "another process held the manifest too long"],
    ],
  },
  {
    name: "resume.validate",
    summary: "check manifests: findings with their place and the way out",
    arguments: [{ ...PROJECT, summary: "a project's id or number, or a file; every project by default" }],
    options: [FORMAT],
    examples: ["resume.validate", "resume.validate 24-demo --format github"],
    exits: [[1, "a manifest is invalid or cannot be read"]],
  },
  {
    name: "resume.migrate",
    summary: "turn _resume.md into resume-context.md; the old file is kept",
    arguments: [{ ...PROJECT, summary: "one project only" }],
    options: [
      { long: "dry-run", summary: "show the difference and change nothing" },
      { long: "rollback", summary: "take a migration back" },
    ],
    examples: ["resume.migrate --dry-run", "resume.migrate 24-demo"],
    exits: [[1, "a project could not be migrated; the others are"]],
  },
  {
    name: "detect",
    summary: "tell which project is in hand, from a transcript, and why",
    arguments: [],
    options: [
      {
        long: "transcript",
        value: "file",
        summary: "the client's transcript, a .jsonl file; the running session's by default",
      },
    ],
    examples: ["detect --transcript ~/.claude/projects/my-project/session.jsonl"],
    exits: [[1, "the transcript cannot be read"]],
  },
  {
    name: "trail",
    summary: "tell what was done in a session: files, commands, failures, open todos, requests",
    arguments: [
      {
        name: "transcript",
        required: false,
        variadic: false,
        summary: "a transcript of the client; the running session's by default",
      },
    ],
    options: [
      { long: "format", value: "format", choices: ["md", "xml", "json"], summary: "how it is printed" },
      { long: "budget", value: "tokens", summary: "how long it may be; 1500 by default" },
      { long: "since-compaction", summary: "only what was done since the last compaction" },
    ],
    examples: ["trail session.jsonl --budget 800", "trail --since-compaction --format xml"],
    exits: [[1, "the transcript cannot be read"]],
  },
  {
    name: "thread",
    summary: "print a transcript, or agent events, as <thread> XML",
    arguments: [
      {
        name: "file",
        required: true,
        variadic: false,
        summary: "a transcript, a JSON array of events, a file of one event per line, or -",
      },
    ],
    options: [
      { long: "last", value: "n", summary: "only the newest n events" },
      { long: "since-compaction", summary: "only what was done since the last compaction" },
      { long: "budget", value: "tokens", summary: "how long it may be" },
      {
        long: "escape",
        value: "how",
        choices: ["full", "structural"],
        summary: "structural leaves quotes in texts as they are",
      },
      { long: "full", summary: "with the attributes that bring every field back" },
      { long: "raw", summary: "leave secrets in" },
    ],
    examples: ["thread session.jsonl --since-compaction --budget 4000", "thread - < events.json"],
    exits: [[1, "the file cannot be read, or holds something else than events"]],
  },
  {
    name: "completion",
    summary: "print a shell's completion script",
    arguments: [{ name: "shell", required: true, variadic: false, summary: "bash, zsh or fish" }],
    options: [],
    examples: ["completion bash >> ~/.bashrc"],
    exits: [],
  },
  {
    name: "init",
    summary: "set a project up: its folders, the hook scripts, and the hooks in the client's settings",
    arguments: [],
    options: [
      { long: "check", summary: "change nothing; exit 1 if something is missing or old" },
      { long: "dry-run", summary: "show the difference and change nothing" },
      { long: "remove", summary: "remove what init made, and nothing else" },
      { long: "gate", summary: "register the gate as well; with --remove: remove the gate and leave the rest" },
      { long: "user", summary: "register for all projects, in your own settings" },
      { long: "yes", summary: "do not ask, even on a terminal" },
    ],
    examples: ["init --dry-run", "init --gate"],
    exits: [[1, "a file cannot be read or written, or --check found something; nothing is replaced"]],
  },
  {
    name: "doctor",
    summary: "run the installed hooks as the client would, and say what is not as it should be",
    arguments: [],
    options: [
      { long: "fix", summary: "repair what can be repaired, and check again" },
      { long: "perf", summary: "the times of each hook command, from the transcripts" },
      {
        long: "managed-settings",
        value: "file",
        summary: "the administrator's settings, if they are not where the client looks",
      },
    ],
    examples: ["doctor --fix", "doctor --json"],
    exits: [[1, "something fails; warnings alone are 0"]],
  },
  {
    name: "demo",
    summary: "run the whole round in a temporary project, and show each step",
    arguments: [],
    options: [],
    examples: ["demo"],
    exits: [[1, "a step did not do what it should"]],
  },
] as const satisfies readonly CommandSpec[];

export type CommandName = (typeof COMMANDS)[number]["name"];
