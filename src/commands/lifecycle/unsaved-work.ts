import type { Config } from "../../config/config.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import type { MachineRecord } from "../../lifecycle/snapshot.ts";
import { contextFilePath, shownPath } from "../../stores/paths.ts";
import { findTranscript, readTranscript } from "../../stores/transcript-store.ts";
import type { CommandContext } from "../command-context.ts";
import { ownPatterns } from "../redact-patterns.ts";
import { trailOf } from "../trail.ts";

/** What the role's owner changed after the last good save, as far as the end of its transcript tells. */
export interface UnsavedWork {
  /** Relative to the root where they lie inside, the newest first; null where it cannot be known. */
  readonly files: readonly string[] | null;
  /** Whether no file is left out: the part that was read reaches back to the save, and not too many were found. */
  readonly complete: boolean;
  /** Why it cannot be known, in a few words; null where it can. */
  readonly why: "no-save" | "no-owner" | "no-transcript" | null;
}

/** A list for a person or an orchestrator, not a log. */
const MOST_FILES = 50;

/** Reads the end of a transcript, so it is done only when asked for: it costs more than all else in a status. */
export function unsavedWork(
  context: CommandContext,
  config: Config,
  role: RoleName,
  record: Pick<MachineRecord, "savedAt" | "sessionId"> | null,
): UnsavedWork {
  const unknown = (why: UnsavedWork["why"]): UnsavedWork => ({ files: null, complete: false, why });
  if (record === null || record.savedAt === null) return unknown("no-save");
  if (record.sessionId === null) return unknown("no-owner");
  const path = findTranscript(context.env, record.sessionId);
  const read = path === null ? null : readTranscript(path, "window");
  if (read === null || !read.ok) return unknown("no-transcript");
  const saved = Date.parse(record.savedAt);
  const own = shownPath(context.paths, contextFilePath(context.paths, role));
  const { files } = trailOf(context, read.value, "start", ownPatterns(config).patterns);
  const changed = files.filter((file) => file.path !== own && file.at !== null && Date.parse(file.at) > saved);
  const first = read.value.activities.find(({ timestamp }) => timestamp !== null)?.timestamp ?? null;
  const reachesBack = read.value.whole || (first !== null && Date.parse(first) <= saved);
  return {
    files: changed.slice(0, MOST_FILES).map((file) => file.path),
    complete: reachesBack && changed.length <= MOST_FILES,
    why: null,
  };
}
