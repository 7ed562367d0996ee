import { join, sep } from "node:path";
import { isObject, parseJson, stringAt } from "../base/json-value.ts";
import { valueOr } from "../base/result.ts";
import { headLines } from "../platform/read-head.ts";
import { statOf } from "../platform/stat-of.ts";
import { rowText, tailLines } from "../platform/tail.ts";
import { clientFolder } from "./client-folder.ts";
import { listFolder } from "./list-folder.ts";
import { realPathOf } from "./setup-file.ts";

/** A session of a project, by the first records of its file. */
export interface ProjectSession {
  readonly path: string;
  readonly id: string;
  /** When it began, in milliseconds since the epoch; null where no record says so. */
  readonly began: number | null;
  /** When the file was written last. */
  readonly modified: number;
  /** The client that began it. */
  readonly clientVersion: string | null;
}

/** Folders and files that are looked at: a client keeps sessions of every project for a month. */
const MOST_FOLDERS = 300;
const MOST_SESSIONS = 20;
/** The first records name the folder; a client's own record before them can be long. */
const HEAD_BYTES = 64 * 1024;
/** A hook's record holds its whole text twice, 20 kB. */
const ROW_MAX_BYTES = 1024 * 1024;

/**
 * The newest sessions that began in a project, newest first. What a client calls its folders cannot be read back, so each
 * is asked for where its sessions began.
 */
export function projectSessions(
  env: Readonly<Record<string, string | undefined>>,
  root: string,
): readonly ProjectSession[] {
  const base = join(clientFolder(env), "projects");
  const folders = newest(base, () => true).slice(0, MOST_FOLDERS);
  const real = realPathOf(root) ?? root;
  const sessions = folders.flatMap(({ path: folder }) => {
    const files = newest(folder, (name) => name.endsWith(".jsonl"));
    if (!beganIn(files, real)) return [];
    return files.slice(0, MOST_SESSIONS).flatMap(({ path, modified }) => openSession(path, modified, real) ?? []);
  });
  return sessions.toSorted((a, b) => b.modified - a.modified).slice(0, MOST_SESSIONS);
}

/** Rows of a transcript whose first bytes are of interest, oldest first, as text. */
export function transcriptRows(path: string, keep: (head: string) => boolean): readonly string[] {
  const tail = tailLines(path, { keep, maxLineBytes: ROW_MAX_BYTES, maxLines: 2000, maxBytes: 16 * 1024 * 1024 });
  if (!tail.ok) return [];
  return tail.value.lines.map(({ text }) => rowText(text));
}

function openSession(path: string, modified: number, root: string): ProjectSession | null {
  const head = headOf(path);
  if (head.cwd === null || !isRoot(head.cwd, root)) return null;
  const id = path.slice(path.lastIndexOf(sep) + 1, -".jsonl".length);
  return { path, id, began: head.began, modified, clientVersion: head.version };
}

/** By the newest file that says it: what is picked from the client's list leaves one that holds no record of a place. */
function beganIn(files: readonly { path: string }[], root: string): boolean {
  for (const { path } of files.slice(0, MOST_SESSIONS)) {
    const { cwd } = headOf(path);
    if (cwd !== null) return isRoot(cwd, root);
  }
  return false;
}

/** A worktree of the client's own has its project's hooks. */
function isRoot(cwd: string, root: string): boolean {
  const real = realPathOf(cwd) ?? cwd;
  return real === root || real.startsWith(join(root, ".claude", "worktrees") + sep);
}

function headOf(path: string): { cwd: string | null; began: number | null; version: string | null } {
  let cwd: string | null = null;
  let began: number | null = null;
  let version: string | null = null;
  for (const line of headLines(path, HEAD_BYTES)) {
    const record = parseJson(line);
    // Half a row, where the head ends, is none.
    if (!isObject(record)) continue;
    cwd ??= stringAt(record, "cwd");
    version ??= stringAt(record, "version");
    const at = Date.parse(stringAt(record, "timestamp") ?? "");
    if (began === null && !Number.isNaN(at)) began = at;
    if (cwd !== null && began !== null && version !== null) break;
  }
  return { cwd, began, version };
}

function newest(folder: string, wanted: (name: string) => boolean): readonly { path: string; modified: number }[] {
  return valueOr(listFolder(folder), [])
    .filter(wanted)
    .flatMap((name) => {
      const path = join(folder, name);
      const stat = statOf(path);
      return stat === null ? [] : [{ path, modified: stat.mtimeMs }];
    })
    .toSorted((a, b) => b.modified - a.modified);
}
