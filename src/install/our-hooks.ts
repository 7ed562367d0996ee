import { shellQuote } from "../base/shell-word.ts";
import { HOOK_SCRIPTS, type HookScript, STANDARD_HOOKS, TAKE_PAYLOAD } from "./hook-scripts.ts";
import { simpleCommands } from "./simple-commands.ts";
import { USER_SCRIPT } from "./user-script.ts";

/** A hook that this program registers with the client. */
interface Registration {
  /** The client's name of the event; one that an old client does not know makes it drop the whole file. */
  readonly event: string;
  readonly hook: HookScript;
  /** The tools whose calls start it; null where the event is about no tool. */
  readonly matcher: string | null;
  /** One command for each part where the answer is delivered in parts. */
  readonly args: (parts: number) => readonly string[];
  /** Seconds. The client has no limit of its own that a person would wait for. */
  readonly timeout: number;
}

const REGISTRATIONS: readonly Registration[] = [
  { event: "PreCompact", hook: "pre-compact", matcher: null, args: () => ["--guidance"], timeout: 5 },
  {
    event: "SessionStart",
    hook: "session-start",
    matcher: null,
    args: (parts) => Array.from({ length: parts }, (_, index) => `--part ${index + 1}/${parts}`),
    timeout: 10,
  },
  { event: "PreToolUse", hook: "gate", matcher: "Edit|Write|MultiEdit|NotebookEdit", args: () => [""], timeout: 5 },
  { event: "PostToolUse", hook: "gate", matcher: "Read", args: () => [""], timeout: 5 },
];

/** What a hook of ours is limited to at an event; null for all of it, and for an event at which it is not registered. */
export function usualMatcher(event: string, hook: HookScript): string | null {
  return REGISTRATIONS.find((row) => row.event === event && row.hook === hook)?.matcher ?? null;
}

/** Whether this program registers this hook at this event. */
export function isUsualEvent(event: string, hook: HookScript): boolean {
  return REGISTRATIONS.some((row) => row.event === event && row.hook === hook);
}

/** One command that the client is to run at an event. */
export interface WantedHook {
  readonly event: string;
  readonly matcher: string | null;
  readonly command: string;
  readonly timeout: number;
}

/** What has to be registered, in the order in which it is written; `start` is the shell text that starts a hook. */
export function wantedHooks(
  parts: number,
  start: (hook: HookScript) => string,
  hooks: readonly HookScript[] = STANDARD_HOOKS,
): readonly WantedHook[] {
  return REGISTRATIONS.filter(({ hook }) => hooks.includes(hook)).flatMap(({ event, hook, matcher, args, timeout }) =>
    args(parts).map((words) => ({ event, matcher, command: `${start(hook)} ${words}`.trimEnd(), timeout })),
  );
}

const PENDING = `[ -e "\${CONTEXT_ROOT:-$CLAUDE_PROJECT_DIR}"/session/.cache/gate.pending ]`;
/** How earlier versions began: they did not look into the root that the program takes. */
const EARLY_BEGIN = 'if [ -e "$CLAUDE_PROJECT_DIR"/session/.cache/gate.pending ]; then ';
const IS_THERE = " >/dev/null; then ";
const FOR_US = /^if r=[^;]*; \{ \[ [^{};]*; \} && command -v /;
const ELSE_NOTHING = `; else ${TAKE_PAYLOAD}; fi`;
const NO_ERROR = "; exit 0";

/** Whether the project holds one of `marks`, or a role is at work; a probe looks at the program itself. */
function isForUs(marks: readonly string[]): string {
  const tests = ['-n "$HIVEMIND_ROLE$CONTEXT_PROBE"', ...marks.map((mark) => `-e "$r/${mark}"`)];
  return `r=\${CONTEXT_ROOT:-\${CLAUDE_PROJECT_DIR:-.}}; { ${tests.map((test) => `[ ${test} ]`).join(" || ")}; }`;
}

/**
 * A line for all projects, where no script looks for the program: it does nothing where that is gone, which would be an error
 * at each start of each project, nor for the gate while nothing is pending, nor, as a plugin, in a project that is none of
 * ours. `start` is the shell's word for the program.
 */
export function guardedCommand(
  start: string,
  hook: HookScript,
  command: string,
  marks: readonly string[] = [],
): string {
  const wanted = hook === "gate" ? `${PENDING} && ` : marks.length === 0 ? "" : `${isForUs(marks)} && `;
  const condition = `${wanted}command -v ${start}`;
  return `if ${condition}${IS_THERE}${command}${ELSE_NOTHING}${NO_ERROR}`;
}

/** Whether a line says nothing where its program is gone. */
export function isGuarded(line: string): boolean {
  return withoutGuard(line) !== line;
}

/** What stands inside a guard, of this version or an earlier one; a line that is none as it is. */
function withoutGuard(given: string): string {
  const line = given.replace("{ cat <&3", "{ head -c 99999999 <&3");
  if (line.startsWith(EARLY_BEGIN) && line.endsWith(ELSE_NOTHING)) {
    return line.slice(EARLY_BEGIN.length, -ELSE_NOTHING.length);
  }
  const end = `${ELSE_NOTHING}${NO_ERROR}`;
  const begin = [`if ${PENDING} && command -v `, FOR_US.exec(line)?.[0] ?? "if command -v "].find((text) =>
    line.startsWith(text),
  );
  if (begin === undefined || !line.endsWith(end)) return given;
  const inside = line.slice(begin.length, -end.length);
  // The word stands twice; what it holds may look like what stands between.
  for (let at = inside.indexOf(IS_THERE); at !== -1; at = inside.indexOf(IS_THERE, at + 1)) {
    const command = at + IS_THERE.length;
    if (inside.startsWith(`${inside.slice(0, at)} `, command)) return inside.slice(command);
  }
  return given;
}

/** What only this machine has. */
export interface MachinePlace {
  readonly program: string;
  readonly root: string;
}

/**
 * The project's variable in quotes of the shell: its path may hold blanks, and the agent's working directory moves. A client
 * that starts in a worktree takes the settings of this machine from the main checkout, and names the worktree: where git does
 * not track the script, that has none.
 */
export function projectScriptCommand(path: string, place: MachinePlace | null): string {
  const script = `"$CLAUDE_PROJECT_DIR"/${path}`;
  if (place === null) return script;
  const { program, root } = place;
  return `[ -e ${script} ] || CLAUDE_PROJECT_DIR=${shellQuote(root)}; CONTEXT_PROGRAM=${shellQuote(program)} ${script}`;
}

const FROM_WORKTREE =
  /^\[ -e "\$CLAUDE_PROJECT_DIR"\/[\w./-]+ \] \|\| CLAUDE_PROJECT_DIR='[^']*(?:'\\''[^']*)*'; (?=CONTEXT_PROGRAM=)/;

export interface OurCommand {
  readonly hook: HookScript;
  /**
   * Whether the line does nothing but start our hook as setting up has it start: one that does more, or is to stop a
   * compaction, was written by a person and stays as it is.
   */
  readonly plain: boolean;
  /** Whether it names a place that only this machine has. */
  readonly machinePath: boolean;
}

/** What starts another program, and is not the program that is meant; and the shell's own words before a command. */
const STARTERS =
  /^(?:if|then|else|elif|while|until|do|time|!|\{|sh|bash|dash|zsh|exec|env|command|node|npx|npm|bunx|bun|pnpm|yarn|dlx|x|--)$/;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/**
 * Whether a registered command runs one of our hooks, in the form of this version or of an earlier one: the script in
 * `.claude/hooks`, or the program itself. `foreign` holds the names of scripts in that folder that are somebody else's, and
 * those elsewhere as the line spells them.
 */
export function ourCommand(line: string, foreign: ReadonlySet<string>): OurCommand | null {
  const commands = simpleCommands(withoutGuard(line).replace(FROM_WORKTREE, ""));
  for (const words of commands) {
    const hook = hookOf(words, foreign);
    if (hook !== null) {
      // A script and a guarded line, which end well always, stop none.
      const stops = words.includes(hook) && words.includes("--require-saved") && !isGuarded(line);
      const plain = commands.length === 1 && !stops;
      return { hook, plain, machinePath: words.some(isMachinePath) };
    }
  }
  return null;
}

/** This program as a line names it, or what starts it for all projects. */
export const PROGRAM = /(?:^|[/\\])(?:context(?:\.js|\.cmd)?|agent-context(?:\.sh)?)$/;

/** Where the program stands among the words of a simple command; -1 where it names none. */
export function programAt(words: readonly string[]): number {
  return words.findIndex((word) => !ASSIGNMENT.test(word) && !STARTERS.test(baseName(word)) && !word.startsWith("-"));
}

function hookOf(words: readonly string[], foreign: ReadonlySet<string>): HookScript | null {
  const at = programAt(words);
  const program = words[at];
  if (program === undefined) return null;
  const name = baseName(program);
  if (IN_HOOKS.test(program) && name !== USER_SCRIPT)
    return foreign.has(name) || foreign.has(program) ? null : (scriptOf(program) ?? null);
  if (!PROGRAM.test(name)) return null;
  const rest = words.slice(at + 1);
  return HOOK_SCRIPTS.find((hook) => rest.includes(hook)) ?? null;
}

const IN_HOOKS = /(?:^|[/\\])\.claude[/\\]hooks[/\\][^/\\]+$/;

/** The hook whose script has that name, in such a folder. */
export function scriptOf(path: string): HookScript | undefined {
  return HOOK_SCRIPTS.find((hook) => IN_HOOKS.test(path) && scriptNames(hook).includes(baseName(path)));
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
