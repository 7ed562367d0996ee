import { expect } from "vitest";
import { one, type Read, readDocument } from "../session-start/read-document.ts";
import type { StartOptions as ProgramOptions, Ran, RunOptions } from "./run-program.ts";
import type { Workspace } from "./workspace.ts";

export const SESSION = "5e551041-0000-4000-8000-000000000001";

/** The whole document of a start that was not told all of it. */
export const OWN = `session/.cache/session-start.xml.${SESSION}`;

export interface StartOptions {
  readonly source?: string;
  readonly transcript?: string | null;
  readonly session?: string;
  /** Keys of the payload beside those above. */
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly words?: readonly string[];
  readonly run?: Partial<RunOptions>;
}

/** A SessionStart payload as the client sends it. */
export function startPayload(workspace: Workspace, options: StartOptions = {}): string {
  const { source = "startup", transcript = null, session = SESSION, payload = {} } = options;
  return JSON.stringify({
    session_id: session,
    ...(transcript === null ? {} : { transcript_path: transcript }),
    cwd: workspace.root,
    hook_event_name: "SessionStart",
    source,
    ...payload,
  });
}

/** Runs the hook as the client would. */
export function runStart(workspace: Workspace, options: StartOptions = {}): Ran {
  const { words = [], run = {} } = options;
  return workspace.context(["session-start", ...words], { input: startPayload(workspace, options), ...run });
}

/** The document in what the hook printed, held against what the client takes: one JSON value of one shape, and nothing else. */
export function documentIn(stdout: string): string {
  const value: { hookSpecificOutput: { additionalContext: string } } = JSON.parse(stdout);
  expect(value).toEqual({
    hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: expect.any(String) },
  });
  expect(stdout).toBe(`${JSON.stringify(value)}\n`);
  return value.hookSpecificOutput.additionalContext;
}

export interface StartDocument {
  readonly xml: string;
  /** As a parser reads it, valid against the shipped schema. */
  readonly root: Read;
  readonly stderr: string;
}

/** The document of a start that goes well. */
export function startDocument(workspace: Workspace, options: StartOptions = {}): StartDocument {
  const ran = runStart(workspace, options);
  expect(ran).toMatchObject({ code: 0, signal: null });
  const xml = documentIn(ran.stdout);
  expect(xml.length).toBeLessThanOrEqual(10_000);
  return { xml, root: readDocument(xml), stderr: ran.stderr };
}

/** A start takes a fifteenth of a second; what grows with a power of its input takes minutes. */
const MOST_CPU_SECONDS = 5;

/** What every part of one start printed, all of them running at once; the last ones are started first. */
export async function startParts(
  workspace: Workspace,
  of: number,
  options: StartOptions = {},
): Promise<readonly Ran[]> {
  const input = startPayload(workspace, options);
  const given: Partial<ProgramOptions> = { cpuSeconds: MOST_CPU_SECONDS, ...options.run };
  // Many processes at once: on a busy machine the payload may come later than a hook waits for its first byte.
  const run = { ...given, env: { CONTEXT_STDIN_IDLE_MS: "2000", ...given.env } };
  const running = Array.from({ length: of }, (_, index) => of - index).map((part) => {
    const words = ["session-start", "--part", `${part}/${of}`, ...(options.words ?? [])];
    const { child, ended } = workspace.start(words, { cwd: workspace.root, ...run });
    child.stdin?.end(input);
    return ended;
  });
  const all = await Promise.all(running);
  for (const ran of all) expect(ran).toMatchObject({ code: 0, signal: null });
  return all.reverse();
}

/** The record that a start leaves of its decision. */
export function decisionOf(workspace: Workspace): Readonly<Record<string, unknown>> {
  return JSON.parse(workspace.read("session/.cache/session-start.json"));
}

export function first<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined) throw new Error("there is none");
  return item;
}

export function text(root: Read, name: string): string {
  return one(root, name).text;
}
