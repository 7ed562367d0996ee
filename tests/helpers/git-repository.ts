import { runProgram } from "./run-program.ts";

/** Runs git in a folder, as nobody in particular and without the machine's own settings. */
export function git(folder: string, ...args: readonly string[]): string {
  const ran = runProgram("git", args, {
    cwd: folder,
    env: {
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_AUTHOR_NAME: "nobody",
      GIT_AUTHOR_EMAIL: "nobody@example.invalid",
      GIT_COMMITTER_NAME: "nobody",
      GIT_COMMITTER_EMAIL: "nobody@example.invalid",
    },
  });
  if (ran.code !== 0) throw new Error(`git ${args.join(" ")}: ${ran.stderr}`);
  return ran.stdout.trim();
}

export function commit(folder: string, message: string): string {
  git(folder, "commit", "--quiet", "--allow-empty", "--message", message);
  return git(folder, "rev-parse", "HEAD");
}
