import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { contextText } from "./context-text.ts";
import { LAUNCHER } from "./program-under-test.ts";
import { removeFolder } from "./remove-folder.ts";
import { type Ran, type RunOptions, runProgram, type Started, startProgram } from "./run-program.ts";

/** A temporary project, gone when its test is. Its path holds a blank and a letter outside ASCII. */
export interface Workspace {
  readonly root: string;
  readonly path: (name: string) => string;
  readonly write: (name: string, content: string | Uint8Array) => string;
  readonly read: (name: string) => string;
  readonly exists: (name: string) => boolean;
  /** Names in a folder, sorted; none where it does not exist. */
  readonly list: (name: string) => readonly string[];
  /** Writes a role's context file, a valid one unless it is given. */
  readonly role: (role: string, text?: string) => string;
  /** Runs `./context` with these words. */
  readonly context: (words: string | readonly string[], options?: Partial<RunOptions>) => Ran;
  readonly start: (words: readonly string[], options?: Parameters<typeof startProgram>[2]) => Started;
  /** What the role's env file says under `STATE_…`, by the name behind the underscore; empty where there is no file. */
  readonly state: (role: string) => Readonly<Record<string, string>>;
  /** The same values, but those given, put into the role's env file. */
  readonly setState: (role: string, values: Readonly<Record<string, string>>) => void;
}

export const MACHINES = "session/stateMachines";

export function machineFile(role: string): string {
  return `${MACHINES}/${role.replaceAll("-", "_")}.states.env`;
}

export function makeWorkspace(): Workspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "projet é ")));
  onTestFinished(() => {
    openFolders(root);
    removeFolder(root);
  });
  chmodSync(root, 0o755);
  mkdirSync(join(root, "session", "agents"), { recursive: true });
  symlinkSync(LAUNCHER, join(root, "context"));
  const path = (name: string) => join(root, name);
  const read = (name: string) => readFileSync(path(name), "utf8");
  const exists = (name: string) => existsSync(path(name));
  const write = (name: string, content: string | Uint8Array) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), content);
    return path(name);
  };
  return {
    root,
    path,
    write,
    read,
    exists,
    list: (name) => (exists(name) ? readdirSync(path(name)).sort() : []),
    role: (role, text = contextText({ role })) => write(`session/agents/${role}.context.md`, text),
    context: (words, options = {}) =>
      runProgram(launcherAt(path("context")), typeof words === "string" ? words.split(" ") : words, {
        cwd: root,
        ...options,
      }),
    start: (words, options = { cwd: root }) => startProgram(launcherAt(path("context")), words, options),
    state: (role) => (exists(machineFile(role)) ? stateValues(read(machineFile(role))) : {}),
    setState: (role, values) => {
      let text = read(machineFile(role));
      for (const [key, value] of Object.entries(values)) {
        const line = `STATE_${key}=${value}\n`;
        const pattern = new RegExp(`^STATE_${key}=.*\\n`, "m");
        text = pattern.test(text) ? text.replace(pattern, () => line) : line + text;
      }
      write(machineFile(role), text);
    },
  };
}

/**
 * What the link leads to: to go through it costs the launcher a process. That it finds itself behind links is asked in
 * command-line.test.ts. A test may have put something else in the link's place.
 */
function launcherAt(path: string): string {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() && readlinkSync(path) === LAUNCHER
    ? LAUNCHER
    : path;
}

function stateValues(text: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [, key = "", value = ""] of text.matchAll(/^STATE_([A-Z0-9_]+)=(.*)$/gm)) values[key] = value;
  return values;
}

/** A test may have taken its own rights away. */
function openFolders(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) openFolders(join(folder, entry.name));
  }
}
