import { type PathHome, resolvePath } from "./path-text.ts";
import { type ShellJoint, shellParts } from "./shell-words.ts";

/** A simple command with the folder it runs in, as far as the text tells. */
export interface PlacedCommand {
  /** The program's name without its folder; empty where there are only redirections. */
  readonly verb: string;
  /** From the program on: `sudo`, `env`, assignments and the shell's own words taken away. */
  readonly words: readonly string[];
  /** Those of `words` that only bring its input. */
  readonly inputs: readonly string[];
  readonly writes: readonly string[];
  /** Those of `writes` that the output is added to. */
  readonly appends: readonly string[];
  readonly base: string;
  readonly joint: ShellJoint;
  /** Whether it runs hangs on something that the text does not tell: an `if`, a loop, what stands behind `||`. */
  readonly conditional: boolean;
}

/**
 * The simple commands of a shell text, those of `bash -c "…"` included, in its place. `cd` moves the base for what follows,
 * a sub-shell's only within it.
 */
export function shellCommands(text: string, cwd: string, places: PathHome, depth = 0): readonly PlacedCommand[] {
  const found: PlacedCommand[] = [];
  const outer: string[] = [];
  // What each `{` that is open stands behind.
  const braces: boolean[] = [];
  let base = cwd;
  let blocks = 0;
  let otherwise = false;
  for (const part of shellParts(text)) {
    if (part.kind === "open") outer.push(base);
    else if (part.kind === "close") base = outer.pop() ?? base;
    else {
      const { inputs, writes, appends, joint } = part;
      const first = part.words[0] ?? "";
      if (BLOCK_STARTS.has(first)) blocks += 1;
      else if (BLOCK_ENDS.has(first)) blocks = Math.max(0, blocks - 1);
      otherwise = joint === "||" || (otherwise && joint !== ";");
      if (first === "}") braces.pop();
      const conditional = blocks > 0 || otherwise || braces.at(-1) === true;
      if (first === "{") braces.push(conditional);
      const words = withoutWrappers(part.words);
      const verb = words[0]?.replace(/^.*[/\\]/, "") ?? "";
      const script = depth < 2 && SHELLS.has(verb) ? scriptOf(words) : undefined;
      const command: PlacedCommand = { verb, words, inputs, writes, appends, base, joint, conditional };
      if (script === undefined) found.push(command);
      else {
        if (writes.length > 0) found.push({ ...command, verb: "", words: [] });
        const inner = shellCommands(script, base, places, depth + 1);
        for (const each of inner) found.push({ ...each, conditional: conditional || each.conditional });
      }
      if (MOVES.test(verb)) {
        const moved = resolvePath(folderOf(words), base, places);
        // No system has such a folder, and each `cd a` would make it longer.
        if (moved.length <= LONGEST_PATH) base = moved;
      }
    }
  }
  return found;
}

/** Programs that move the shell to another folder. */
export const MOVES = /^(?:cd|pushd|popd)$/;

/** Linux's own limit, PATH_MAX. */
const LONGEST_PATH = 4096;

/** The folder that a `cd` goes to, as it was written; which one it came from is not told. */
export function folderOf(words: readonly string[]): string {
  if (words[0] === "popd" || words[1] === "-") return "/$OLDPWD";
  return words.slice(1).find((word) => !word.startsWith("-")) ?? "~";
}

function scriptOf(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => /^-[a-z]{0,3}c$/.test(word));
  return at === -1 ? undefined : words[at + 1];
}

function withoutWrappers(words: readonly string[]): readonly string[] {
  for (let at = 0; ; ) {
    const word = words[at];
    if (word === undefined) return [];
    const values = WRAPPERS.get(word);
    const isAssignment = /^[A-Za-z_][A-Za-z0-9_]*=/.test(word);
    // `command -v` looks for a program and runs none.
    const looks = word === "command" && /^-[vV]/.test(words[at + 1] ?? "");
    if (looks || (values === undefined && !isAssignment)) return words.slice(at);
    at += 1;
    // An option and, where it stands apart, its value.
    for (let option = words[at]; values && option?.startsWith("-"); option = words[at])
      at += option.length === 2 && values.includes(option.charAt(1)) ? 2 : 1;
    if (word === "timeout") at += 1;
  }
}

const SHELLS = new Set(["bash", "sh", "zsh", "dash"]);
/** Words in front of a program, with the letters of their options that take a value; the shell's own take none. */
const WRAPPERS: ReadonlyMap<string, string> = new Map([
  ["sudo", "ugpChDRTrt"],
  ["env", "uCS"],
  ["time", "fo"],
  ["timeout", "ks"],
  ["nice", "n"],
  ["stdbuf", "ioe"],
  ["xargs", "InPLdEsa"],
  ["nohup", "-"],
  ...["command", "exec", "then", "do", "else", "if", "elif", "while", "until", "!", "{"].map(
    (word) => [word, ""] as const,
  ),
]);
const BLOCK_STARTS = new Set(["if", "for", "while", "until", "case", "select"]);
const BLOCK_ENDS = new Set(["fi", "done", "esac"]);
