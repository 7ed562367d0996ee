import { resolve } from "node:path";
import { shellWord } from "../base/shell-word.ts";
import type { RoleName } from "../lifecycle/role.ts";
import { run } from "../platform/run.ts";
import type { CommandContext } from "./command-context.ts";
import { absentRoleHint } from "./role-argument.ts";

export interface LostContext {
  readonly role: RoleName;
  /** Of the context file, relative to the root. */
  readonly path: string;
  readonly missing: boolean;
  /** Whether the role was saved once: then its name is no slip. A compaction makes a machine for any name. */
  readonly isKnown: boolean;
}

/**
 * The one way out where a role's context file is gone or empty: what git has of it, for the agent's memory is nowhere else;
 * then the role that was probably meant; then a new file.
 */
export async function lostContextHint(context: CommandContext, lost: LostContext): Promise<string> {
  const { role, path, missing, isKnown } = lost;
  const { paths, env, invokedAs, cwd } = context;
  const known = await run("git", ["cat-file", "-s", `HEAD:./${path}`], { cwd: paths.root, env });
  if (known.exitCode === 0 && Number(known.stdout) > 0) {
    const git = resolve(cwd) === paths.root ? "git" : `git -C ${shellWord(paths.root)}`;
    return `Git has it as it was committed last: ${git} checkout HEAD -- ${shellWord(path)}`;
  }
  if (!missing) return `Run ${invokedAs} new ${role} --force, and fill the file in.`;
  return isKnown ? `Write it: ${invokedAs} new ${role}.` : absentRoleHint(context, role, "new");
}
