import { resolve } from "node:path";
import { shellWord } from "../base/shell-word.ts";
import type { RoleName } from "../lifecycle/role.ts";
import { gitEnv } from "../platform/git-env.ts";
import { run } from "../platform/run.ts";
import { recordOf } from "../stores/machine-store.ts";
import type { ContextCheck } from "./check-context.ts";
import type { CommandContext } from "./command-context.ts";
import type { Problem } from "./report.ts";
import { absentRoleHint } from "./role-argument.ts";

export interface LostContext {
  readonly role: RoleName;
  /** Of the context file, relative to the root. */
  readonly path: string;
  readonly missing: boolean;
  /** Whether the role was saved once: then its name is no slip. A compaction makes a machine for any name. */
  readonly isKnown: boolean;
  /** What git has, where it was asked before; null for nothing. */
  readonly kept?: string | null;
}

/** What is wrong with a context file that cannot be read, with the one way out. */
export async function unreadableContext(
  context: CommandContext,
  role: RoleName,
  { check, ...lost }: { readonly check: Unreadable } & Pick<LostContext, "isKnown" | "kept">,
): Promise<Problem> {
  const { problem, missing, path } = check;
  return missing ? { ...problem, hint: await lostContextHint(context, { role, path, missing, ...lost }) } : problem;
}

type Unreadable = Extract<ContextCheck, { readonly kind: "unreadable" }>;

/**
 * The one way out where a role's context file is gone or empty: what git has of it, for the agent's memory is nowhere else;
 * then the role that was probably meant; then a new file.
 */
export async function lostContextHint(context: CommandContext, lost: LostContext): Promise<string> {
  const { role, path, missing, isKnown } = lost;
  const { invokedAs } = context;
  const kept = lost.kept === undefined ? await committedHint(context, role, path) : lost.kept;
  if (kept !== null) return kept;
  if (!missing) return `Run ${invokedAs} new ${role} --force, and fill the file in.`;
  return isKnown ? `Write it: ${invokedAs} new ${role}.` : absentRoleHint(context, role, "new");
}

/** The command that brings a role's context file back as git has it; null where git has nothing of it. */
export async function committedHint(context: CommandContext, role: RoleName, path: string): Promise<string | null> {
  const { paths, env, cwd } = context;
  const ask = (...words: readonly string[]) => run("git", words, { cwd: paths.root, env: gitEnv(env) });
  const sizeIn = (revision: string) => ask("cat-file", "-s", `${revision}:./${path}`);
  const git = resolve(cwd) === paths.root ? "git" : `git -C ${shellWord(paths.root)}`;
  const known = await sizeIn("HEAD");
  // It answers nobody in another user's repository, and says so to whoever runs the command.
  const isRefused = known.stderr.includes("safe.directory");
  if (isRefused || hasText(known)) {
    // Git takes what a sparse checkout leaves out for unknown.
    const sparse = (await ask("ls-files", "-t", path)).stdout.startsWith("S") ? "--ignore-skip-worktree-bits " : "";
    return `Git ${isRefused ? "may have" : "has"} it as it was committed last: ${git} checkout ${sparse}HEAD -- ${shellWord(path)}`;
  }
  // Another branch than that of the save may be checked out, or a commit may have taken the file away.
  const { branch = null, commit = null } = recordOf(paths, role) ?? {};
  if (branch !== null && hasText(await sizeIn(`refs/heads/${branch}`))) return whereSaved(git, branch, path);
  if (commit !== null && hasText(await sizeIn(commit))) return whereSaved(git, commit, path);
  return null;
}

const hasText = ({ exitCode, stdout }: { readonly exitCode: number | null; readonly stdout: string }): boolean =>
  exitCode === 0 && Number(stdout) > 0;

const whereSaved = (git: string, revision: string, path: string): string =>
  `Git has it where the role was saved last: ${git} checkout ${shellWord(revision)} -- ${shellWord(path)}`;
