import type { PathHome } from "../transcript/path-text.ts";
import { type PlacedCommand, shellCommands } from "../transcript/shell-commands.ts";
import { gitCommand } from "./git-command.ts";

/** What a command most likely did to a file: paths as written, relative to `base`. */
export interface ShellEffect {
  readonly kind: "write" | "delete" | "move";
  readonly path: string;
  /** Where a move leads; null for the other kinds and where the text does not tell. */
  readonly to: string | null;
  readonly base: string;
}

/**
 * Files that a shell text writes, deletes or moves, provided that it succeeded. Only what its words say without doubt: no
 * patterns, no variables, nothing behind a condition, no copies of folders.
 */
export function shellEffects(text: string, cwd: string, places: PathHome): readonly ShellEffect[] {
  if (!MAY_CHANGE.test(text)) return [];
  return shellCommands(text, cwd, places).flatMap((command) => (command.conditional ? [] : effectsOf(command)));
}

const MAY_CHANGE = />|\b(?:rm|unlink|mv|cp|tee|sed|perl|touch)\b/;

function effectsOf(command: PlacedCommand): readonly ShellEffect[] {
  const { base } = command;
  const written = command.writes.filter((path) => isPlainFile(path) && !path.startsWith("/dev/"));
  return [
    ...written.map((path): ShellEffect => ({ kind: "write", path, to: null, base })),
    ...programEffects(command.verb, command.words.slice(1), base),
  ];
}

function programEffects(verb: string, words: readonly string[], base: string): readonly ShellEffect[] {
  switch (verb) {
    case "rm":
    case "unlink":
      return each("delete", operands(words), base);
    case "tee":
    case "touch":
      return each("write", operands(words), base);
    case "sed":
    case "perl":
      return words.some((word) => IN_PLACE.test(word)) ? each("write", scriptedFiles(words), base) : [];
    case "cp":
      return words.some((word) => OF_FOLDERS.test(word))
        ? []
        : moves(operands(words), base).flatMap(({ to }) => each("write", to === null ? [] : [to], base));
    case "mv":
      return words.some((word) => TARGET_FIRST.test(word)) ? [] : moves(operands(words), base);
    case "git": {
      const git = gitCommand(words, base);
      if (git?.name === "mv") return moves(operands(git.words), git.base);
      if (git?.name !== "rm" || git.words.includes("--cached")) return [];
      return each("delete", operands(git.words), git.base);
    }
    default:
      return [];
  }
}

const IN_PLACE = /^(?:-[a-z]{0,4}i|--in-place)/;
const TARGET_FIRST = /^(?:-t|--target-directory)/;
const OF_FOLDERS = /^(?:-[a-zA-Z]{0,6}[rRat]|--recursive|--archive|--target-directory)/;

function each(kind: "write" | "delete", paths: readonly string[], base: string): readonly ShellEffect[] {
  return paths.filter(isPlainFile).map((path) => ({ kind, path, to: null, base }));
}

function moves(paths: readonly string[], base: string): readonly ShellEffect[] {
  const target = paths.at(-1);
  if (target === undefined) return [];
  const sources = paths.slice(0, -1).filter(isPlainFile);
  const several = paths.length > 2;
  return sources.map((path) => ({ kind: "move", path, to: targetOf(path, target, several), base }));
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
