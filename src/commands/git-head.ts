import { type GitHead, readGitHead } from "../platform/git.ts";
import { redact } from "../transcript/redact.ts";

/** The branch and commit at hand, as they may be shown and written down: a branch can be named after a secret. */
export function gitHead(root: string): GitHead | null {
  const head = readGitHead(root);
  return head === null || head.branch === null ? head : { ...head, branch: redact(head.branch) };
}
