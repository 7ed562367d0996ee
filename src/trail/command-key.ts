import type { PlacedCommand } from "../transcript/shell-commands.ts";
import type { TrailContext } from "./context.ts";
import { gitCommand } from "./git-command.ts";
import { tellingWords } from "./test-cover.ts";

/** What must be the same for two commands to be the same piece of work: the folder, and the words that tell what is done. */
export function keyOf(command: PlacedCommand, context: TrailContext): string {
  const { verb, words, base } = command;
  const file = writtenFile(command);
  // `cat > a <<EOF` is answered by whatever writes the file.
  if (file !== null && onlyWrites(command)) return writeKey(context.resolve(file, base));
  const folder = context.resolve(".", base);
  if (verb === "git") {
    const git = gitCommand(words.slice(1), base);
    // Tried again, it has another message, another branch, `--continue`.
    if (git !== null && REPEATED.has(git.name)) return `${context.resolve(".", git.base)} git ${git.name}`;
  }
  const set = installed(verb, words);
  if (set !== null) return `${folder} ${set}`;
  // The address is what is asked for; how loud is not.
  if (verb === "curl" || verb === "wget") {
    const addresses = words.filter((word) => /^(?:https?:\/\/|localhost\b|[0-9.]{7,15}:)/.test(word));
    if (addresses.length > 0) return `${folder} ${verb} ${addresses.join(" ")}`;
  }
  const code = INTERPRETERS.has(verb) ? words.find((word, at) => at > 0 && CODE.test(word)) : undefined;
  // A piece of code that is tried once has no other run to wait for than the next piece.
  // Where there is no `python`, there is a `python3`.
  const said = tellingWords(words)
    .join(" ")
    .replace(/^(\S*\/)?(python|pip)[0-9.]*(?= )/, "$2");
  return code === undefined ? `${folder} ${said}` : `${folder} ${verb} ${code}`;
}

/** The keys that a success of a piece of work answers: a commit ends the merge that had conflicts. */
export function answeredBy(key: string): readonly string[] {
  if (!key.endsWith(COMMIT)) return [key];
  return [key, ...["merge", "pull", "cherry-pick", "revert"].map((name) => key.slice(0, -"commit".length) + name)];
}

const COMMIT = " git commit";

/** What a package manager is to put in place, without options and versions; null for all else. */
function installed(verb: string, words: readonly string[]): string | null {
  const [name, ...operands] = words.slice(1).filter((word) => !word.startsWith("-"));
  if (!MANAGERS.has(verb) || name === undefined || !INSTALLING.has(name)) return null;
  return [
    verb.replace("pip3", "pip"),
    "install",
    ...operands.map((each) => each.replace(/(?<=.)(?:@|[=<>~!]=).*$/s, "")).sort(),
  ].join(" ");
}

/** Whether a command only moves or changes files for what stands behind it: that is seldom what fails. */
export function prepares(command: PlacedCommand): boolean {
  if (command.verb === "git") return PREPARING_GIT.has(gitCommand(command.words.slice(1), ".")?.name ?? "");
  return onlyWrites(command) || PREPARING.has(command.verb);
}

const PREPARING: ReadonlySet<string> = new Set("mkdir rm rmdir mv cp ln touch chmod tee sed perl".split(" "));
const PREPARING_GIT: ReadonlySet<string> = new Set(["add", "mv", "rm"]);

/** Whether all that a command does is to put a text into a file. */
function onlyWrites(command: PlacedCommand): boolean {
  return writtenFile(command) !== null && (command.verb === "" || IDLE.has(command.verb) || looks(command));
}

/** The key of work on a file, by whatever means. */
export function writeKey(resolved: string): string {
  return `write ${resolved}`;
}

/** Whether a command only looks, talks or moves the shell: nothing is left undone where it fails. */
export function doesNothing(command: PlacedCommand): boolean {
  const { verb } = command;
  return writtenFile(command) === null && (verb === "" || IDLE.has(verb) || looks(command));
}

function looks({ verb, words }: PlacedCommand): boolean {
  if (verb !== "git")
    return LOOKING.has(verb) && !words.some((word) => /^(?:-[a-zA-Z]{0,4}i|--in-place|-delete|-exec)/.test(word));
  const name = gitCommand(words.slice(1), ".")?.name;
  return name !== undefined && LOOKING_GIT.has(name);
}

function writtenFile({ writes }: PlacedCommand): string | null {
  return writes.find((path) => !path.startsWith("/dev/")) ?? null;
}

/** Programs that pass on what a pipe brings them. */
export const FILTERS: ReadonlySet<string> = new Set(
  "tail head grep egrep rg tee cat less sort uniq wc sed awk cut tr column jq nl fold".split(" "),
);

const IDLE: ReadonlySet<string> = new Set(
  "cd pushd popd echo printf true false : sleep wait exit export set unset source . } fi done esac".split(" "),
);

const LOOKING: ReadonlySet<string> = new Set(
  (
    "ls ll tree pwd cat bat head tail less more grep egrep fgrep rg ag ack find fd locate which type command whereis test [ " +
    "[[ stat file wc du df diff cmp comm sort uniq cut tr nl od xxd hexdump strings jq yq awk sed ps pgrep pidof lsof ss " +
    "netstat env printenv date uname whoami id hostname readlink realpath basename dirname kill pkill killall"
  ).split(" "),
);

const LOOKING_GIT: ReadonlySet<string> = new Set(
  "status log show diff grep blame ls-files ls-tree ls-remote rev-parse rev-list describe cat-file shortlog reflog".split(
    " ",
  ),
);

const REPEATED: ReadonlySet<string> = new Set(
  "add commit push pull fetch merge rebase cherry-pick revert am stash".split(" "),
);

const MANAGERS: ReadonlySet<string> = new Set(
  "npm pnpm yarn bun pip pip3 uv poetry pdm cargo gem bundle composer brew apt apt-get".split(" "),
);
const INSTALLING: ReadonlySet<string> = new Set("install i add ci require sync".split(" "));

const INTERPRETERS: ReadonlySet<string> = new Set(
  "node deno bun tsx ts-node python python3 py ruby perl php".split(" "),
);
const CODE = /^(?:-[cepr]|-[a-z]{0,2}e|--eval|--print|eval)$/;
