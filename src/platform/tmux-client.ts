import { err, ok, type Result } from "../base/result.ts";
import { shellWord } from "../base/shell-word.ts";
import { runBounded } from "./run-bounded.ts";

/** Which tmux server is asked. */
export interface TmuxServer {
  /** Where `TMUX` names the server, unless a socket is given. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The server's socket; null: the one that tmux itself would take. */
  readonly socket: string | null;
}

export interface TmuxProblem {
  /** `absent`: there is no such program; `no-server`: none listens; `failed`: it refused the command. */
  readonly kind: "absent" | "no-server" | "failed";
  /** What tmux said, on one line. */
  readonly message: string;
}

/** How a person's command line to that server begins. */
export function tmuxInvoked({ socket }: TmuxServer): string {
  return socket === null ? "tmux" : `tmux -S ${shellWord(socket)}`;
}

/** A server that does not answer by then hangs; a healthy one takes milliseconds. */
const ANSWER_MS = 5000;

/**
 * Has the server run one command, without a shell in between; what it printed. The client runs in a process group of its
 * own, so that a Ctrl-C does not end it in the middle of a command.
 */
export async function askTmux(server: TmuxServer, words: readonly string[]): Promise<Result<string, TmuxProblem>> {
  // UTF-8 whatever the locale: else every other character comes as an underscore.
  const all = ["-u", ...(server.socket === null ? [] : ["-S", server.socket]), ...words.map(oneWord)];
  const ran = await runBounded("tmux", all, { cwd: "/", env: server.env, input: "", limitMs: ANSWER_MS });
  if (ran.exitCode === 0) return ok(ran.stdout);
  if (ran.timedOut) return err({ kind: "failed", message: `it gives no answer within ${ANSWER_MS} ms` });
  if (ran.exitCode === null) return err({ kind: "absent", message: "tmux is not found" });
  const message = ran.stderr.trim().replace(/\s+/g, " ") || `exit code ${ran.exitCode}`;
  const noServer = /no server running|error connecting|server exited|lost server/.test(message);
  return err({ kind: noServer ? "no-server" : "failed", message });
}

/** tmux takes a semicolon at a word's end for the end of the command, wherever the word stands. */
function oneWord(word: string): string {
  return word.endsWith(";") ? `${word.slice(0, -1)}\\;` : word;
}
