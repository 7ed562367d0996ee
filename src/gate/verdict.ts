import { firstUnseen, isSeen, together } from "./coverage.ts";
import { isAllRead, type Required } from "./state.ts";

/** `ignored`: of what the agent had to read itself, it read nothing. */
export type Verdict = "verified" | "partial" | "ignored";

export interface ProofLine {
  readonly path: string;
  /** `given`: by the session-start document or the client. */
  readonly state: "read" | "given" | "missing";
  /** Where reading goes on; null for a file that is read or given, 1 for one that was not opened. */
  readonly fromLine: number | null;
}

export interface Proof {
  readonly verdict: Verdict;
  readonly files: readonly ProofLine[];
  readonly missing: readonly ProofLine[];
}

/** Whether what is required was really read. Where nothing is required nothing is proved: the caller says so instead. */
export function proofOf(required: readonly Required[]): Proof {
  const files = required.map(lineOf);
  const missing = files.filter(({ state }) => state === "missing");
  const tried = required.some(({ read }) => isSeen(read));
  return { verdict: missing.length === 0 ? "verified" : tried ? "partial" : "ignored", files, missing };
}

function lineOf(file: Required): ProofLine {
  const { path, given, read } = file;
  if (!isAllRead(file)) return { path, state: "missing", fromLine: firstUnseen(together(given, read)) };
  return { path, state: firstUnseen(given) === null ? "given" : "read", fromLine: null };
}
