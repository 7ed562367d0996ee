export interface Output {
  /** Writes all of the text before it returns. A reader that has gone away is no fault: the rest is dropped. */
  readonly write: (text: string) => void;
  readonly isTerminal: () => boolean;
  /** Whether a reader that has gone away was noticed. */
  readonly isGone: () => boolean;
  /** Why some of a text did not arrive, where that is not for want of a reader: `no space left on the device (ENOSPC)`; else null. */
  readonly failure: () => string | null;
}

/** Everything a program can know of the process it runs in, as a value. */
export interface World {
  /** Without the interpreter and the script. */
  readonly argv: readonly string[];
  /** The script that was started, as an absolute path. */
  readonly program: string;
  /** Names the build of the program; absent where it runs from its sources. */
  readonly build?: string;
  /** Node's version and the system's kind, for a report of a fault. */
  readonly system?: string;
  /** The Node that runs it, as an absolute path. */
  readonly interpreter: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly now: () => Date;
  /** Where another program can do the whole again: called with a fault of ours before anything is said of it, and never returns. */
  readonly fault?: (error: unknown) => never;
}
