import { linesWith } from "../platform/lines-with.ts";
import { COMPACTION_NEEDLE, type CompactionMark, compactionMark } from "../transcript/compaction-mark.ts";
import { findTranscript } from "./transcript-store.ts";

/** A mark lists the messages that were kept, 40 bytes each: this is room for ten thousand of them. */
const MARK_MAX_BYTES = 512 * 1024;

/** What the client wrote down of a session's compactions, oldest first; null where it has no such session any more. */
export function readCompactions(
  env: Readonly<Record<string, string | undefined>>,
  sessionId: string,
): readonly CompactionMark[] | null {
  const path = findTranscript(env, sessionId);
  const lines = path === null ? null : linesWith(path, COMPACTION_NEEDLE, MARK_MAX_BYTES);
  return lines?.flatMap((line) => compactionMark(line) ?? []) ?? null;
}
