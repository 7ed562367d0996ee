/** How far back a trail reaches: to the last compaction in what was read, or to its start. */
export type Since = "compaction" | "start";

/** Where a thing stands in the transcript: the record's ordinal in what was read, and its time (ISO 8601) where it has one. */
export interface Place {
  readonly row: number;
  readonly at: string | null;
}

export interface Todo {
  readonly text: string;
  readonly status: "pending" | "in_progress" | "completed";
}

/** A command or call that failed last, and no later success answers it. */
export interface Failure extends Place {
  /** The command, or the tool and the path it was for. */
  readonly what: string;
  readonly tool: string;
  /** How often it failed since it last succeeded. */
  readonly times: number;
  /** The lines of its result that say most. */
  readonly says: string;
}

/** A file that was changed. `path` is relative to the root where it lies inside, else absolute. */
export interface FileWork extends Place {
  readonly path: string;
  readonly change: "created" | "edited" | "deleted";
  /** `shell`: read out of a command's text, so likely but not proved. `tool`: a call of an editing tool succeeded. */
  readonly by: "tool" | "shell";
  /** Successful writes. */
  readonly times: number;
  /** Where `mv` brought it. */
  readonly movedTo: string | null;
  /** Whether a sub-agent did it. */
  readonly subAgent: boolean;
}

export interface FileRead extends Place {
  readonly path: string;
  readonly times: number;
}

/** What the person asked for: a prompt, a command of theirs, or the remark with which they refused a call. */
export interface Request extends Place {
  readonly kind: "prompt" | "command" | "remark";
  readonly text: string;
  /** The session's first: what it is all about. */
  readonly first: boolean;
}

export interface InFlight extends Place {
  readonly kind: "call" | "sub-agent" | "background";
  readonly tool: string;
  readonly what: string;
  /** The client's id of a background task, by which its output can be asked for. */
  readonly id: string | null;
  /** `cut-off`: no result, though the session went on; nothing tells whether it was done. */
  readonly state: "running" | "cut-off";
}

export interface Commit extends Place {
  readonly hash: string | null;
  readonly title: string;
  readonly branch: string | null;
}

/** A test command and its last run. `unknown`: the exit code need not be its own (a pipe, `build && test`), and it printed no counts. */
export interface TestRun extends Place {
  readonly command: string;
  readonly outcome: "passed" | "failed" | "unknown";
  /** The line with the counts, as the runner printed it. */
  readonly counts: string | null;
  readonly times: number;
}

export interface Question extends Place {
  readonly question: string;
  /** Null while there is none. */
  readonly answer: string | null;
  readonly state: "answered" | "open" | "declined";
}

export interface CommandRun extends Place {
  readonly command: string;
  /** `stopped`: it had no end of its own: the person, the agent, or the client ended it. */
  readonly outcome: "ok" | "failed" | "rejected" | "in-flight" | "stopped";
  readonly times: number;
  readonly failed: number;
}

export interface Reference {
  readonly kind: "link" | "issue";
  readonly text: string;
}

/** The person stopped the agent, or refused a call. */
export interface Stop extends Place {
  readonly kind: "interrupted" | "rejected";
  readonly what: string;
}

/** What was done, from the records alone. Lists are newest first, but for the to-do list, which keeps its order. */
export interface Trail {
  /** `end`: of a longer session only the end was read. */
  readonly since: Since | "end";
  /** Compactions in what was read. */
  readonly compactions: number;
  readonly currentTask: string | null;
  readonly todos: readonly Todo[];
  readonly failures: readonly Failure[];
  readonly files: readonly FileWork[];
  readonly requests: readonly Request[];
  readonly inFlight: readonly InFlight[];
  readonly commits: readonly Commit[];
  readonly tests: readonly TestRun[];
  readonly questions: readonly Question[];
  readonly references: readonly Reference[];
  readonly stops: readonly Stop[];
  readonly reads: readonly FileRead[];
  readonly commands: readonly CommandRun[];
}
