import { type PathHome, resolvePath } from "./path-text.ts";
import { folderOf, MOVES, shellCommands } from "./shell-commands.ts";

/** A path that a shell command works on, as it was written, and the folder it is relative to. */
export interface ShellPath {
  readonly path: string;
  readonly base: string;
  readonly writes: boolean;
}

/**
 * The words of a shell text that may be paths. `cd` moves the base for what follows, a sub-shell's only within it. A
 * command without arguments works on the folder it runs in (`.`); what merely prints text works on nothing.
 */
export function shellPaths(text: string, cwd: string, places: PathHome): readonly ShellPath[] {
  const found: ShellPath[] = [];
  // The code that an interpreter is given in a here-document stands in no word. It is looked through once, being long.
  const code = text.includes("<<") ? [text] : [];
  for (const { verb, words, writes, base } of shellCommands(text, cwd, places)) {
    for (const path of writes) found.push({ path, base, writes: true });
    if (MOVES.test(verb)) {
      const folder = resolvePath(folderOf(words), base, places);
      found.push({ path: folder, base: folder, writes: false });
    } else if (!PRINTING.has(verb)) {
      const more = INTERPRETERS.test(verb) ? code.splice(0).map((all) => all.slice(all.indexOf(verb))) : [];
      found.push(...pathsOf(verb, [...words, ...more], base));
    }
  }
  return found;
}

const INTERPRETERS = /^(?:python|node|perl|ruby|ba?sh)/;

function pathsOf(verb: string, words: readonly string[], base: string): readonly ShellPath[] {
  const operands = operandsOf(words.slice(1));
  if (operands.length === 0) return verb === "" ? [] : [{ path: ".", base, writes: false }];
  const all = writesAll(verb, words);
  return operands.flatMap((path, at) => {
    const writes = all || ((verb === "cp" || verb === "ln") && at === operands.length - 1);
    const whole: ShellPath = { path, base, writes };
    // Code handed over as one word (`node -e "…"`) may hold paths; only those that start at a root can be told from text.
    const inside = /[\s'"(){},=:]/.test(path) ? path.split(/[\s'"(){},=]+|:(?![/\\])/) : [];
    return [
      whole,
      ...inside.filter((piece) => /[/\\]/.test(piece)).map((piece) => ({ path: piece, base, writes: false })),
    ];
  });
}

/** Arguments that may be paths: options left out but for the value behind `=`, and messages (`-m "…"`) with them. */
function operandsOf(words: readonly string[]): readonly string[] {
  return words.flatMap((word, at) => {
    const before = words[at - 1];
    if (before === "-m" || before === "--message") return [];
    if (!word.startsWith("-")) return word === "" ? [] : [word];
    const equals = word.indexOf("=");
    return equals === -1 ? [] : [word.slice(equals + 1)];
  });
}

function writesAll(verb: string, words: readonly string[]): boolean {
  if (verb === "sed" || verb === "perl") return words.some((word) => /^(?:-[a-z]{0,4}i|--in-place)/.test(word));
  if (verb === "git") return words.some((word, at) => at > 0 && at < 4 && GIT_WRITES.has(word));
  return WRITING.has(verb);
}

const PRINTING = new Set([
  "echo",
  "printf",
  "pwd",
  "true",
  "false",
  "sleep",
  "exit",
  "export",
  "which",
  "date",
  "whoami",
  "wait",
]);
const WRITING = new Set([
  "rm",
  "mv",
  "mkdir",
  "touch",
  "tee",
  "rmdir",
  "truncate",
  "patch",
  "install",
  "rsync",
  "chmod",
]);
const GIT_WRITES = new Set(["add", "mv", "rm", "restore", "apply"]);
