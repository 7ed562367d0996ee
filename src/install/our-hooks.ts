import { HOOK_SCRIPTS, type HookScript } from "./hook-scripts.ts";
import { simpleCommands } from "./simple-commands.ts";

/** A hook that this program registers with the client. */
interface Registration {
  /** The client's name of the event; one that an old client does not know makes it drop the whole file. */
  readonly event: string;
  readonly hook: HookScript;
  /** One command for each part where the answer is delivered in parts. */
  readonly args: (parts: number) => readonly string[];
  /** Seconds. The client has no limit of its own that a person would wait for. */
  readonly timeout: number;
}

const REGISTRATIONS: readonly Registration[] = [
  { event: "PreCompact", hook: "pre-compact", args: () => ["--guidance"], timeout: 5 },
  {
    event: "SessionStart",
    hook: "session-start",
    args: (parts) => Array.from({ length: parts }, (_, index) => `--part ${index + 1}/${parts}`),
    timeout: 10,
  },
];

/** One command that the client is to run at an event. */
export interface WantedHook {
  readonly event: string;
  readonly command: string;
  readonly timeout: number;
}

/** What has to be registered, in the order in which it is written; `start` is the shell text that starts a hook. */
export function wantedHooks(parts: number, start: (hook: HookScript) => string): readonly WantedHook[] {
  return REGISTRATIONS.flatMap(({ event, hook, args, timeout }) =>
    args(parts).map((words) => ({ event, command: `${start(hook)} ${words}`, timeout })),
  );
}

/** The project's variable in quotes of the shell: its path may hold blanks, and the agent's working directory moves. */
export function projectScriptCommand(path: string, program: string | null): string {
  return `${program === null ? "" : `CONTEXT_PROGRAM=${shellQuote(program)} `}"$CLAUDE_PROJECT_DIR"/${path}`;
}

/** A word of the shell for a text, whatever the text holds. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export interface OurCommand {
  readonly hook: HookScript;
  /** Whether the line does nothing but start our hook: one that does more was written by a person and stays as it is. */
  readonly plain: boolean;
  /** Whether it names a place that only this machine has. */
  readonly machinePath: boolean;
}

/** What starts another program, and is not the program that is meant. */
const STARTERS = /^(?:sh|bash|dash|zsh|exec|env|command|node|npx|npm|bunx|bun|pnpm|yarn|dlx|x|--)$/;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/**
 * Whether a registered command runs one of our hooks, in the form of this version or of an earlier one: the script in
 * `.claude/hooks`, or the program itself. `foreign` holds the names of scripts in that folder that are somebody else's.
 */
export function ourCommand(line: string, foreign: ReadonlySet<string>): OurCommand | null {
  const commands = simpleCommands(line);
  for (const words of commands) {
    const hook = hookOf(words, foreign);
    if (hook !== null) {
      return { hook, plain: commands.length === 1, machinePath: words.some(isMachinePath) };
    }
  }
  return null;
}

function hookOf(words: readonly string[], foreign: ReadonlySet<string>): HookScript | null {
  const at = words.findIndex(
    (word) => !ASSIGNMENT.test(word) && !STARTERS.test(baseName(word)) && !word.startsWith("-"),
  );
  const program = words[at];
  if (program === undefined) return null;
  const name = baseName(program);
  if (/(?:^|[/\\])\.claude[/\\]hooks[/\\][^/\\]+$/.test(program)) {
    return foreign.has(name) ? null : (HOOK_SCRIPTS.find((hook) => scriptNames(hook).includes(name)) ?? null);
  }
  if (!/^(?:context(?:\.js|\.cmd)?|agent-context)$/.test(name)) return null;
  const rest = words.slice(at + 1);
  return HOOK_SCRIPTS.find((hook) => rest.includes(hook)) ?? null;
}

/** The name of a hook's script, and the one that it takes where a project has a script of that name already. */
export function scriptNames(hook: HookScript): readonly string[] {
  return [`${hook}.sh`, `context-${hook}.sh`];
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

function isMachinePath(word: string): boolean {
  return /^(?:[A-Za-z_]\w*=)?(?:\/|~|[A-Za-z]:[\\/])/.test(word);
}
