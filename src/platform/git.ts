import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { valueOr } from "../base/result.ts";
import { readDamagedText } from "./read-text.ts";
import { isFolder } from "./stat-of.ts";

export interface GitHead {
  /** Null on a detached head. */
  readonly branch: string | null;
  /** 40 or 64 hexadecimal digits; null before the first commit. */
  readonly commit: string | null;
}

/**
 * Branch and commit of the checkout that holds `folder`, or null where there is none. Read from git's own files: starting
 * git would cost more than all else that a hook does.
 */
export function readGitHead(folder: string): GitHead | null {
  const gitDir = findGitDir(folder);
  if (gitDir === null) return null;
  const head = readLine(join(gitDir, "HEAD"));
  if (head === null) return null;
  const name = /^ref: (refs\/\S+)$/.exec(head)?.[1];
  if (name === undefined) return { branch: null, commit: hash(head) };
  // What git writes where its references are in another format, which we do not read.
  if (name === "refs/heads/.invalid") return null;
  const common = readLine(join(gitDir, "commondir"));
  const folders = common === null ? [gitDir] : [gitDir, resolve(gitDir, common)];
  let commit: string | null = null;
  for (const base of folders) commit ??= hash(readLine(join(base, name))) ?? packedRef(join(base, "packed-refs"), name);
  return { branch: name.replace(/^refs\/heads\//, ""), commit };
}

/** `.git` is a folder, or in a worktree or submodule a file that names it. */
function findGitDir(folder: string): string | null {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const candidate = join(at, ".git");
    // An empty folder of that name is no repository: git itself goes on upwards.
    if (isFolder(candidate)) {
      if (existsSync(join(candidate, "HEAD"))) return candidate;
    } else if (existsSync(candidate)) {
      const target = /^gitdir: (.+)$/.exec(readLine(candidate) ?? "")?.[1];
      return target === undefined ? null : resolve(at, target);
    }
    if (dirname(at) === at) return null;
  }
}

function packedRef(path: string, name: string): string | null {
  const text = read(path);
  if (text === null) return null;
  for (const line of text.split("\n")) if (line.endsWith(` ${name}`)) return hash(line.slice(0, -name.length - 1));
  return null;
}

function hash(text: string | null): string | null {
  return text !== null && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text) ? text : null;
}

function readLine(path: string): string | null {
  return read(path)?.split("\n", 1)[0]?.trim() ?? null;
}

function read(path: string): string | null {
  return valueOr(readDamagedText(path, MOST_BYTES), null);
}

/** A quarter of a million packed references. */
const MOST_BYTES = 16 * 1024 * 1024;
