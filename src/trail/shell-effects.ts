import type { PlacedCommand } from "../transcript/shell-commands.ts";
import { gitCommand } from "./git-command.ts";

/** What a command most likely did to a file: paths as written, relative to `base`. */
export interface ShellEffect {
  readonly kind: "write" | "delete" | "move" | "restore";
  readonly path: string;
  /** Whether it makes the file where there is none: `>` does, `sed -i` and `>>` need not. */
  readonly makes: boolean;
  /** Where a move leads; null for the other kinds and where the text does not tell. */
  readonly to: string | null;
  readonly base: string;
}

/**
 * Files that a shell text writes, deletes, moves or gives back to git, provided that it succeeded. Only what its words say
 * without doubt: no patterns, no variables, nothing behind a condition, no copies of folders.
 */
export function shellEffects(commands: readonly PlacedCommand[]): readonly ShellEffect[] {
  const effects = commands.flatMap((command) =>
    command.conditional
      ? []
      : [...redirections(command), ...programEffects(command.verb, argumentsOf(command), command.base)],
  );
  return effects.length > MOST_EFFECTS ? effects.slice(0, MOST_EFFECTS) : effects;
}

/** Of one shell text: more files than a trail could name, and each costs it time. */
const MOST_EFFECTS = 1000;

function argumentsOf({ words, inputs }: PlacedCommand): readonly string[] {
  const brought = new Set(inputs);
  return words.filter((word, at) => at > 0 && !brought.has(word));
}

/** The files that a command's output goes to, which are written whether or not it succeeds. */
export function redirections({ writes, appends, base }: PlacedCommand): readonly ShellEffect[] {
  const added = new Set(appends);
  const files = writes.filter((path) => isPlainFile(path) && !path.startsWith("/dev/"));
  return files.map((path) => ({ kind: "write", path, makes: !added.has(path), to: null, base }));
}

function programEffects(verb: string, words: readonly string[], base: string): readonly ShellEffect[] {
  switch (verb) {
    case "rm":
    case "unlink":
      return each("delete", operands(words), base);
    case "tee":
      return each("write", operands(words), base, !words.some((word) => /^(?:-[a-z]{0,3}a|--append)/.test(word)));
    case "touch":
      return each("write", operands(words), base);
    case "sed":
      return words.some((word) => IN_PLACE.test(word)) ? each("write", scriptedFiles(words), base, false) : [];
    case "perl":
      return words.some((word) => /^-[0a-z0-9]{0,5}i/.test(word))
        ? each("write", scriptedFiles(words), base, false)
        : [];
    case "patch":
      return each("write", operands(words).slice(0, 1), base, false);
    case "cp":
      return words.some((word) => OF_FOLDERS.test(word))
        ? []
        : moves(operands(words), base).flatMap(({ to }) => each("write", to === null ? [] : [to], base));
    case "mv":
      return words.some((word) => TARGET_FIRST.test(word)) ? [] : moves(operands(words), base);
    case "git":
      return gitEffects(words, base);
    default:
      return [];
  }
}

function gitEffects(words: readonly string[], base: string): readonly ShellEffect[] {
  const git = gitCommand(words, base);
  switch (git?.name) {
    case "mv":
      return moves(operands(git.words), git.base);
    case "rm":
      return git.words.includes("--cached") ? [] : each("delete", operands(git.words), git.base);
    case "restore": {
      const isStaged = git.words.some((word) => word === "--staged" || word === "-S");
      return isStaged || git.words.some((word) => /^(?:-s|--source)/.test(word))
        ? []
        : each("restore", operands(git.words), git.base);
    }
    case "checkout": {
      const paths = git.words[0] === "HEAD" ? git.words.slice(1) : git.words;
      // A word alone may be a branch; then no file has its name, or git refuses it.
      return paths.length === 1 || paths[0] === "--" ? each("restore", operands(paths), git.base) : [];
    }
    case "reset":
      return git.words.includes("--hard") && git.words.every((word) => word === "--hard" || word === "HEAD")
        ? each("restore", ["."], git.base)
        : [];
    default:
      return [];
  }
}

const IN_PLACE = /^(?:-[a-zA-Z]{0,4}i|--in-place)/;
const TARGET_FIRST = /^(?:-t|--target-directory)/;
const OF_FOLDERS = /^(?:-[a-zA-Z]{0,6}[rRat]|--recursive|--archive|--target-directory)/;

function each(
  kind: "write" | "delete" | "restore",
  paths: readonly string[],
  base: string,
  makes = true,
): readonly ShellEffect[] {
  return paths.filter(isPlainFile).map((path) => ({ kind, path, makes, to: null, base }));
}

function moves(paths: readonly string[], base: string): readonly ShellEffect[] {
  const target = paths.at(-1);
  if (target === undefined) return [];
  const sources = paths.slice(0, -1).filter(isPlainFile);
  const several = paths.length > 2;
  return sources.map((path) => ({ kind: "move", path, makes: true, to: targetOf(path, target, several), base }));
}

/** The file that a move ends in; null where the target may be a folder or a file. */
function targetOf(source: string, target: string, several: boolean): string | null {
  if (!isPlainFile(target)) return null;
  const name = source.replace(/[/\\]$/, "").replace(/^.*[/\\]/s, "");
  if (several || /(?:^|[/\\])\.{0,2}$/.test(target)) return `${target.replace(/[/\\]$/, "")}/${name}`;
  const hasEnding = (path: string): boolean => /\.[A-Za-z0-9]{1,10}$/.test(path);
  return hasEnding(name) === hasEnding(target) ? target : null;
}

function operands(words: readonly string[]): readonly string[] {
  const end = words.indexOf("--");
  const before = end === -1 ? words : words.slice(0, end);
  return [...before.filter((word) => !word.startsWith("-")), ...(end === -1 ? [] : words.slice(end + 1))];
}

/** The files of `sed -i` and `perl -i`: the first operand is the script, unless an option brought one. */
function scriptedFiles(words: readonly string[]): readonly string[] {
  const files: string[] = [];
  let scripted = false;
  let skip = false;
  for (const word of words) {
    if (skip) skip = false;
    else if (/^(?:-[a-zA-Z]{0,5}[ef]|--expression|--file)$/.test(word)) [scripted, skip] = [true, true];
    else if (/^--(?:expression|file)=/.test(word)) scripted = true;
    else if (!word.startsWith("-") && word !== "") files.push(word);
  }
  return scripted ? files : files.slice(1);
}

/** False for what the shell would fill in first, and for what is no path. */
function isPlainFile(path: string): boolean {
  return path !== "" && path !== "-" && path.length < 1_000 && !/[$*?[\]{}`<>|\n\0]/.test(path);
}
