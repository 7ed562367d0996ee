import { basename } from "node:path";
import { isObject, parseJson, stringAt } from "../../base/json-value.ts";
import type { SessionFacts, SettingsLevel } from "../../doctor/facts.ts";
import { type HookRows, isHookRow, readHookRows } from "../../doctor/hook-rows.ts";
import { ourCommand } from "../../install/our-hooks.ts";
import { readText } from "../../platform/read-text.ts";
import { statOf } from "../../platform/stat-of.ts";
import { type ProjectSession, projectSessions, transcriptRows } from "../../stores/project-sessions.ts";
import { startRecordPath } from "../../stores/start-store.ts";
import { readTranscript } from "../../stores/transcript-store.ts";
import { compactionLoop } from "../../transcript/compaction-loop.ts";
import type { CommandContext } from "../command-context.ts";
import type { SettingsFile } from "../init/plan-settings.ts";

/** What the project's newest sessions tell of our hooks. */
export function lookAtSessions(
  context: CommandContext,
  levels: readonly SettingsLevel[],
  files: readonly SettingsFile[],
): { readonly facts: SessionFacts; readonly newest: ProjectSession | null } {
  const { env, paths } = context;
  const sessions = projectSessions(env, paths.root);
  const commands = new Set(levels.flatMap(({ hooks }) => hooks.map(({ command }) => command)));
  // An entry that is there no more may have been of any of them.
  const foreign = new Set(files.flatMap((each) => [...each.foreign]));
  const isOurs = (command: string): boolean => commands.has(command) || ourCommand(command, foreign) !== null;
  const rows = sessions.map((session) => ({
    session,
    rows: readHookRows(session.path, transcriptRows(session.path, isHookRow), isOurs),
  }));
  const runs = rows.flatMap((each) => each.rows.runs);
  const record = startRecord(startRecordPath(paths));
  const times = [...runs.flatMap(({ at }) => at ?? []), ...(record === null ? [] : [record.modified])];
  const [newest] = sessions;
  const begun = sessions.flatMap(({ began, path }) => (began === null ? [] : [{ at: began, transcript: path }]));
  const registered = levels.some(({ hooks }) => hooks.length > 0)
    ? files.flatMap(({ file }) => modifiedOf(file.path) ?? [])
    : [];
  const facts: SessionFacts = {
    transcripts: sessions.map(({ path }) => path),
    newestStart: begun.reduce<SessionFacts["newestStart"]>((a, b) => (a === null || b.at > a.at ? b : a), null),
    lastRun: times.length === 0 ? null : Math.max(...times),
    registeredAt: registered.length === 0 ? null : Math.max(...registered),
    runs,
    unseenCompactions: rows.flatMap(({ session, rows: found }) =>
      record !== null && isUnseen(session, found, record) ? [session.path] : [],
    ),
    loop: newest === undefined ? null : loopOf(newest.path),
  };
  return { facts, newest: newest ?? null };
}

function loopOf(path: string): SessionFacts["loop"] {
  const read = readTranscript(path, "window");
  const loop = read.ok ? compactionLoop(read.value.activities, null) : null;
  return loop === null ? null : { transcript: path, ...loop };
}

interface StartRecord {
  readonly sessionId: string | null;
  readonly source: string | null;
  readonly modified: number;
}

const RECORD_MAX_BYTES = 1024 * 1024;

function startRecord(path: string): StartRecord | null {
  const file = readText(path, RECORD_MAX_BYTES);
  if (!file.ok) return null;
  const { modified, text } = file.value;
  const value = parseJson(text);
  if (!isObject(value)) return { sessionId: null, source: null, modified };
  return { sessionId: stringAt(value, "session_id"), source: stringAt(value, "source"), modified };
}

/** The first client that is known to write down what its hooks said; 2.0.76 does not. */
const WRITES_DOWN = [2, 1, 197] as const;
/** What the client writes down, and when our hook ran, are apart by less. */
const SAME_START_MS = 60_000;

/** Whether our hook ran at the end of this session's compaction, and nothing of its text was written down from then on. */
function isUnseen({ path, clientVersion }: ProjectSession, { texts, runs }: HookRows, record: StartRecord): boolean {
  if (record.source !== "compact" || record.sessionId !== basename(path, ".jsonl")) return false;
  if (!isSince(clientVersion ?? "", WRITES_DOWN)) return false;
  const after = (at: number | null): boolean => at === null || at >= record.modified - SAME_START_MS;
  // The client's own record of the run says more.
  if (runs.some(({ at }) => after(at))) return false;
  return !texts.some(({ at, text }) => after(at) && text.includes("<nexus-context"));
}

function isSince(version: string, wanted: readonly [number, number, number]): boolean {
  const found = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? [];
  for (const [index, part] of wanted.entries()) {
    const own = found[index] ?? -1;
    if (own !== part) return own > part;
  }
  return true;
}

function modifiedOf(path: string): number | null {
  return statOf(path)?.mtimeMs ?? null;
}
