import type { PlacedCommand } from "../transcript/shell-commands.ts";
import { oneLine } from "./clean-text.ts";
import type { ShellCall } from "./command-text.ts";
import { placeOf, type TrailContext } from "./context.ts";
import { gitCommand } from "./git-command.ts";
import type { Commit } from "./model.ts";

/** Commits that were made, newest first: from git's own line where the result has it, else from the command. */
export function commits(calls: readonly ShellCall[], context: TrailContext): readonly Commit[] {
  const found: Commit[] = [];
  for (const { call, text, commands } of calls) {
    if (call.outcome === "in-flight") continue;
    if (call.outcome === "ok") found.length = Math.max(0, found.length - undone(commands));
    const made = commands.flatMap(({ verb, words, base, conditional }) => {
      const git = verb === "git" ? gitCommand(words.slice(1), base) : null;
      return git !== null && MAKES_COMMITS.has(git.name) && !git.words.includes("--dry-run")
        ? [{ git, conditional }]
        : [];
    });
    if (made.length === 0) continue;
    const place = placeOf(call);
    // Git's line is proof even where a command behind it failed.
    const lines = gitLines(call.result);
    const amends = made.some(({ git }) => git.words.includes("--amend"));
    const before = amends && (lines.length > 0 || call.outcome === "ok") ? found.pop() : undefined;
    if (lines.length > 0) {
      for (const { branch, hash, title } of lines) {
        found.push({ ...place, hash, title: context.clean(title, 200), branch: context.clean(branch, 200) });
      }
    } else if (call.outcome === "ok" && !/^nothing to commit|nothing added to commit/m.test(call.result)) {
      for (const { git, conditional } of made) {
        if (conditional || git.name !== "commit") continue;
        // Amended without a message, it keeps the one that it had.
        const title = titleIn(git.words, text) || (before?.title ?? "");
        found.push({ ...place, hash: null, title: context.clean(title, 200), branch: before?.branch ?? null });
      }
    }
  }
  return found.reverse();
}

/** How many commits a call takes back: `git reset HEAD~2`. What `reset` takes otherwise is not told by its words. */
function undone(commands: readonly PlacedCommand[]): number {
  let count = 0;
  for (const { verb, words, base, conditional } of commands) {
    const git = verb === "git" && !conditional ? gitCommand(words.slice(1), base) : null;
    if (git?.name !== "reset") continue;
    const target = git.words.filter((word) => !word.startsWith("-"));
    const back = target.length === 1 ? /^(?:HEAD|@)(?:~([0-9]{0,3})|(\^{1,9}))$/.exec(target[0] ?? "") : null;
    if (back !== null) count += back[2]?.length ?? Number(back[1] || 1);
  }
  return count;
}

const MAKES_COMMITS: ReadonlySet<string> = new Set(["commit", "revert", "cherry-pick"]);

interface GitLine {
  readonly branch: string;
  readonly hash: string;
  readonly title: string;
}

/** `[main abc1234] title`, `[main (root-commit) abc1234] title`, `[detached HEAD abc1234] title`. */
function gitLines(result: string): readonly GitLine[] {
  if (!result.includes("[")) return [];
  return [...result.matchAll(GIT_LINE)].map(([, branch = "", hash = "", title = ""]) => ({ branch, hash, title }));
}

const GIT_LINE = /^\[(detached HEAD|[^\s[\]]{1,250})(?: \(root-commit\))? ([0-9a-f]{7,64})\] (.{1,500})/gm;

/** The first line of a commit's message; an empty text where it comes from elsewhere (a file, an editor). */
function titleIn(words: readonly string[], text: string): string {
  const readsInput = words.some(
    (word, at) => /^(?:-F-|--file=-)$/.test(word) || (word === "-F" && words[at + 1] === "-"),
  );
  if (readsInput) return oneLine(HERE_TITLE.exec(text)?.[1] ?? "");
  for (const [at, word] of words.entries()) {
    const value = /^(?:-[a-zA-Z]{0,6}m|--message)$/.test(word)
      ? words[at + 1]
      : /^(?:--message=|-[aqsvn]{0,5}m)(.+)$/s.exec(word)?.[1];
    if (value === undefined) continue;
    // A message in a here-document: its first line is the shell's.
    const lines = value.split("\n").filter((line, index) => !(index === 0 && line.startsWith("$(cat <<")));
    return oneLine(lines.find((line) => line.trim() !== "") ?? "");
  }
  return "";
}

/** The first line of a here-document. */
const HERE_TITLE = /<<-?[ \t]{0,8}\\?["']?[A-Za-z_]\w{0,100}["']?[^\n]{0,1000}\n[ \t\r\n]{0,100}([^\n]{1,500})/;
